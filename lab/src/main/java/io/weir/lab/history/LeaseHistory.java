package io.weir.lab.history;

import io.weir.lab.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One lease as observed from outside: by the processes that held it (when they may have requested it, when they were
 * activated, when they released it), by the resources that they used with it, and by observers that read its holder. It
 * does not depend on the code that decides about leases. Shared by all that record: its methods are synchronized,
 * because a test run has no hot path.
 *
 * <p>All times are nanoseconds of one monotonic clock. Processes of one machine have one: the JVM's is CLOCK_MONOTONIC
 * of Linux, which counts from the machine's start in every process, whatever the wall clocks say, and network
 * namespaces do not change it (a time namespace would). It need not be believed: {@link #clock} checks another
 * process's time against two of one's own, taken before and after it, and a clock that is off by more than a message
 * takes is a violation. Between machines such a history would say nothing.
 */
public final class LeaseHistory {
    private static final String LEASE = "lease";

    /** The release of the lease by a process. */
    private record LetGo(long at, long remaining) {}

    private final List<Operation> operations = new ArrayList<>();
    private final TreeMap<Long, Long> activated = new TreeMap<>();
    private final Map<Long, LetGo> letGo = new HashMap<>();
    private final Set<Long> excused = new HashSet<>();
    private final Set<Long> toldFences = new HashSet<>();
    private @Nullable String fault;

    /**
     * A process was activated with a fence.
     *
     * @param process a number for the reporting process
     * @param asked since when it may have requested the lease: its previous release, or its process's start
     * @param at when its activation was called: by then it held the lease
     */
    public synchronized void acquired(long process, long fence, long asked, long at) {
        if (!toldFences.add(fence)) {
            fault("the fence " + fence + " was given twice");
        }
        activated.put(fence, at);
        operations.add(new Operation(process, LEASE, "acquire", 0, Outcome.OK, fence, asked, at));
    }

    /**
     * Records that a process was told to release the lease: from then on it starts nothing new.
     *
     * @param at when its deactivation was called
     * @param remaining nanoseconds that remained of its lease then, by its own member's clock
     */
    public synchronized void letGo(long fence, long at, long remaining) {
        letGo.put(fence, new LetGo(at, remaining));
    }

    /** Whether a process with this fence has reported its release. */
    public synchronized boolean hasLetGo(long fence) {
        return letGo.containsKey(fence);
    }

    /** Nanoseconds that remained of the lease when its holder was told to release it. */
    public synchronized long remaining(long fence) {
        LetGo l = letGo.get(fence);
        if (l == null) {
            throw new IllegalStateException("no release is known of " + fence);
        }
        return l.remaining();
    }

    /**
     * Records that the process with this fence was stopped: it releases the lease when it wakes, however late that is.
     */
    public synchronized void excuse(long fence) {
        excused.add(fence);
    }

    /** Records that the guarded resource accepted a fence, or refused it as old, at this moment. */
    public synchronized void used(long process, long fence, boolean taken, long at) {
        operations.add(new Operation(process, LEASE, "use", fence, Outcome.OK, taken ? 1L : 0L, at, at));
    }

    /** Records that an observer read it: the fence in force, or 0 if it is free. */
    public synchronized void read(long process, long fence, long called, long returned) {
        operations.add(new Operation(process, LEASE, "read", 0, Outcome.OK, fence, called, returned));
    }

    /** Records that another process read its clock after one moment of this one and before another. */
    public synchronized void clock(long after, long its, long before) {
        if (its < after || its > before) {
            fault("the processes' clocks differ: " + its + " is not from " + after + " to " + before);
        }
    }

    private void fault(String what) {
        if (fault == null) {
            fault = what;
        }
    }

    /** Whether it would be a violation if an observer also read that. */
    public synchronized boolean refuses(long fence, long called, long returned) {
        read(-1, fence, called, returned);
        boolean refused = violation().isPresent();
        operations.removeLast();
        return refused;
    }

    /** The number of reads. */
    public synchronized long reads() {
        return operations.stream().filter(o -> o.action().equals("read")).count();
    }

    /** The violation that no lease could have shown, if any. */
    public synchronized Optional<String> violation() {
        return Optional.ofNullable(fault)
                .or(this::overlap)
                .or(() -> Linearizability.violation(new FencedLease(true), all()));
    }

    /** A holder must be told to release the lease before the next one is activated. */
    private Optional<String> overlap() {
        for (Map.Entry<Long, LetGo> e : letGo.entrySet()) {
            long fence = e.getKey();
            LetGo l = e.getValue();
            Map.Entry<Long, Long> next = activated.higherEntry(fence);
            if (!excused.contains(fence) && next != null && next.getValue() < l.at()) {
                return Optional.of("two held it: the holder of " + fence + " was told to release it at " + l.at()
                        + ", that of " + next.getKey() + " was activated at " + next.getValue());
            }
        }
        return Optional.empty();
    }

    /**
     * All operations, including acquisitions known only from reads, such as those of a process that died before it
     * recorded them.
     */
    private List<Operation> all() {
        List<Operation> all = new ArrayList<>(operations);
        Set<Long> known = new HashSet<>(toldFences);
        known.add(0L);
        for (Operation o : operations) {
            if (o.action().equals("read") && known.add(o.answer())) {
                all.add(new Operation(-1, LEASE, "acquire", 0, Outcome.OK, o.answer(), Long.MIN_VALUE, Long.MAX_VALUE));
            }
        }
        return all;
    }
}
