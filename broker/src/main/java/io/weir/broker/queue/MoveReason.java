package io.weir.broker.queue;

/** Why a message is moved; a property of its copy contains the text. */
public enum MoveReason {
    REDELIVERY_LIMIT("redelivery-limit"),
    EXPIRED("expired"),
    /** By an administrator. */
    MOVED("moved");

    public final String text;

    MoveReason(String text) {
        this.text = text;
    }
}
