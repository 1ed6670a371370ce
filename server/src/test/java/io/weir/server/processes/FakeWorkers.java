package io.weir.server.processes;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A crew whose processes are played: what they do and say are events, which happen one after the other when the test says
 * so, in the order in which they came up. Confined to the test's thread.
 */
final class FakeWorkers {
    static final Launch OLD = launch("old.yaml");
    static final Launch NEW = launch("new.yaml");

    final RecordingLog log = new RecordingLog();
    final Crew crew;
    /** Those that live, the oldest first. */
    final Map<Long, Fake> living = new LinkedHashMap<>();

    final EmbeddedChannel main = new EmbeddedChannel();
    private final SteppedClock clock = new SteppedClock(0);
    private final Deque<Event> events = new ArrayDeque<>();
    private final int slots;
    private long pids = 100;
    /** Who has messaging and the cluster open; 0 while nobody has. */
    private long messaging;
    /** The supervisor has closed its sockets: who connects from now on gets none. */
    private boolean closed;

    /** What a process does next. */
    private record Event(Fake of, Runnable action) {}

    FakeWorkers(int slots) {
        this.slots = slots;
        main.freezeTime();
        this.crew = new Crew(main.eventLoop(), List::of, this::start, OLD, slots, clock, new Stats(), log);
    }

    private static Launch launch(String config) {
        return new Launch(
                new WorkerWords(List.of(), List.of(), null),
                Path.of(config),
                Path.of("no-such-folder"),
                Path.of("no-such-folder"),
                List.of(),
                config);
    }

    private Process start(Launch by, int slot, int processes, boolean inForce, boolean beside) {
        Fake fake = new Fake(pids++, slot, by);
        living.put(fake.pid, fake);
        events.add(new Event(fake, fake::connect));
        return fake;
    }

    /** Whether anything is to happen before time goes on. */
    boolean busy() {
        return !events.isEmpty();
    }

    /** What came up first happens. */
    void step() {
        Event e = events.remove();
        e.action().run();
        settle();
    }

    /** Time goes on. */
    void step(Duration by) {
        clock.step(by);
        main.advanceTimeBy(by.toNanos(), TimeUnit.NANOSECONDS);
        settle();
    }

    /** The server is told to stop, as the supervisor does it. */
    CompletableFuture<Boolean> stop() {
        closed = true;
        CompletableFuture<Boolean> stopped = crew.stop();
        settle();
        return stopped;
    }

    /** The supervisor's loop does what it has to, and the workers hear its orders. */
    void settle() {
        main.runPendingTasks();
        for (Fake f : List.copyOf(living.values())) {
            f.hear();
        }
        main.runPendingTasks();
    }

    /** The oldest in a slot. */
    Fake in(int slot) {
        return living.values().stream().filter(f -> f.slot == slot).findFirst().orElseThrow();
    }

    void kill(Fake victim) {
        victim.end(137);
        settle();
    }

    /** Empty when all is as it should be once nothing happens any more; else what is not. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        for (int i = 1; i <= slots; i++) {
            int number = i;
            List<Fake> of =
                    living.values().stream().filter(f -> f.slot == number).toList();
            if (of.size() != 1 || !of.getFirst().serves) {
                wrong.add("slot " + i + " has " + of);
            }
        }
        Fake holder = living.get(messaging);
        if (holder == null || holder.slot != 1) {
            wrong.add("messaging is held by " + holder);
        }
        if (crew.serving().size() != slots) {
            wrong.add("the crew says that these serve: "
                    + crew.serving().stream().map(Worker::slot).toList());
        }
        return wrong;
    }

    /** Who serves and does not stand in for a slot of which none does. */
    List<String> left() {
        List<String> left = new ArrayList<>();
        for (int i = 1; i <= slots; i++) {
            int number = i;
            if (living.values().stream().noneMatch(f -> f.slot == number && f.serves)) {
                living.values().stream()
                        .filter(f -> f.serves && !f.leaves && !f.standsIn.contains(number))
                        .forEach(f -> left.add(f + " does not stand in for slot " + number));
            }
        }
        return left;
    }

    /** By which program and configuration all are; null when not by the same. */
    @Nullable
    Launch by() {
        List<Launch> all = living.values().stream().map(f -> f.by).distinct().toList();
        return all.size() == 1 ? all.getFirst() : null;
    }

