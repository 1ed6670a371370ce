package io.weir.lab.model;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a run may do and is held to, where that may be left out: {@code -Dmodel.off=A,B} turns some off, {@code -Dmodel.on=A}
 * turns on what still waits for a fault of the broker to be mended. Immutable.
 */
enum Feature {
    /** Client identifiers and names that are equal when they are put together. */
    COLLIDING_NAMES(true),
    /** Subscriptions are made, changed and removed while the disk is full or fails. */
    SUBSCRIPTIONS_ON_A_BAD_DISK(true),
    /** Messages of a subscription that ended never come again. */
    ENDED_SUBSCRIPTIONS(true),
    /** What was acknowledged and synced with a yes never comes again, however the disk failed. */
    SYNCS_ON_A_BAD_DISK(true),
    /** The journal's queue is so short that bulk work fills it. */
    SHORT_QUEUE(true),
    /** Bulk work of administrators. */
    JOBS(true),
    /** Bulk work that said yes is done, however the disk failed. */
    JOBS_ON_A_BAD_DISK(true),
    /** A letter that is moved is never in both places, whenever the broker dies; a run in which it is ends there. */
    WHOLE_MOVES(true),
    /** A move whose target could not be stored, but was delivered, does not come again without its flag. */
    FLAGGED_AFTER_A_FAILED_MOVE(true),
    /** What waits in a queue is marked when it is delivered beside what was just sent. */
    MARKED_WHEN_RESUMED(true),
    /** What waits for its time comes when the wall clock jumped over it. */
    JUMPS(true),
    /** Most clients tell what they pass on and wait until automatic acknowledgements are durable: version 2 of the frames. */
    TELLING_CLIENTS(true),
    /** Writes fail. */
    FAILING_WRITES(true);

    private static final Set<String> ON = names("model.on");
    private static final Set<String> OFF = names("model.off");

    private final boolean held;

    Feature(boolean held) {
        this.held = held;
    }

    private static Set<String> names(String property) {
        return Arrays.stream(System.getProperty(property, "").split(",", -1))
                .filter(n -> !n.isEmpty())
                .map(n -> Feature.valueOf(n).name())
                .collect(Collectors.toSet());
    }

    boolean isOn() {
        return (held || ON.contains(name())) && !OFF.contains(name());
    }
}
