package io.weir.http;

/**
 * A rejected message. Immutable; created once per rejection, never on a successful path.
 *
 * @param reason what is wrong, and under which label it is counted
 * @param status the status sent to the client: the reason's own for requests, 502 for responses
 * @param detail one sentence for the log; contains no bytes of the message
 */
public record ProtocolFault(Fault reason, int status, String detail) {
    static ProtocolFault of(Fault reason, Side side) {
        return new ProtocolFault(reason, side == Side.REQUEST ? reason.status() : 502, reason.text());
    }

    /** Whether the connection must be closed after the response. */
    public boolean closes() {
        return reason.closes();
    }
}