    /** A process that answers every order, one step later. */
    final class Fake extends Process {
        final long pid;
        final int slot;
        final Launch by;
        /** It accepts on its own sockets, and is not about to go. */
        boolean serves;

        /** It was told to go. */
        boolean leaves;

        /** It answers nobody who asks whether it is well. */
        boolean hangs;

        Set<Integer> standsIn = Set.of();
        /** What others wrote to it, and who they are. */
        final List<String> heard = new ArrayList<>();
        /** What the supervisor wrote to it. */
        final List<String> told = new ArrayList<>();

        private final EmbeddedChannel link = new EmbeddedChannel();
        private final CompletableFuture<Process> exit = new CompletableFuture<>();
        private LinkServer.@Nullable Linked linked;
        private int status;
        private boolean exits;
        private boolean terminated;

        Fake(long pid, int slot, Launch by) {
            this.pid = pid;
            this.slot = slot;
            this.by = by;
        }

        @Override
        public String toString() {
            return "process " + pid + " of slot " + slot + (serves ? "" : ", not serving");
        }

        private void then(Runnable action) {
            events.add(new Event(this, action));
        }

        private void connect() {
            LinkServer.Linked l = Objects.requireNonNull(crew.linked(pid));
            linked = l;
            l.connected(link);
            if (!closed) {
                say(Orders.RECEIVED);
                then(this::begin);
            }
        }

        private void begin() {
            if (leaves) {
                return;
            }
            if (slot == 1 && living.containsKey(messaging)) {
                // the claim on the data is another's
                end(1);
                return;
            }
            messaging = slot == 1 ? pid : messaging;
            serves = true;
            say(Orders.READY + " 127.0.0.1:" + pid);
            if (terminated) {
                then(this::drain);
            }
        }

        void say(String line) {
            Objects.requireNonNull(linked).said(line);
        }

        /** Takes the orders that came. */
        private void hear() {
            link.runPendingTasks();
            for (Object o = link.readOutbound(); o != null; o = link.readOutbound()) {
                ByteBuf line = (ByteBuf) o;
                for (String order :
                        line.toString(StandardCharsets.UTF_8).lines().toList()) {
                    obey(order);
                }
                line.release();
            }
        }

        private void obey(String order) {
            switch (Orders.word(order)) {
                case Orders.STAND_IN -> standsIn = Orders.numbers(Orders.rest(order));
                case Orders.WELL -> well();
                case Orders.OTHERS -> heard.add(order);
                case Orders.FROM -> {
                    if (order.startsWith("from 0 ")) {
                        told.add(order.substring("from 0 ".length()));
                    } else {
                        heard.add(order);
                    }
                }
                case Orders.RELEASE -> then(this::release);
                case Orders.RETIRE, Orders.DRAIN -> {
                    leaves = true;
                    // one that accepts nothing yet has nothing to drain and does not say that it does
                    then(serves ? this::drain : () -> end(0));
                }
                default -> {
                    // nothing that this one plays
                }
            }
        }

        private void well() {
            if (!hangs) {
                say(Orders.WELL);
            }
        }

        private void release() {
            messaging = messaging == pid ? 0 : messaging;
            say(Orders.RELEASED);
        }

        private void drain() {
            serves = false;
            say(Orders.DRAINING + " 1000");
            then(() -> end(0));
        }

        private void end(int with) {
            if (!exits) {
                exits = true;
                status = with;
                living.remove(pid);
                messaging = messaging == pid ? 0 : messaging;
                events.removeIf(e -> e.of() == this);
                link.finishAndReleaseAll();
                exit.complete(this);
            }
        }

        @Override
        public Process destroyForcibly() {
            end(137);
            return this;
        }

        /** It drains by itself, as one does that gets SIGTERM: one that starts once it has started. */
        @Override
        public void destroy() {
            if (serves) {
                then(this::drain);
            } else {
                terminated = true;
            }
        }

        @Override
        public CompletableFuture<Process> onExit() {
            return exit;
        }

        @Override
        public long pid() {
            return pid;
        }

        @Override
        public int exitValue() {
            return status;
        }

        @Override
        public int waitFor() {
            return status;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }
    }
}
