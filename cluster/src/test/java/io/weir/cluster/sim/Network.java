package io.weir.cluster.sim;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Which member hears which, one direction at a time, and how long it takes. Confined to the simulation's thread. */
final class Network {
    private final Set<String> cut = new HashSet<>();
    private final RandomGenerator chance;
    private long slowness;

    Network(RandomGenerator chance) {
        this.chance = chance;
    }

    boolean reaches(String from, String to) {
        return from.equals(to) || !cut.contains(from + ">" + to);
    }

    boolean both(String a, String b) {
        return reaches(a, b) && reaches(b, a);
    }

    void cut(String from, String to) {
        cut.add(from + ">" + to);
    }

    void heal(String from, String to) {
        cut.remove(from + ">" + to);
    }

    void isolate(String member, List<String> others) {
        for (String other : others) {
            cut(member, other);
            cut(other, member);
        }
    }

    void healAll() {
        cut.clear();
        slowness = 0;
    }

    /** Each message takes up to so long from now on. */
    void slow(long nanos) {
        slowness = nanos;
    }

    boolean slow() {
        return slowness > 0;
    }

    /** Nanoseconds that a message takes now. */
    long delay() {
        long usual = 200_000 + chance.nextLong(3 * VirtualTime.MILLI);
        return slowness == 0 ? usual : usual + chance.nextLong(slowness);
    }
}
