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
 * A singleton service and where it is. Immutable.
 *
 * <p>What a member does follows from this and the lease {@code singleton/NAME} alone:
 *
 * <ul>
 *   <li>it has the lease, and {@link #runsOn} says so: it activates, then stays active;
 *   <li>it has the lease, and {@link #runsOn} does not (the singleton moves, is paused, or is gone): it deactivates,
 * then       releases;
 *   <li>it has not the lease, the phase is {@link Phase#PLACED} on it and the lease is free: it acquires.
 * </ul>
 *
 * @param member the one it is placed, being activated or active on; null in other phases
 * @param incarnation of that member; 0 in other phases
 * @param fence of the activation, in phases ACTIVATING and ACTIVE; else NONE
 * @param origin where this migration began by a failure or a loss: no destination of it as long as there is another;
 * null     when nothing failed since it was last active
 * @param tried members that failed in this circuit
 * @param circuits circuits that failed everywhere
 * @param preferredFailure incarnation of the preferred server on which it failed last, so that no fail-back goes there
 * until     that was restarted; 0 for none
 * @param movedAway fence of the preferred server's own lease when an operator moved it elsewhere: no fail-back goes
 * there while     that server holds this very lease; NONE if not moved
 * @param reason why it is in this phase, for people
 * @param version index of the last change: a conditional command names it
 * @param activationNanos how long the last activation took, by its member's clock
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
    /** The longest pause that doubling comes to, unless the configured one is longer. */
    public static final long LONGEST_PAUSE_MILLIS = 3_600_000;

    static final SortedSet<String> NOBODY = Collections.unmodifiableSortedSet(new TreeSet<>());

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

    /** Its phase and member, as a person says it: {@code active on a}. */
    public String place() {
        String said = phase.name().toLowerCase(Locale.ROOT);
        return member == null ? said : said + " on " + member;
    }

    /** Whether it is to be active on this member with this fence; else the member lets go of it. */
    public boolean runsOn(String onMember, Fence withFence) {
        return running() && onMember.equals(member) && fence.equals(withFence);
    }

    /** Being activated, or active. */
    public boolean running() {
        return phase == Phase.ACTIVATING || phase == Phase.ACTIVE;
    }

    /** Whether it waits for this member, in this life, to take the lease. */
    public boolean placedOn(String onMember, long incarnationOfMember) {
        return phase == Phase.PLACED && onMember.equals(member) && incarnation == incarnationOfMember;
    }

    /**
     * How long the pause is that precedes the next circuit, in milliseconds: the configured one, doubled with each
     * circuit, up to an hour or the configured one.
     */
    public long pauseMillis() {
        long cap = Math.max(LONGEST_PAUSE_MILLIS, spec.pauseMillis());
        long pause = spec.pauseMillis();
        for (int i = 1; i < circuits && pause < cap; i++) {
            pause *= 2;
        }
        return Math.min(pause, cap);
    }

    /** Not placed anywhere: in another phase than PLACED, ACTIVATING and ACTIVE. */
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
                .remembering(null, NOBODY, 0, preferredFailure);
    }

    /** With another memory of what failed. */
    SingletonState remembering(
            @Nullable String from, SortedSet<String> failed, int failedCircuits, long preferredFailed) {
        return recalling(from, failed, failedCircuits, preferredFailed, movedAway);
    }

    /** An operator moves it away from its preferred server, whose own lease has this fence. */
    SingletonState movedAway(Fence preferred) {
        return recalling(origin, tried, circuits, preferredFailure, preferred);
    }

    /** As if nothing had ever failed. */
    public SingletonState fresh() {
        return remembering(null, NOBODY, 0, 0);
    }

    public SingletonState specified(SingletonSpec by) {
        return of(by, version);
    }

    SingletonState versioned(long index) {
        return of(spec, index);
    }

    /** Elsewhere, or in another phase. */
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

    /** Where and what it is, with another memory. */
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
