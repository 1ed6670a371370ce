package io.weir.proxy.exchange;

import io.weir.http.Reason;
import io.weir.proxy.accesslog.LogLanes;
import io.weir.proxy.accesslog.LogSource;
import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.accesslog.RecordText;

/**
 * A request that was answered before its head was completely read, as the access log sees it: the client, the bytes,
 * and the answer. Nothing of the head is trusted: its values are {@code -}. Lives for one record, on the connection's
 * muxer.
 *
 * @param client the connection, whose answer is written
 */
public record RefusedRequest(Client client) implements LogSource {
    /** Appends the record, if there is an access log. */
    public static void record(Client client) {
        LogLanes lanes = client.loop().logLanes();
        if (lanes != null) {
            // the head was not completely read: the host that would select a virtual server is not known
            lanes.refused(client.connection().listener().config().virtualServer(), new RefusedRequest(client));
        }
    }

    @Override
    public void logValue(LogVariable variable, RecordText out) {
        ClientResponse answer = client.response();
        switch (variable) {
            case CLIENT_IP ->
                out.append(client.connection().remote().getAddress().getHostAddress());
            case STATUS -> out.append(answer.status());
            case STATUS_REASON -> out.append(Reason.of(answer.status()));
            case VSID -> out.append(client.connection().listener().config().virtualServer());
            case CONTENT_LENGTH, P2C_CL -> out.append(answer.bodyBytes());
            case CONTENT_TYPE -> out.append(answer.ownType());
            case C2P_HL -> out.append(client.headBytes());
            case P2C_HL -> out.append(answer.headBytes());
            case CLI_STATUS -> out.append("FIN");
            default -> {
                // the others need a complete head
            }
        }
    }

    @Override
    public int logStatus() {
        return client.response().status();
    }

    @Override
    public void logCookie(String name, RecordText out) {
        // the fields were not read
    }

    @Override
    public void logRequestField(String name, RecordText out) {
        // the answer has no further fields
    }

    @Override
    public void logResponseField(String name, RecordText out) {
        // the answer has none but its own
    }

    @Override
    public void logVariable(String name, RecordText out) {
        // no function has run
    }
}
