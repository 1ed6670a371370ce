package io.weir.server.processes;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.base.Clock;
import io.weir.base.Durations;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.server.config.ServerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The worker processes: started, given their sockets, started again when they die, told to stop. Everything happens on one
 * loop; other threads ask it. Shared; lives as long as the supervisor.
 */
final class Workers implements AutoCloseable {
    /** Beyond what a worker said that its drain takes, it is killed. */
    private static final long MARGIN_MILLIS = 20_000;

    private static final long PATIENCE_SECONDS = 10;

    private final IoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("weir.Supervisor", false), EpollIoHandler.newFactory());
    private final EventLoop loop = loops.next();
    private final Ports ports;
    private Launch launch;
    private final Clock clock;
    private final Log log;
    private final List<Slot> slots = new ArrayList<>();
    private final Map<Long, Worker> living = new LinkedHashMap<>();
    private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();
    private final LinkServer links;
    private Runnable changed = () -> {};
    private boolean stopping;
    private boolean clean = true;
    private int configuration;
    private boolean upgrading;
    private volatile String upgrade = "none";
    private final List<Ended> ended = new ArrayList<>();

    /** @param config that of the supervisor, as it is now */
    Workers(Ports ports, Launch launch, Supplier<ServerConfig> config, Clock clock, Stats stats, Log log)
            throws IOException {
        this.ports = ports;
        this.launch = launch;
        this.clock = clock;
        this.log = log;
        for (int i = 1; i <= config.get().processes(); i++) {
            slots.add(new Slot(i, clock, stats));
        }
        this.links = LinkServer.open(launch.link(), loops, this::worker);
        Supplier<Duration> hang = () -> config.get().hangTimeOut();
        new Pulse(loop, hang, living.values(), w -> hung(w, hang.get())).start();
    }

    /** Starts one in each slot; completes when all are ready, exceptionally when one ends before. */
    CompletableFuture<Void> start() {
        return asked(_ -> {
                    List<CompletableFuture<Worker>> all = new ArrayList<>();
                    for (Slot slot : slots) {
                        Worker w = start(slot);
                        all.add(w == null ? CompletableFuture.failedFuture(notStarted(slot)) : w.ready());
                    }
                    return all;
                })
                .thenCompose(Workers::all);
    }

    private static IOException notStarted(Slot slot) {
        return new IOException("worker " + slot.number() + " could not be started");
    }

    /** All of them, or the first that fails, without waiting for the others. */
    static CompletableFuture<Void> all(List<CompletableFuture<Worker>> each) {
        CompletableFuture<Void> all = CompletableFuture.allOf(each.toArray(CompletableFuture[]::new));
        for (CompletableFuture<Worker> f : each) {
            var _ = f.whenComplete((_, failure) -> {
                if (failure != null) {
                    all.completeExceptionally(failure);
                }
            });
        }
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

    /** Starts a process for a slot that another may have. */
    Worker candidate(Slot slot, Launch by) throws IOException {
        if (stopping) {
            throw new IOException("the server stops");
        }
        long printed = by.errorsLength(slot.number());
        // those of an upgrade have the files as they are now
        boolean inForce = configuration > 0 && by.equals(launch);
        List<Worker> others = of(slot);
        others.forEach(o -> o.order(Orders.BESIDE));
        Process process = by.start(slot.number(), slots.size(), inForce, !others.isEmpty());
        Worker w = new Worker(slot.number(), process, clock.nanos(), log, () -> by.errors(slot.number(), printed));
        w.configuration(inForce ? configuration : 0);
        living.put(w.pid(), w);
        var _ = process.onExit().thenComposeAsync(_ -> w.heard(), loop).thenAcceptAsync(_ -> exited(slot, w), loop);
        return w;
    }

    private List<Worker> of(Slot slot) {
        return living.values().stream().filter(w -> w.slot() == slot.number()).toList();
    }

    /** Gives a slot to a process that is ready; the one before retires. */
    void replace(Slot slot, Worker by) {
        Worker before = slot.worker();
        slot.started(by);
        slot.ready();
        if (before != null) {
            before.drain(Orders.RETIRE);
        }
        changed.run();
    }

    /**
     * Replaces all workers by new ones; {@link #upgrade} says how that goes.
     *
     * @param then runs on a thread of its own once they serve
     * @return false when one is under way
     */
    boolean upgrade(Launch by, Runnable then) {
        return asked(_ -> {
                    if (upgrading || stopping) {
                        return false;
                    }
                    upgrading = true;
                    upgrade = "running";
                    log.log(ProcessMessages.UPGRADE, slots.size());
                    var _ = new Upgrade(this, slots, launch, by, loop)
                            .run()
                            .whenCompleteAsync((_, failure) -> upgraded(by, then, failure), loop);
                    return true;
                })
                .join();
    }

    private void upgraded(Launch by, Runnable then, @Nullable Throwable failure) {
        upgrading = false;
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause == null) {
            launch = by;
            configuration = 0;
            upgrade = "done";
            log.log(ProcessMessages.UPGRADED);
            new Thread(then, "weir.Supervisor upgraded").start();
        } else {
            upgrade = "failed: " + cause.getMessage();
            log.log(ProcessMessages.NOT_UPGRADED, String.valueOf(cause.getMessage()));
        }
        slots.stream().filter(s -> s.worker() == null).forEach(s -> startLater(s, 0));
    }

    /** How the last upgrade goes: none, running, done, or failed and why. */
    String upgrade() {
        return upgrade;
    }

    /** How workers are started now. */
    Launch launch() {
        return asked(_ -> launch).join();
    }

    private void startLater(Slot slot, long millis) {
        var _ = loop.schedule(
                () -> {
                    if (!stopping && !upgrading && slot.worker() == null) {
                        start(slot);
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    private LinkServer.@Nullable Linked worker(long pid) {
        Worker w = living.get(pid);
        if (w == null) {
            log.log(ProcessMessages.STRANGER, pid);
            return null;
        }
        return new LinkServer.Linked() {
            @Override
            public void connected(Channel channel) {
                w.linked(channel, ports.descriptors(w.slot()));
            }

            @Override
            public void said(String line) {
                Workers.this.said(w, line);
            }
        };
    }

    private void said(Worker w, String line) {
        boolean ready = w.said(line);
        if (Orders.word(line).equals(Orders.DRAINING)) {
            killAfter(w, Long.parseLong(Orders.rest(line)) + MARGIN_MILLIS);
        } else if (ready) {
            Slot slot = slots.get(w.slot() - 1);
            if (slot.worker() == w) {
                slot.ready();
            }
            log.log(ProcessMessages.READY, w.slot(), w.pid());
            if (w.configuration() < configuration && slot.worker() == w) {
                // changed while it started
                w.configuration(configuration);
                w.order(Orders.FOLLOW);
            }
            changed.run();
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
        boolean told = w.state() == Worker.State.DRAINING || stopping;
        living.remove(w.pid());
        ended.add(new Ended(w.pid(), w.slot(), w.counted()));
        launch.ended(w.slot(), w.pid());
        w.gone(w.how());
        List<Worker> left = of(slot);
        if (left.size() == 1) {
            left.getFirst().order(Orders.ALONE);
        }
        // else it had retired, or is to take over and never will
        if (slot.worker() == w) {
            if (told) {
                slot.ended();
            } else {
                long millis = slot.died(w);
                log.log(ProcessMessages.DIED, w.slot(), w.pid(), w.how(), millis);
                startLater(slot, millis);
            }
            changed.run();
        }
        if (stopping && living.isEmpty()) {
            stopped.complete(clean);
        }
    }

    /** What runs on the loop whenever a process became ready or died. */
    void changed(Runnable action) {
        asked(_ -> {
                    changed = action;
                    return action;
                })
                .join();
    }

    /** Gives all an order. */
    void order(String line) {
        loop.execute(() -> living.values().forEach(w -> w.order(line)));
    }

    /**
     * The configuration that new workers read was changed.
     *
     * @return where those are asked that have to take it over: all that serve, but the first, which changed it
     */
    List<Place> inForce() {
        return asked(_ -> {
                    configuration++;
                    List<Place> others = new ArrayList<>();
                    for (Slot slot : slots) {
                        Worker w = slot.worker();
                        if (w != null && w.state() == Worker.State.READY) {
                            w.configuration(configuration);
                            if (slot.number() != 1) {
                                others.add(new Place(slot.number(), w.admin()));
                            }
                        }
                    }
                    return others;
                })
                .join();
    }

    /** Whether workers are being replaced. */
    boolean upgrading() {
        return asked(_ -> upgrading).join();
    }

    /** Ends the process of a slot; another takes its place. */
    void kill(int slot, String reason) {
        loop.execute(() -> {
            Worker w = slots.get(slot - 1).worker();
            if (w != null) {
                w.kill(reason);
            }
        });
    }

    private void hung(Worker w, Duration timeOut) {
        if (w.killed()) {
            return;
        }
        log.log(ProcessMessages.HUNG, w.slot(), w.pid(), Durations.format(timeOut));
        slots.get(w.slot() - 1).hung();
        w.kill("it hung");
    }

    /** Process ids by slot, of those that serve. */
    Map<Integer, Long> pids() {
        return of(Worker::pid);
    }

    /** Hosts and ports of the admin listeners by slot, of those that serve. */
    Map<Integer, String> admins() {
        return of(Worker::admin);
    }

    /**
     * Where a process is asked.
     *
     * @param process its number
     * @param admin host and port
     */
    record Place(int process, String admin) {}

    /**
     * A process that has ended.
     *
     * @param counted what it said that it had counted in all of its life; empty when it could not say that
     */
    record Ended(long pid, int process, String counted) {}

    /**
     * All processes that are and were.
     *
     * @param living those that can be asked, those that drain too, by their ids
     * @param ended those that ended since this was asked before
     */
    record Roll(Map<Long, Place> living, List<Ended> ended) {}

    /** Who lives, and who has ended since this was asked last; for one asker. */
    Roll roll() {
        return asked(_ -> {
                    Map<Long, Place> found = new LinkedHashMap<>();
                    for (Worker w : living.values()) {
                        if (!w.admin().isEmpty()) {
                            found.put(w.pid(), new Place(w.slot(), w.admin()));
                        }
                    }
                    List<Ended> gone = List.copyOf(ended);
                    ended.clear();
                    return new Roll(found, gone);
                })
                .join();
    }

    /** What only single workers have, by key. */
    Map<String, String> places() {
        Map<String, String> all = new LinkedHashMap<>();
        of(Worker::places).values().forEach(all::putAll);
        return all;
    }

    private <T> Map<Integer, T> of(Function<Worker, T> what) {
        return asked(_ -> {
                    Map<Integer, T> found = new LinkedHashMap<>();
                    for (Slot slot : slots) {
                        Worker w = slot.worker();
                        if (w != null && w.state() == Worker.State.READY) {
                            found.put(slot.number(), what.apply(w));
                        }
                    }
                    return found;
                })
                .join();
    }

    /** Runs something on the loop; at once when this is the loop. */
    private <T> CompletableFuture<T> asked(Function<Workers, T> question) {
        return loop.inEventLoop()
                ? CompletableFuture.completedFuture(question.apply(this))
                : CompletableFuture.supplyAsync(() -> question.apply(this), loop);
    }

    /** How many there are to be. */
    int slots() {
        return slots.size();
    }

    /**
     * Tells all to drain and end, and waits.
     *
     * @return false when one had to be killed
     */
    boolean stop() {
        loop.execute(() -> {
            stopping = true;
            if (living.isEmpty()) {
                stopped.complete(true);
            }
            for (Worker w : living.values()) {
                w.drain(Orders.DRAIN);
                killUnheard(w);
            }
        });
        return stopped.join();
    }

    /** One that does not even say that it drains is stuck. */
    private void killUnheard(Worker w) {
        var _ = loop.schedule(
                () -> {
                    if (w.state() != Worker.State.GONE && !w.answered()) {
                        killAfter(w, 0);
                    }
                },
                PATIENCE_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Ends all at once. */
    void kill() {
        asked(_ -> {
                    stopping = true;
                    living.values().forEach(w -> w.process().destroyForcibly());
                    if (living.isEmpty()) {
                        stopped.complete(false);
                    }
                    return true;
                })
                .join();
        stopped.completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        links.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
