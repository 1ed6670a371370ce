package io.weir.server.admin;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Views that wait for the admin loop. The first is built at once; then one after the other, and between two of them the
 * loop polls its sockets: however many are requested, cheap requests are answered in between. Those of authenticated
 * clients come first; shared ones and those of clients with one request take turns, so that neither kind, however often
 * it is requested, keeps the other waiting; clients with several requests come last. A shared view is built once for all
 * that wait for it. Each connection has at most one here; those of abandoned connections are skipped. Confined to the
 * loop; lives as long as its listener.
 */
final class ViewQueue {
    private static final long PAUSE_MILLIS = 1;

    /** Maximum number of entries of closed connections. */
    private static final int LEFT = 256;

    private final Map<String, Round> shared = new LinkedHashMap<>();
    private final Map<Rank, ArrayDeque<Waiting>> others = new EnumMap<>(Rank.class);
    private int length;
    private int sweepAt = LEFT;
    private boolean pausing;
    private boolean sharedBefore;

    ViewQueue() {
        for (Rank rank : Rank.values()) {
            others.put(rank, new ArrayDeque<>());
        }
    }

    /** Whose view it is, in the order in which they are built. */
    enum Rank {
        /** An authenticated client's. */
        KNOWN,
        /** A client's that waits for nothing else. */
        SINGLE,
        /** A client's that sent more requests without reading the answers. */
        STAYING
    }

    private record Waiting(BooleanSupplier wanted, Runnable view) {}

    private record Requester(BooleanSupplier wanted, Consumer<AdminAnswer> done) {}

    /** The requesters that wait for the same view. */
    private record Round(Supplier<AdminAnswer> view, List<Requester> requesters) {}

    /**
     * Builds a view, now or when its turn comes.
     *
     * @param wanted whether the requester still waits for it
     */
    void build(EventExecutor loop, Rank rank, BooleanSupplier wanted, Runnable view) {
        if (pausing) {
            waiting(rank).add(new Waiting(wanted, view));
            added();
            return;
        }
        pause(loop);
        view.run();
    }

    /**
     * Builds a view, now or when its turn comes, for all that request it until then.
     *
     * @param key equal for the same view
     * @param wanted whether this requester still waits for it
     * @param done receives it
     */
    void share(
            EventExecutor loop,
            String key,
            BooleanSupplier wanted,
            Supplier<AdminAnswer> view,
            Consumer<AdminAnswer> done) {
        if (pausing) {
            shared.computeIfAbsent(key, _ -> new Round(view, new ArrayList<>()))
                    .requesters()
                    .add(new Requester(wanted, done));
            added();
            return;
        }
        pause(loop);
        done.accept(view.get());
    }

    private void added() {
        length++;
        if (length >= sweepAt) {
            others.values().forEach(q -> q.removeIf(w -> !w.wanted().getAsBoolean()));
            shared.values()
                    .forEach(r -> r.requesters().removeIf(a -> !a.wanted().getAsBoolean()));
            length = others.values().stream().mapToInt(ArrayDeque::size).sum()
                    + shared.values().stream()
                            .mapToInt(r -> r.requesters().size())
                            .sum();
            sweepAt = length + LEFT;
        }
    }

    private void pause(EventExecutor loop) {
        pausing = true;
        var _ = loop.schedule(() -> next(loop), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void next(EventExecutor loop) {
        pausing = false;
        Runnable next = wanted(Rank.KNOWN);
        if (next == null && sharedBefore) {
            next = wanted(Rank.SINGLE);
        }
        sharedBefore = false;
        if (next == null) {
            next = round();
            sharedBefore = next != null;
        }
        if (next == null) {
            next = wanted(Rank.SINGLE);
        }
        if (next == null) {
            next = wanted(Rank.STAYING);
        }
        if (next != null) {
            pause(loop);
            next.run();
        }
    }

    /** The oldest round that a requester still waits for; null if there is none. */
    private @Nullable Runnable round() {
        for (Iterator<Round> all = shared.values().iterator(); all.hasNext(); ) {
            Round next = all.next();
            all.remove();
            length -= next.requesters().size();
            if (next.requesters().stream().anyMatch(a -> a.wanted().getAsBoolean())) {
                return () -> answer(next);
            }
        }
        return null;
    }

    private static void answer(Round round) {
        AdminAnswer answer = round.view().get();
        for (Requester each : round.requesters()) {
            if (each.wanted().getAsBoolean()) {
                each.done().accept(answer);
            }
        }
    }

    private @Nullable Runnable wanted(Rank rank) {
        ArrayDeque<Waiting> all = waiting(rank);
        while (!all.isEmpty()) {
            Waiting next = all.remove();
            length--;
            if (next.wanted().getAsBoolean()) {
                return next.view();
            }
        }
        return null;
    }

    private ArrayDeque<Waiting> waiting(Rank rank) {
        return Objects.requireNonNull(others.get(rank));
    }

    int length() {
        return length;
    }
}
