package io.weir.proxy.exchange;

import io.weir.http.Method;
import io.weir.http.Reason;
import io.weir.http.RequestHead;
import io.weir.http.Version;
import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.accesslog.RecordText;
import io.weir.proxy.pool.PoolServer;
import io.weir.proxy.upstream.Fetch;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An exchange's data for the access log and the counters. Owned by its exchange. */
final class ExchangeRecord {
    private static final AtomicLong IDS = new AtomicLong();

    private long startNanos;
    private long startMillis;
    private long endNanos;
    private long id;
    private int status;
    private int remoteStatus;
    private @Nullable Version remoteVersion;
    private long requestHead;
    private long requestBody;
    private long responseHead;
    private long responseBody;
    private long upstreamHead;
    private long upstreamBody;
    private long originHead;
    private long originBody;
    private long firstByteNanos;
    private long fetchNanos;
    private long resolvedNanos;
    private long borrowedNanos;
    private String clientStatus = "FIN";
    private String serverStatus = "-";
    private String route = "-";

    /**
     * Starts with a request whose head is complete.
     *
     * @param headBytes its size
     */
    void begin(long nanos, long millis, long headBytes) {
        startNanos = nanos;
        startMillis = millis;
        endNanos = nanos;
        id = 0;
        status = 0;
        remoteStatus = 0;
        remoteVersion = null;
        requestHead = headBytes;
        requestBody = 0;
        responseHead = 0;
        responseBody = 0;
        upstreamHead = 0;
        upstreamBody = 0;
        originHead = 0;
        originBody = 0;
        firstByteNanos = 0;
        fetchNanos = 0;
        resolvedNanos = 0;
        borrowedNanos = 0;
        clientStatus = "FIN";
        serverStatus = "-";
        route = "-";
    }

    long startNanos() {
        return startNanos;
    }

    long startMillis() {
        return startMillis;
    }

    /** A short identifier shared by error pages and the log; created at first use. */
    String id() {
        if (id == 0) {
            id = IDS.incrementAndGet();
        }
        return Long.toString(startMillis, 36) + "-" + Long.toString(id, 36);
    }

    void receivedBody(int bytes) {
        requestBody += bytes;
    }

    void route(String text) {
        route = text;
    }

    void originAnswered(int remote) {
        remoteStatus = remote;
        serverStatus = "FIN";
    }

    void originFailed(String how) {
        serverStatus = how;
    }

    /** How the client's side ended; a time-out is not overwritten by later results. */
    void clientStatus(String how) {
        if (!clientStatus.equals("TIMEOUT")) {
            clientStatus = how;
        }
    }

    void fetched(Fetch fetch) {
        upstreamHead = fetch.sentHead();
        upstreamBody = fetch.sentBody();
        remoteVersion = fetch.version();
        originHead = fetch.receivedHead();
        originBody = fetch.receivedBody();
        fetchNanos = fetch.startNanos();
        firstByteNanos = fetch.headNanos();
        resolvedNanos = fetch.resolvedNanos();
        borrowedNanos = fetch.borrowedNanos();
        PoolServer server = fetch.server();
        if (server != null) {
            route = server.actualRoute();
        }
    }

    void tunnelled(long fromClient, long fromOrigin) {
        requestBody += fromClient;
        responseBody += fromOrigin;
    }

    void end(long nanos, ClientResponse answer) {
        endNanos = nanos;
        status = answer.status();
        responseHead += answer.headBytes();
        responseBody += answer.bodyBytes();
    }

    int status() {
        return status;
    }

    long received() {
        return requestHead + requestBody;
    }

    long sent() {
        return responseHead + responseBody;
    }

    long nanos() {
        return endNanos - startNanos;
    }

