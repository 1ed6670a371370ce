package io.weir.server.processes;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.weir.base.Clock;
import io.weir.base.Durations;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The processes in all slots: each slot always has one that lives or is started, and while none is ready the others
 * accept from its sockets. This is re-established with every event and every second from the current state, so that it
 * does not depend on a missed event. Confined to the supervisor's loop; lives as long as the supervisor.
 */
final class Crew {
    /** A worker is killed when its drain takes this much longer than announced. */
    private static final long MARGIN_MILLIS = 20_000;

    private static final long PATIENCE_SECONDS = 30;

    /** A slot without a ready worker is reported after this time, and each time it passes again. */
    static final Duration ALARM = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final Supplier<List<Integer>> descriptors;
    private final Starting starting;
    private final Clock clock;
    private final Log log;
    private final List<Slot> slots = new ArrayList<>();
    private final Map<Long, Worker> living = new LinkedHashMap<>();
    private final Letters letters;
    private final List<Roll.Ended> ended = new ArrayList<>();
    private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();
    private Launch launch;
    private Runnable changed = () -> {};
    private boolean begun;
    private boolean stopping;
    private boolean clean = true;
    private int configuration;

    /** Starts a process; for the parameters see {@link Launch#start}. */
    interface Starting {
        Process start(Launch by, int slot, int processes, boolean inForce, boolean beside) throws IOException;
    }

    /**
     * Creates empty slots.
     *
     * @param descriptors of the sockets of all slots, which are passed to each worker
     */
    Crew(
            EventLoop loop,
            Supplier<List<Integer>> descriptors,
            Starting starting,
            Launch launch,
            int processes,
            Clock clock,
            Stats stats,
            Log log) {
        this.loop = loop;
        this.descriptors = descriptors;
        this.starting = starting;
        this.launch = launch;
        this.clock = clock;
        this.log = log;
        this.letters = new Letters(Collections.unmodifiableCollection(living.values()), clock);
        for (int i = 1; i <= processes; i++) {
            slots.add(new Slot(i, clock, stats));
        }
    }

    List<Slot> slots() {
        return Collections.unmodifiableList(slots);
    }

    Collection<Worker> living() {
        return Collections.unmodifiableCollection(living.values());
    }

    /** How workers are started now. */
    Launch launch() {
        return launch;
    }

    /** Sets how workers are started from now on, with the configuration in its files. */
    void launch(Launch by) {
        launch = by;
        configuration = 0;
    }

    /** The configuration that its processes have read is recorded: their successors have the same, whatever files say. */
    void recorded() {
        configuration = Math.max(1, configuration);
        living.values().forEach(w -> w.configuration(Math.max(1, w.configuration())));
    }

    /** Purges of this server. */
    NumberedPurges purges() {
        return letters.purges();
    }

    boolean stopping() {
        return stopping;
    }

    /** Sets the action that runs whenever a process has become ready or died. */
    void changed(Runnable action) {
        changed = action;
    }

    /** Starts one in each slot. */
    List<CompletableFuture<Worker>> start() {
        begun = true;
        List<CompletableFuture<Worker>> all = new ArrayList<>();
        for (Slot slot : slots) {
            Worker w = start(slot);
            all.add(
                    w == null
                            ? CompletableFuture.failedFuture(
                                    new IOException("worker " + slot.number() + " could not be started"))
                            : w.ready());
        }
        var _ = loop.scheduleAtFixedRate(this::tend, 1, 1, TimeUnit.SECONDS);
        return all;
    }

    private @Nullable Worker start(Slot slot) {
        try {
            Worker w = candidate(slot, launch);
            slot.started(w);
            return w;
        } catch (IOException e) {
            long millis = slot.died(null);
            log.log(ProcessMessages.NOT_STARTED, slot.number(), e, millis);
            startLater(slot, millis);
            return null;
        }
    }

