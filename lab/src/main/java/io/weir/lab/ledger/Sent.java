package io.weir.lab.ledger;

/**
 * A message that a producer tried to send. Immutable.
 *
 * @param number ascending for each producer, from 0
 */
public record Sent(String producer, long number, String destination, Work work) {
    /** The id that the message carries. */
    public String id() {
        return producer + "/" + number;
    }
}
