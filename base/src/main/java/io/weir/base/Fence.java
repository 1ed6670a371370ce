package io.weir.base;

/**
 * A fencing token: an epoch and a counter, totally ordered. Each acquisition of a lease gets a higher fence than all
 * before; a resource protected by the lease (a journal, a naming tree, a table of timers) rejects a fence older than
 * the highest one seen, so that a former owner cannot write after its successor has. Immutable.
 *
 * @param epoch increases with the basis of leasing
 * @param counter increases with every lease within an epoch
 */
public record Fence(long epoch, long counter) implements Comparable<Fence> {
    /** No fence: always accepted. */
    public static final Fence NONE = new Fence(0, 0);

    public Fence {
        if (epoch < 0 || counter < 0) {
            throw new IllegalArgumentException("a fence must not be negative: " + epoch + "." + counter);
        }
    }

    @Override
    public int compareTo(Fence other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(counter, other.counter);
    }

    @Override
    public String toString() {
        return epoch + "." + counter;
    }
}
