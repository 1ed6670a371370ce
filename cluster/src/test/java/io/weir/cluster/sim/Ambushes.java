package io.weir.cluster.sim;

import io.weir.cluster.state.CommandCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Faults that wait for the worst moment: just after a member asked for something, just before it hears the answer, between
 * two steps of a service. Confined to the simulation's thread.
 */
final class Ambushes {
    /** A moment. */
    enum Moment {
        /** A command has left the member. */
        SUBMITTED,
        /** An entry is about to be applied there. */
        APPLYING,
        ACTIVATE_CALLED,
        ACTIVATE_RETURNED,
        DEACTIVATE_CALLED,
        /** A service's own thread is about to work. */
        WORK
    }

    private record Ambush(String who, Moment moment, String what, Consumer<String> strike) {}

    private final List<Ambush> laid = new ArrayList<>();

    /**
     * At the next such moment.
     *
     * @param who the member; empty for any
     * @param what part of the command's name; empty for any
     * @param strike is told the member
     */
    void lay(String who, Moment moment, String what, Consumer<String> strike) {
        laid.add(new Ambush(who, moment, what, strike));
    }

    void clear() {
        laid.clear();
    }

    /** What an entry is called. */
    static String named(byte[] command) {
        return CommandCodec.decode(command).command().getClass().getSimpleName();
    }

    boolean none() {
        return laid.isEmpty();
    }

    /** The moment is there. */
    void at(String who, Moment moment, String what) {
        for (Ambush a : List.copyOf(laid)) {
            boolean here = a.who().isEmpty() || a.who().equals(who);
            if (here && a.moment() == moment && what.contains(a.what())) {
                laid.remove(a);
                a.strike().accept(who);
            }
        }
    }
}
