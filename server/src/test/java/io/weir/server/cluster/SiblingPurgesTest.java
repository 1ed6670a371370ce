package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.SteppedClock;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.log.Loop;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.purge.PurgedCache;
import io.weir.cluster.state.purges.Purge;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.server.siblings.OwnPurges;
import io.weir.server.siblings.PurgeLetter;
import io.weir.server.start.Post;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A number is reported when all processes have applied the purge, whichever of them dies, hangs or starts when. */
class SiblingPurgesTest {
    private static final int RUNS = 400;
    private static final int STEPS = 250;
    private static final int KEPT = 4;
    private static final List<String> URLS = List.of("http://x/a", "http://x/b*?", "http://x/c d%2A");

    /** What a folder has, and up to which purge. */
    private record Disk(Map<String, Long> objects, PurgePosition mark) {
        static final Disk EMPTY = new Disk(Map.of(), PurgePosition.NONE);
    }

    /** A member with its supervisor and its processes. What is stored is the number of the purge before it was fetched. */
    private static final class Member {
        private final RandomGenerator random;
        private final int slots;
        private final Map<Long, Running> living = new LinkedHashMap<>();
        private final Map<Integer, Disk> disks = new HashMap<>();
        private final List<Purge> purges = new ArrayList<>();
        private long pids = 100;
        private @Nullable Running asker;
        private String question = "";
        private long last;
        /** What the cluster was told. */
        private long reported;

        Member(long seed, int slots) {
            this.slots = slots;
            this.random = Chance.seeded(seed).random();
        }

        private PurgeLog log() {
            int drop = Math.max(0, purges.size() - KEPT);
            return new PurgeLog(
                    last == 0 ? 0 : 7,
                    last,
                    drop == 0 ? 0 : purges.get(drop - 1).number(),
                    List.copyOf(purges.subList(drop, purges.size())),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap());
        }

        /** The latest purge of a URL up to a number. */
        private long purged(String url, long upTo) {
            return purges.stream()
                    .filter(p -> p.number() <= upTo && (p.all() || p.url().equals(url)))
                    .mapToLong(Purge::number)
                    .max()
                    .orElse(0);
        }

        private void start(int slot) {
            Running r = new Running(this, slot, pids++);
            living.put(r.pid, r);
            tell();
        }

        private void kill(Running r) {
            // what it has sent arrives
            while (!r.sent.isEmpty()) {
                heard(r, r.sent.remove());
            }
            living.remove(r.pid);
            tell();
        }

        /** As the supervisor does. */
        private void heard(Running from, String line) {
            String[] words = line.split(" ", 3);
            if (words[0].equals("others")) {
                asker = from;
                question = words[1];
                tell();
            } else {
                Running to = living.get(Long.parseLong(words[1]));
                if (to != null) {
                    to.orders.add("from " + from.pid + " " + words[2]);
                }
            }
        }

        private void tell() {
            Running to = asker;
            if (to != null) {
                to.orders.add("others " + question + " "
                        + living.keySet().stream()
                                .filter(p -> p != to.pid)
                                .map(String::valueOf)
                                .collect(Collectors.joining(",")));
            }
        }

        private @Nullable Running first() {
            return living.values().stream().filter(r -> r.slot == 1).findFirst().orElse(null);
        }

        private Running any() {
            List<Running> all = List.copyOf(living.values());
            return all.get(random.nextInt(all.size()));
        }

        private void purge(String url) {
            last++;
            purges.add(new Purge(last, url));
        }

        private void step() {
            String url = URLS.get(random.nextInt(URLS.size()));
            switch (random.nextInt(12)) {
                case 0 -> purge(random.nextInt(8) == 0 ? "" : url);
                case 1 -> any().fetch(url, last);
                case 2 -> any().force();
                case 3 -> {
                    if (random.nextInt(6) == 0) {
                        kill(any());
                    }
                }
                case 4 -> any().stopped = random.nextBoolean();
                case 5 -> {
                    Running first = first();
                    if (first != null) {
                        first.follow();
                    }
                }
                default -> any().turn();
            }
            fill();
            check();
        }

