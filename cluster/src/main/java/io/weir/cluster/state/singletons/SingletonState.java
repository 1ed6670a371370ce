package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.leases.Leases;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A singleton service and its placement. Immutable.
 *
 * <p>A member's duty follows only from this and the lease {@code singleton/NAME}:
 *
 * <ul>
 *   <li>it holds the lease, and {@link #runsOn} is true: it activates, then stays active;
 *   <li>it holds the lease, and {@link #runsOn} is false (the singleton moves, is paused, or was removed): it
 *     deactivates, then releases;
 *   <li>it does not hold the lease, the phase is {@link Phase#PLACED} on it and the lease is free: it acquires.
 * </ul>
 *
 * @param member the member on which it is placed, activating or active; null in other phases
 * @param incarnation of that member; 0 in other phases
 * @param fence of the activation, in phases ACTIVATING and ACTIVE; otherwise NONE
 * @param origin the member where this migration began with a failure or a loss: not a destination while there is
 *     another; null if nothing failed since it was last active
 * @param tried members on which it failed in this circuit
 * @param circuits number of failed circuits
 * @param preferredFailure incarnation of the preferred server on which it last failed, which prevents a fail-back until
 *     that server was restarted; 0 for none
 * @param movedAway fence of the preferred server's member lease when an operator moved the singleton elsewhere:
 *     prevents a fail-back while that server holds the same lease; NONE if not moved
 * @param reason why it is in this phase, for display
 * @param version index of the last change, used by conditional commands
 * @param activationNanos duration of the last activation, by its member's clock
 */
public record SingletonState(
        SingletonSpec spec,
        Phase phase,
        @Nullable String member,
        long incarnation,
        Fence fence,
        @Nullable String origin,
        SortedSet<String> tried,
        int circuits,
        long preferredFailure,
        Fence movedAway,
        String reason,
        long version,
        long activationNanos) {
    /** Upper bound of the doubled pause, unless the configured one is longer. */
    public static final long LONGEST_PAUSE_MILLIS = 3_600_000;

    static final SortedSet<String> NO_MEMBERS = Collections.unmodifiableSortedSet(new TreeSet<>());

    public SingletonState {
        tried = Collections.unmodifiableSortedSet(new TreeSet<>(tried));
        reason = reason.length() <= StateLimits.REASON ? reason : reason.substring(0, StateLimits.REASON);
    }

    public String name() {
        return spec.name();
    }

    public String lease() {
        return Leases.ofSingleton(spec.name());
    }

    /** Its phase and member for display: {@code active on a}. */
    public String place() {
        String text = phase.name().toLowerCase(Locale.ROOT);
        return member == null ? text : text + " on " + member;
    }

    /** Whether it should be active on this member with this fence; otherwise the member deactivates it. */
    public boolean runsOn(String onMember, Fence withFence) {
        return running() && onMember.equals(member) && fence.equals(withFence);
    }

    /** Whether it is activating or active. */
    public boolean running() {
        return phase == Phase.ACTIVATING || phase == Phase.ACTIVE;
    }

    /** Whether it waits for this incarnation of the member to acquire the lease. */
    public boolean placedOn(String onMember, long incarnationOfMember) {
        return phase == Phase.PLACED && onMember.equals(member) && incarnation == incarnationOfMember;
    }

    /**
     * The pause before the next circuit in milliseconds: the configured one, doubled with each circuit, up to an hour
     * or the configured one.
     */
    public long pauseMillis() {
        long cap = Math.max(LONGEST_PAUSE_MILLIS, spec.pauseMillis());
        long pause = spec.pauseMillis();
        for (int i = 1; i < circuits && pause < cap; i++) {
            pause *= 2;
        }
        return Math.min(pause, cap);
    }

    /** Not placed: in a phase other than PLACED, ACTIVATING and ACTIVE. */
    SingletonState nowhere(Phase next, String why) {
        return at(next, null, 0, Fence.NONE, why, 0);
    }

    SingletonState placed(String on, long incarnationOfMember, String why) {
        SingletonState next = at(Phase.PLACED, on, incarnationOfMember, Fence.NONE, why, 0);
        return on.equals(spec.preferred()) ? next.movedAway(Fence.NONE) : next;
    }

    SingletonState activating(Fence with) {
        return at(Phase.ACTIVATING, member, incarnation, with, reason, 0);
    }

    SingletonState active(long nanos) {
        return at(Phase.ACTIVE, member, incarnation, fence, reason, nanos)
                .remembering(null, NO_MEMBERS, 0, preferredFailure);
    }

    /** A copy with another record of failures. */
    SingletonState remembering(
            @Nullable String from, SortedSet<String> failed, int failedCircuits, long preferredFailed) {
        return recalling(from, failed, failedCircuits, preferredFailed, movedAway);
    }

    /** A copy that records an operator's move away from its preferred server, whose member lease has this fence. */
    SingletonState movedAway(Fence preferred) {
        return recalling(origin, tried, circuits, preferredFailure, preferred);
    }

    /** A copy without recorded failures. */
    public SingletonState fresh() {
        return remembering(null, NO_MEMBERS, 0, 0);
    }

    public SingletonState specified(SingletonSpec by) {
        return of(by, version);
    }

    SingletonState versioned(long index) {
        return of(spec, index);
    }

    /** A copy on another member or in another phase. */
    private SingletonState at(
            Phase next, @Nullable String on, long incarnationOfMember, Fence with, String why, long nanos) {
        return new SingletonState(
                spec,
                next,
                on,
                incarnationOfMember,
                with,
                origin,
                tried,
                circuits,
                preferredFailure,
                movedAway,
                why,
                version,
                nanos);
    }

    /** A copy with another record of failures and moves. */
    private SingletonState recalling(
            @Nullable String from, SortedSet<String> failed, int failedCircuits, long preferredFailed, Fence away) {
        return new SingletonState(
                spec,
                phase,
                member,
                incarnation,
                fence,
                from,
                failed,
                failedCircuits,
                preferredFailed,
                away,
                reason,
                version,
                activationNanos);
    }

    private SingletonState of(SingletonSpec by, long index) {
        return new SingletonState(
                by,
                phase,
                member,
                incarnation,
                fence,
                origin,
                tried,
                circuits,
                preferredFailure,
                movedAway,
                reason,
                index,
                activationNanos);
    }
}
