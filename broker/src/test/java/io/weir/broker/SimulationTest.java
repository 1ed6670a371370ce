package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.weir.base.Chance;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients on three loops do at random what clients do, and the loops take turns at random. Afterwards every message that was
 * accepted was consumed once or is still there, in the order of its producer, and nothing is left of any quota.
 */
class SimulationTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final int STEPS = 400;
    private static final int CLIENTS = 4;

    private Bench bench = new Bench();
    private RandomGenerator random = Chance.seeded(0).random();
    private final Set<String> accepted = new HashSet<>();
    private final Set<String> doubtful = new HashSet<>();
    private final Map<String, Integer> consumed = new HashMap<>();

    /** One connection with a session, as its application sees it. */
    private final class Actor {
        final Probe p;
        final int mode;
        final int number;
        int sent;
        final List<Long> tags = new ArrayList<>();
        final List<String> bodies = new ArrayList<>();
        final Map<Integer, String> sends = new HashMap<>();
        final List<String> staged = new ArrayList<>();
        final List<String> taken = new ArrayList<>();
        int undo;
        int commit;
        long seen;

        Actor(int number) {
            this.number = number;
            this.p = bench.client(random.nextInt(3), "user");
            this.mode = List.of(Probe.TRANSACTED, Probe.CLIENT, Probe.AUTO).get(random.nextInt(3));
            p.request(
                    FrameType.OPEN_SESSION,
                    1,
                    (r, b) -> new io.weir.jms.frames.ClientFrames.OpenSession(
                                    r, mode, 1 + random.nextInt(4), -1, false, 0)
                            .write(b));
            if (random.nextBoolean()) {
                p.open(1, 5, Q, io.weir.jms.frames.ClientFrames.OpenConsumer.ASYNC, null, null);
            }
        }

        void act() {
            look();
            if (undo != 0 || commit != 0) {
                return;
            }
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> send();
                case 3, 4 -> acknowledge();
                case 5 -> p.credit(1, 1 + random.nextInt(3), 100);
                case 6 -> end();
                default -> {
                    if (random.nextInt(6) == 0) {
                        p.open(1, 50 + random.nextInt(1000), Q, 8, null, null);
                    }
                }
            }
        }

        private void send() {
            String body = number + "-" + String.format("%05d", sent++);
            int request = mode == Probe.TRANSACTED ? p.sendTransacted(1, Q, body) : p.send(1, Q, new Probe.Draft(body));
            sends.put(request, body);
            doubtful.add(body);
        }

        private void acknowledge() {
            if (tags.isEmpty()) {
                return;
            }
            int n = 1 + random.nextInt(tags.size());
            p.ack(1, tags.getFirst(), tags.get(n - 1));
            seen = Math.max(seen, tags.get(n - 1));
            for (int i = 0; i < n; i++) {
                if (mode == Probe.TRANSACTED) {
                    taken.add(bodies.removeFirst());
                } else {
                    consumed.merge(bodies.removeFirst(), 1, Integer::sum);
                }
                tags.removeFirst();
            }
        }

        private void end() {
            if (mode == Probe.TRANSACTED && random.nextInt(3) > 0) {
                commit = p.commit(1);
            } else if (mode != Probe.AUTO) {
                int type = mode == Probe.TRANSACTED ? FrameType.ROLLBACK : FrameType.RECOVER;
                undo = p.undo(type, 1, seen);
            }
        }

        /** Takes what came, in order. */
        void look() {
            for (FakeWire.Frame f : List.copyOf(p.wire.sent)) {
                int request = f.payload().getInt(f.payload().readerIndex());
                if (f.type() == FrameType.DELIVER) {
                    deliver(f.payload());
                } else if (f.type() == FrameType.OK) {
                    ok(request);
                }
            }
            p.wire.sent.clear();
        }

        private void deliver(ByteBuf payload) {
            DeliverFrame d = new DeliverFrame().read(payload);
            MessageView v = new MessageView().wrap(payload);
            tags.add(d.tag());
            bodies.add(payload.toString(v.bodyAt() + 1, v.bodyLength() - 1, StandardCharsets.UTF_8));
        }

        private void ok(int request) {
            String body = sends.remove(request);
            if (body != null && mode == Probe.TRANSACTED) {
                staged.add(body);
            } else if (body != null) {
                accepted.add(body);
                doubtful.remove(body);
            }
            if (request == commit) {
                commit = 0;
                accepted.addAll(staged);
                doubtful.removeAll(staged);
                staged.clear();
                taken.forEach(b -> consumed.merge(b, 1, Integer::sum));
                taken.clear();
            } else if (request == undo) {
                undo = 0;
                doubtful.removeAll(staged);
                staged.clear();
                taken.clear();
                tags.clear();
                bodies.clear();
            }
        }

        void lose() {
            look();
            // a commit that was not answered may have happened
            if (commit == 0) {
                doubtful.removeAll(staged);
                taken.clear();
            }
            p.lose();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nothingIsLostNothingIsConsumedTwiceAndTheOrderHolds(long seed) {
        random = Chance.seeded(seed).random();
        bench = new Bench(3);
        bench.loops.turns = random;
        List<@Nullable Actor> actors = new ArrayList<>();
        int number = 0;
        for (int i = 0; i < CLIENTS; i++) {
            actors.add(new Actor(number++));
        }
        for (int step = 0; step < STEPS; step++) {
            int i = random.nextInt(CLIENTS);
            Actor a = actors.get(i);
            if (a == null || random.nextInt(60) == 0) {
                if (a != null) {
                    finish(a);
                }
                actors.set(i, new Actor(number++));
            } else {
                a.act();
            }
        }
        for (Actor a : actors) {
            if (a != null) {
                finish(a);
            }
        }
        bench.loops.turns = null;
        bench.loops.settle();
        check(seed);
        bench.close();
    }

    /** Answers that are on their way arrive; then the connection is lost. */
    private void finish(Actor a) {
        bench.loops.settleFully();
        a.lose();
        bench.loops.settleFully();
    }

    private void check(long seed) {
        assertThat(accepted).as("seed %d sends", seed).hasSizeGreaterThan(30);
        assertThat(consumed).as("seed %d consumes", seed).hasSizeGreaterThan(5);
        Probe p = bench.client();
        p.session(1, Probe.NO_ACK, -1);
        p.listen(1, 5, Q);
        List<String> rest = p.bodies();
        assertThat(rest).as("seed %d: nothing twice", seed).doesNotHaveDuplicates();
        assertThat(consumed.values())
                .as("seed %d: nothing consumed twice", seed)
                .allMatch(n -> n == 1);
        Set<String> all = new HashSet<>(rest);
        all.addAll(consumed.keySet());
        assertThat(all).as("seed %d: nothing lost", seed).containsAll(accepted);
        Set<String> invented = new HashSet<>(all);
        invented.removeAll(accepted);
        invented.removeAll(doubtful);
        assertThat(invented).as("seed %d: nothing from nowhere", seed).isEmpty();
        rest.forEach(b ->
                assertThat(consumed).as("seed %d: consumed and there", seed).doesNotContainKey(b));
        Map<String, String> last = new HashMap<>();
        for (String b : rest) {
            String producer = b.substring(0, b.indexOf('-'));
            String before = last.put(producer, b);
            assertThat(before == null || before.compareTo(b) < 0)
                    .as("seed %d: %s behind %s", seed, b, before)
                    .isTrue();
        }
    }
}