        private void fill() {
            for (int slot = 1; slot <= slots; slot++) {
                int of = slot;
                if (living.values().stream().noneMatch(r -> r.slot == of)) {
                    start(slot);
                }
            }
        }

        /** No process answers with what was purged before the number that was reported. */
        private void check() {
            for (Running r : living.values()) {
                for (String url : URLS) {
                    Long found = r.find(url);
                    if (found != null) {
                        assertThat(found).as("%s at %s", url, r.pid).isGreaterThanOrEqualTo(purged(url, reported));
                    }
                }
            }
        }

        /** Everybody does what there is to do. */
        private void settle() {
            Running first = first();
            if (first != null && !first.stopped) {
                first.follow();
            }
            boolean more = true;
            while (more) {
                more = false;
                for (Running r : List.copyOf(living.values())) {
                    more |= r.turn();
                }
            }
            check();
        }
    }

    /** One process, with its cache. */
    private static final class Running implements PurgedCache, Loop {
        private final Member member;
        private final int slot;
        private final long pid;
        private final Queue<String> sent = new ArrayDeque<>();
        private final Queue<String> orders = new ArrayDeque<>();
        private final Post post = new Post(sent::add);
        private final Map<String, Long> memory = new HashMap<>();
        private final Map<String, Long> disk;
        private int emptied;
        private @Nullable SiblingPurges siblings;
        private PurgePosition position;
        private boolean held = true;
        private boolean stopped;

        Running(Member member, int slot, long pid) {
            this.member = member;
            this.slot = slot;
            this.pid = pid;
            Disk kept = member.disks.getOrDefault(slot, Disk.EMPTY);
            this.disk = new HashMap<>(kept.objects());
            this.position = kept.mark();
            new OwnPurges(PurgeLetter.CLUSTER, this, post, ImmediateEventExecutor.INSTANCE, (_, _) -> emptied++);
        }

        private @Nullable Long find(String url) {
            Long found = memory.get(url);
            return found != null || held ? found : disk.get(url);
        }

        private void fetch(String url, long now) {
            if (!stopped) {
                memory.put(url, now);
                disk.put(url, now);
            }
        }

        /** What it has on its disk survives a kill from now on. */
        private void force() {
            member.disks.put(slot, new Disk(Map.copyOf(disk), position));
        }

        /** Sends or reads one line. */
        private boolean turn() {
            if (stopped) {
                return false;
            }
            if (!sent.isEmpty()) {
                member.heard(this, sent.remove());
                return true;
            }
            String order = orders.poll();
            if (order == null) {
                return false;
            }
            String rest = order.substring(order.indexOf(' ') + 1);
            if (order.startsWith("from")) {
                post.arrived(rest);
            } else {
                post.others(rest);
            }
            return true;
        }

        /** The member's part: what PurgeFollower does once the cluster has confirmed its state. */
        private void follow() {
            if (stopped) {
                return;
            }
            PurgeLog log = member.log();
            List<Purge> missed = log.missed(position.log(), position.number());
            if (missed == null) {
                purgeAll();
            } else {
                missed.forEach(p -> {
                    if (p.all()) {
                        purgeAll();
                    } else {
                        purge(p.url());
                    }
                });
            }
            reached(new PurgePosition(log.id(), log.last()));
            held = false;
            SiblingPurges s = siblings;
            if (s == null) {
                s = new SiblingPurges(post, this);
                s.start(this::report);
                siblings = s;
            }
            s.follow(log);
        }

        private void report() {
            SiblingPurges s = siblings;
            if (s != null) {
                PurgePosition least = s.least(position);
                member.reported = Math.max(member.reported, least.number());
            }
        }

        @Override
        public PurgePosition position() {
            return position;
        }

        @Override
        public void purge(String url) {
            assertThat(URLS).contains(url);
            memory.remove(url);
            disk.remove(url);
        }