    /** Appends the value of a log format token, if it concerns the request or a measurement. */
    void write(LogVariable variable, RequestHead head, RecordText out) {
        switch (variable) {
            case REQUEST_LINE, PROXY_REQUEST -> requestLine(head, out);
            case METHOD -> out.append(head.method());
            case URI -> out.append(head.bytes(), head.pathStart(), head.queryStart());
            case QUERY -> out.append(head.query());
            case PROTOCOL -> out.append(head.version().text());
            case TARGET -> out.append(head.bytes(), head.targetStart(), head.targetEnd());
            case PROTOCOL_NAME -> out.append(part(head.version().text(), 0));
            case PROTOCOL_VERSION -> out.append(part(head.version().text(), 1));
            case METHOD_NUM -> out.append(nsapiNumber(head.methodId()));
            case PROTV_NUM -> out.append(nsapiNumber(head.version().text()));
            default -> write(variable, out);
        }
    }

    private void write(LogVariable variable, RecordText out) {
        switch (variable) {
            case STATUS -> number(status, out);
            case STATUS_REASON -> out.append(status > 0 ? Reason.of(status) : null);
            case REMOTE_STATUS -> number(remoteStatus, out);
            case REMOTE_PROTOCOL -> out.append(remoteVersion == null ? null : remoteVersion.text());
            case CONTENT_LENGTH, P2C_CL -> out.append(responseBody);
            case C2P_HL -> out.append(requestHead);
            case C2P_CL -> out.append(requestBody);
            case P2R_HL -> out.append(upstreamHead);
            case P2R_CL -> out.append(upstreamBody);
            case R2P_HL -> out.append(originHead);
            case R2P_CL -> out.append(originBody);
            case P2C_HL -> out.append(responseHead);
            case XFER_TIME -> out.append(nanos() / 1_000_000_000L);
            case XFER_TIME_TOTAL -> out.append(nanos() / 1_000_000L);
            case XFER_TIME_DNS -> since(resolvedNanos, fetchNanos, out);
            case XFER_TIME_CWAIT -> since(borrowedNanos, fetchNanos, out);
            case XFER_TIME_IWAIT -> since(firstByteNanos, borrowedNanos, out);
            case XFER_TIME_FWAIT -> since(borrowedNanos == 0 ? 0 : endNanos, borrowedNanos, out);
            case DURATION -> out.append(nanos() / 1000);
            case ACTUAL_ROUTE -> out.append(route);
            case CLI_STATUS -> out.append(clientStatus);
            case SVR_STATUS -> out.append(serverStatus);
            case REQUEST_ID -> out.append(id());
            case CLIENT_DNS -> {
                // addresses are never resolved to names
            }
            default -> throw new IllegalStateException(variable + " is not of the record");
        }
    }

    private static void requestLine(RequestHead head, RecordText out) {
        out.append(head.method()).append(' ').append(head.bytes(), head.targetStart(), head.targetEnd());
        out.append(' ').append(head.version().text());
    }

    private static String part(String version, int which) {
        int slash = version.indexOf('/');
        return which == 0 ? version.substring(0, slash) : version.substring(slash + 1);
    }

    /** The METHOD_* numbers of NSAPI. */
    private static long nsapiNumber(Method method) {
        return switch (method) {
            case HEAD -> 0;
            case GET -> 1;
            case PUT -> 2;
            case POST -> 3;
            case DELETE -> 4;
            case TRACE -> 5;
            case OPTIONS -> 6;
            case MOVE -> 7;
            case COPY -> 11;
            default -> -1;
        };
    }

    /** NSAPI's number of a version: 101 for HTTP/1.1. */
    private static int nsapiNumber(String version) {
        int dot = version.indexOf('.');
        int major = version.charAt((dot < 0 ? version.length() : dot) - 1) - '0';
        return major * 100 + (dot < 0 ? 0 : version.charAt(dot + 1) - '0');
    }

    private static void number(int value, RecordText out) {
        if (value > 0) {
            out.append(value);
        }
    }

    private static void since(long end, long start, RecordText out) {
        if (end != 0 && start != 0) {
            out.append((end - start) / 1_000_000L);
        }
    }
}
