package io.weir.lab.ledger;

/**
 * A message that somebody tried to send. Immutable.
 *
 * @param number ascending for each producer, from 0
 */
public record Sent(String producer, long number, String destination, Work work) {
    /** What the message carries, so that its receiver can name it. */
    public String id() {
        return producer + "/" + number;
    }
}
