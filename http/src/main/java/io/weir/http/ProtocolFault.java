package io.weir.http;

/**
 * A refused message. Immutable; made once per refusal, never on a path that succeeds.
 *
 * @param reason what was wrong, and under which label it is counted
 * @param status what the client is answered: the reason's own on requests, 502 on responses
 * @param detail one sentence for the log; holds no bytes of the message
 */
public record ProtocolFault(Fault reason, int status, String detail) {
    static ProtocolFault of(Fault reason, Side side) {
        return new ProtocolFault(reason, side == Side.REQUEST ? reason.status() : 502, reason.text());
    }

    /** Whether the connection must be closed after the answer. */
    public boolean closes() {
        return reason.closes();
    }
}
