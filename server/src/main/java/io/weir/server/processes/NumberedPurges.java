package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.purges.Purge;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.server.siblings.ProcessCaches;
import io.weir.server.siblings.PurgeLetter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The purges of this server, numbered, so that a process can tell whether another one has applied what it has applied
 * itself. Each worker gets them in their order, one letter at a time; one that starts gets those that its predecessor, whose
 * folder of the disk tier it has, may have missed. Confined to the supervisor's loop; lives as long as the supervisor.
 */
final class NumberedPurges {
    /** Within this time the disk tier has forced what was purged: of a worker that is killed before, it may be back. */
    private static final Duration FORCED = Duration.ofSeconds(5);

    private final Clock clock;
    private final long id = new SecureRandom().nextLong() | 1;
    private final Deque<Entry> kept = new ArrayDeque<>();
    private final Map<Worker, Follower> followers = new LinkedHashMap<>();
    /** What the folder of a number has followed, while it has no worker. */
    private final Map<Integer, Long> folders = new HashMap<>();

    private final List<Wait> waits = new ArrayList<>();
    private long last;
    private long floor;
    private int characters;

    private record Entry(Purge purge, long nanos) {}

    private record Wait(long number, CompletableFuture<Boolean> done) {}

    /** A worker. */
    private static final class Follower {
        private long at;
        private boolean unanswered;
        /** It has answered: it knows these letters, and may have something in its cache. */
        private boolean follows;

        Follower(long at) {
            this.at = at;
        }
    }

    NumberedPurges(Clock clock) {
        this.clock = clock;
    }

    void linked(Worker w) {
        long at = followers.entrySet().stream()
                .filter(e -> e.getKey().slot() == w.slot())
                .mapToLong(e -> e.getValue().at)
                .min()
                .orElse(folders.getOrDefault(w.slot(), 0L));
        Follower f = new Follower(at);
        followers.put(w, f);
        send(w, f);
    }

    /** Adds a purge; done when all have applied it. Given up when it is done otherwise. */
    void purge(String url, CompletableFuture<Boolean> done) {
        last++;
        kept.add(new Entry(new Purge(last, url), clock.nanos()));
        characters += url.length();
        while (kept.size() > StateLimits.PURGES || characters > StateLimits.PURGE_CHARS) {
            Entry oldest = kept.remove();
            floor = oldest.purge().number();
            characters -= oldest.purge().url().length();
        }
        followers.forEach(this::next);
        waits.removeIf(w -> w.done().isDone());
        waits.add(new Wait(last, done));
        check();
    }

    /** A worker has applied all up to there: {@code LOG NUMBER WHOLE}. */
    void done(Worker w, String text) {
        Follower f = followers.get(w);
        String[] words = text.split(" ", -1);
        if (f == null || words.length < 2 || !words[1].matches("\\d{1,18}")) {
            return;
        }
        f.at = Math.max(f.at, Math.min(last, Long.parseLong(words[1])));
        f.unanswered = false;
        f.follows = true;
        next(w, f);
        check();
    }

    void exited(Worker w) {
        Follower f = followers.remove(w);
        if (f != null) {
            folders.put(w.slot(), Math.min(f.at, forced()));
        }
        check();
    }

    /** The latest purge that is certainly on the disks of those that have applied it. */
    private long forced() {
        long now = clock.nanos();
        return kept.stream()
                .filter(e -> now - e.nanos() <= FORCED.toNanos())
                .mapToLong(e -> e.purge().number() - 1)
                .findFirst()
                .orElse(last);
    }

    private void next(Worker w, Follower f) {
        if (!f.unanswered && f.at < last) {
            send(w, f);
        }
    }

    private void send(Worker w, Follower f) {
        f.unanswered = true;
        PurgePosition at = last == 0 ? PurgePosition.NONE : new PurgePosition(id, f.at);
        w.order(Orders.FROM + " " + ProcessCaches.SUPERVISOR + " " + PurgeLetter.of(PurgeLetter.SERVER, log(), at));
    }

    private PurgeLog log() {
        return new PurgeLog(
                id,
                last,
                floor,
                kept.stream().map(Entry::purge).toList(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap());
    }

    private void check() {
        waits.removeIf(w -> {
            boolean all = followers.values().stream().allMatch(f -> !f.follows || f.at >= w.number());
            if (all) {
                w.done().complete(true);
            }
            return w.done().isDone();
        });
    }

    /** The numbers of the workers that have not applied the latest. */
    List<Integer> behind() {
        return followers.entrySet().stream()
                .filter(e -> e.getValue().follows && e.getValue().at < last)
                .map(e -> e.getKey().slot())
                .distinct()
                .sorted()
                .toList();
    }
}