        @Override
        public void purgeAll() {
            memory.clear();
            disk.clear();
        }

        @Override
        public void reached(PurgePosition to) {
            position = to;
        }

        @Override
        public void current() {
            held = false;
        }

        @Override
        public Clock clock() {
            return new SteppedClock(0);
        }

        @Override
        public Chance chance() {
            return Chance.seeded(1);
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Cancellable after(long nanos, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean here() {
            return true;
        }
    }

    private static Member member(long seed, int slots) {
        Member m = new Member(seed, slots);
        m.fill();
        m.settle();
        return m;
    }

    @Test
    void noProcessAnswersWithWhatWasPurgedBeforeTheReportWhoeverDiesOrHangs() {
        for (int seed = 0; seed < RUNS; seed++) {
            Member m = member(seed, 2 + seed % 2);
            for (int i = 0; i < STEPS; i++) {
                m.step();
            }
            m.living.values().forEach(r -> r.stopped = false);
            m.settle();
            assertThat(m.reported).as("seed %s", seed).isEqualTo(m.last);
            assertThat(m.living.values()).as("seed %s", seed).allMatch(r -> !r.held);
        }
    }

    @Test
    void whoHangsKeepsTheNumberBackWithOneLetterInFrontOfIt() {
        Member m = member(1, 3);
        Running third =
                m.living.values().stream().filter(r -> r.slot == 3).findFirst().orElseThrow();
        third.stopped = true;
        for (int i = 0; i < 50; i++) {
            m.purge(URLS.getFirst());
            m.settle();
        }
        assertThat(m.reported).isZero();
        assertThat(third.orders).hasSize(1);
        m.kill(third);
        m.fill();
        m.settle();
        assertThat(m.reported).isEqualTo(50);
    }

    @Test
    void whoMissedMoreThanIsKeptEmptiesItsCacheBeforeItUsesItsDisk() {
        Member m = member(2, 3);
        Running second =
                m.living.values().stream().filter(r -> r.slot == 2).findFirst().orElseThrow();
        m.purge(URLS.getFirst());
        m.settle();
        second.fetch(URLS.get(1), m.last);
        second.force();
        m.kill(second);
        for (int i = 0; i <= KEPT; i++) {
            m.purge(URLS.getFirst());
        }
        m.fill();
        Running next =
                m.living.values().stream().filter(r -> r.slot == 2).findFirst().orElseThrow();
        assertThat(next.disk).isNotEmpty();
        assertThat(next.held).isTrue();
        m.settle();
        assertThat(next.disk).isEmpty();
        assertThat(next.held).isFalse();
        assertThat(next.emptied).isEqualTo(1);
    }

    @Test
    void manyPurgesAreSentInSeveralLetters() {
        List<Purge> kept = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            kept.add(new Purge(i, "http://x/" + "a".repeat(8_000)));
        }
        PurgeLog log = new PurgeLog(7, 20, 0, kept, Collections.emptySortedMap(), Collections.emptySortedMap());
        String first = PurgeLetter.of(PurgeLetter.CLUSTER, log, PurgePosition.NONE);
        assertThat(first).startsWith("purge 7 7 part http").hasSizeLessThan(Post.LONGEST);
        assertThat(PurgeLetter.of(PurgeLetter.CLUSTER, log, new PurgePosition(7, 14)))
                .startsWith("purge 7 20 whole http");
        assertThat(PurgeLetter.of(PurgeLetter.CLUSTER, log, new PurgePosition(7, 20)))
                .isEqualTo("purge 7 20 whole");
        assertThat(PurgeLetter.of(PurgeLetter.CLUSTER, log, new PurgePosition(8, 1)))
                .isEqualTo("purge 7 20 whole ?");
    }

    @Test
    void withAnOlderSupervisorNothingIsReported() {
        Member m = member(3, 2);
        Running first = m.first();
        assertThat(first).isNotNull();
        m.purge("");
        Running alone = new Running(m, 1, 7);
        alone.follow();
        alone.report();
        assertThat(m.reported).isZero();
    }
}