    private void startLater(Slot slot, long millis) {
        slot.waiting(true);
        var _ = loop.schedule(
                () -> {
                    slot.waiting(false);
                    tend();
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    /** Starts a process for a slot that may have another. */
    Worker candidate(Slot slot, Launch by) throws IOException {
        if (stopping) {
            throw new IOException("the server stops");
        }
        long printed = by.errorsLength(slot.number());
        // those of an upgrade use the files as they are now
        boolean inForce = configuration > 0 && by.equals(launch);
        List<Worker> others = of(slot);
        others.forEach(o -> o.order(Orders.BESIDE));
        Process process = starting.start(by, slot.number(), slots.size(), inForce, !others.isEmpty());
        Worker w = new Worker(slot.number(), process, clock.nanos(), log, () -> by.errors(slot.number(), printed));
        w.configuration(inForce ? configuration : 0);
        living.put(w.pid(), w);
        letters.started(w, by);
        var _ = process.onExit().thenComposeAsync(_ -> w.allRead(), loop).thenAcceptAsync(_ -> exited(slot, w), loop);
        return w;
    }

    private List<Worker> of(Slot slot) {
        return living.values().stream().filter(w -> w.slot() == slot.number()).toList();
    }

    private boolean has(Slot slot, Worker.State state) {
        return living.values().stream().anyMatch(w -> w.slot() == slot.number() && w.state() == state);
    }

    /** Gives a slot to a process that is ready; the previous one retires. */
    void replace(Slot slot, Worker by) {
        Worker before = slot.worker();
        slot.started(by);
        slot.ready();
        if (before != null) {
            retire(before, "another took its place");
        }
        changed.run();
        tend();
    }

    /** Retires the process in a slot, and starts another. */
    void vacate(Slot slot) {
        Worker before = slot.worker();
        slot.ended();
        if (before != null) {
            retire(before, "another took its place");
        }
        changed.run();
        tend();
    }

    /** Lets a ready process retire gracefully, and ends others at once. */
    void retire(Worker w, String reason) {
        if (w.state() == Worker.State.STARTING) {
            w.kill(reason);
        } else if (w.state() == Worker.State.READY) {
            w.drain(Orders.RETIRE);
            killStuck(w);
        }
    }

    /** Starts processes in empty slots, and lets the others accept for slots without a ready one. */
    void tend() {
        if (!begun || stopping) {
            return;
        }
        letters.changed();
        long now = clock.nanos();
        List<Slot> unserved = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.free() && !has(slot, Worker.State.STARTING) && !has(slot, Worker.State.READY)) {
                start(slot);
            }
            if (has(slot, Worker.State.READY)) {
                slot.served(now);
            } else {
                unserved.add(slot);
                alarm(slot, now);
            }
        }
        String numbers =
                unserved.stream().map(s -> Integer.toString(s.number())).collect(Collectors.joining(","));
        for (Worker w : living.values()) {
            if (w.state() == Worker.State.READY) {
                w.acceptFor(numbers);
            }
        }
    }

    private void alarm(Slot slot, long now) {
        if (slot.due(now, ALARM)) {
            log.log(
                    ProcessMessages.UNSERVED,
                    slot.number(),
                    Durations.format(Duration.ofSeconds(slot.unserved(now).toSeconds())),
                    accepting());
        }
    }

    /** What becomes of connections to sockets whose worker is not ready. */
    private String accepting() {
        List<String> ready = living.values().stream()
                .filter(w -> w.state() == Worker.State.READY)
                .map(Worker::slot)
                .distinct()
                .sorted()
                .map(String::valueOf)
                .toList();
        return ready.isEmpty()
                ? "wait, because no process is ready,"
                : "are accepted by process " + String.join(", ", ready);
    }

    /** The link of the worker with a process id; null if there is none. */
    LinkServer.@Nullable Linked linked(long pid) {
        Worker w = living.get(pid);
        if (w == null) {
            log.log(ProcessMessages.STRANGER, pid);
            return null;
        }
        return new LinkServer.Linked() {
            @Override
            public void connected(Channel channel) {
                if (stopping) {
                    // the sockets are closed; it was killed
                    var _ = channel.close();
                    return;
                }
                w.linked(channel);
                letters.linked(w);
                w.sockets(descriptors.get());
            }

            @Override
            public void said(String line) {
                Crew.this.said(w, line);
            }
        };
    }

    private void said(Worker w, String line) {
        boolean ready = w.said(line);
        letters.said(w, line);
        Slot slot = slots.get(w.slot() - 1);
        if (Orders.word(line).equals(Orders.DRAINING)) {
            killAfter(w, Long.parseLong(Orders.rest(line)) + MARGIN_MILLIS);
            if (slot.worker() == w) {
                slot.down();
            }
            tend();
        } else if (ready) {
            log.log(ProcessMessages.READY, w.slot(), w.pid());
            if (slot.worker() == w) {
                slot.ready();
                if (w.configuration() < configuration) {
                    // changed while it started
                    w.configuration(configuration);
                    w.order(Orders.FOLLOW);
                }
            }
            changed.run();
            tend();
        }
    }

    private void killAfter(Worker w, long millis) {
        var _ = loop.schedule(
                () -> {
                    if (w.state() != Worker.State.GONE) {
                        clean = false;
                        log.log(ProcessMessages.KILLED, w.slot(), w.pid());
                        w.process().destroyForcibly();
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    private void exited(Slot slot, Worker w) {
        living.remove(w.pid());
        ended.add(new Roll.Ended(w.pid(), w.slot(), w.counted()));
        launch.ended(w.slot(), w.pid());
        w.gone(w.how());
        letters.exited(w);
        List<Worker> left = of(slot);
        if (left.size() == 1) {
            left.getFirst().order(Orders.ALONE);
        }
        // otherwise it had retired, or was to take over and never will
        if (slot.worker() == w) {
            if (stopping) {
                slot.ended();
            } else {
                long millis = slot.died(w);
                log.log(ProcessMessages.DIED, w.slot(), w.pid(), w.how(), millis, accepting());
                startLater(slot, millis);
            }
            changed.run();
        }
        tend();
        if (stopping && living.isEmpty()) {
            stopped.complete(clean);
        }
    }

    /**
     * Called when the configuration that new workers read has changed.
     *
     * @return the workers that must apply it: all that serve, except the first, which changed it
     */
    List<Roll.Place> inForce() {
        configuration++;
        List<Roll.Place> others = new ArrayList<>();
        for (Worker w : serving()) {
            w.configuration(configuration);
            if (w.slot() != 1) {
                others.add(new Roll.Place(w.slot(), w.admin()));
            }
        }
        return others;
    }

    /** The workers that have their slots and are ready, in the order of the slots. */
    List<Worker> serving() {
        List<Worker> all = new ArrayList<>();
        for (Slot slot : slots) {
            Worker w = slot.worker();
            if (w != null && w.state() == Worker.State.READY) {
                all.add(w);
            }
        }
        return all;
    }

    /** Slots without a ready worker: the number of each, and the state of its worker; {@code GONE} if it has none. */
    Map<Integer, Worker.State> unserving() {
        Map<Integer, Worker.State> all = new LinkedHashMap<>();
        for (Slot slot : slots) {
            Worker w = slot.worker();
            if (w == null || w.state() != Worker.State.READY) {
                boolean starts = has(slot, Worker.State.STARTING);
                boolean drains = has(slot, Worker.State.DRAINING);
                all.put(
                        slot.number(),
                        starts ? Worker.State.STARTING : drains ? Worker.State.DRAINING : Worker.State.GONE);
            }
        }
        return all;
    }

    /** Called when a worker has not answered for the time-out. */
    void hung(Worker w, Duration timeOut) {
        if (w.killed()) {
            return;
        }
        log.log(ProcessMessages.HUNG, w.slot(), w.pid(), Durations.format(timeOut));
        slots.get(w.slot() - 1).hung();
        w.kill("it hung");
    }

    /** The living processes, and those that have ended since the last call; for one caller. */
    Roll roll() {
        Map<Long, Roll.Place> found = new LinkedHashMap<>();
        for (Worker w : living.values()) {
            if (!w.admin().isEmpty()) {
                found.put(w.pid(), new Roll.Place(w.slot(), w.admin()));
            }
        }
        List<Roll.Ended> gone = List.copyOf(ended);
        ended.clear();
        return new Roll(found, gone);
    }

    /**
     * Tells all to drain and end, and ends those without sockets at once: the supervisor's are closed, so neither
     * sockets nor an order would reach them. One that has them and is still starting ends as soon as it reads the
     * order. Completes when all have ended, with whether none had to be killed in its drain.
     */
    CompletableFuture<Boolean> stop() {
        stopping = true;
        if (living.isEmpty()) {
            stopped.complete(true);
        }
        for (Worker w : living.values()) {
            if (w.lacksSockets()) {
                w.kill("the server stops, and it had not started");
            } else {
                w.drain(Orders.DRAIN);
                killStuck(w);
            }
        }
        return stopped;
    }

    /** Kills a worker that has not reported its drain, and so is stuck. */
    private void killStuck(Worker w) {
        var _ = loop.schedule(
                () -> {
                    if (w.state() != Worker.State.GONE && !w.answered()) {
                        killAfter(w, 0);
                    }
                },
                PATIENCE_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Ends all at once; completes when they have ended. */
    CompletableFuture<Boolean> kill() {
        stopping = true;
        living.values().forEach(w -> w.process().destroyForcibly());
        if (living.isEmpty()) {
            stopped.complete(false);
        }
        return stopped;
    }
}
