package io.weir.server.processes;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.server.config.WeirConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The worker processes, for callers on other threads: everything runs on one loop, in a {@link Crew}. Shared; lives as
 * long as the supervisor.
 */
final class Workers implements LiveChange.Staff, AutoCloseable {
    private static final long PATIENCE_SECONDS = 10;

    private final IoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("weir.Supervisor", false), EpollIoHandler.newFactory());
    private final EventLoop loop = loops.next();
    private final Supplier<WeirConfig> config;
    private final Log log;
    private final Crew crew;
    private final LinkServer links;
    private boolean upgrading;
    private volatile String upgrade = "none";

    /** @param config the supervisor's current configuration */
    Workers(Ports ports, Launch launch, Supplier<WeirConfig> config, Clock clock, Stats stats, Log log)
            throws IOException {
        this.config = config;
        this.log = log;
        int processes = config.get().server().processes();
        this.crew = new Crew(loop, ports::descriptors, Launch::start, launch, processes, clock, stats, log);
        this.links = LinkServer.open(launch.link(), loops, crew::linked);
        Supplier<Duration> hang = () -> config.get().server().hangTimeOut();
        new Pulse(loop, hang, crew.living(), w -> crew.hung(w, hang.get())).start();
    }

    /** Starts one in each slot; completes when all are ready, exceptionally if one ends before. */
    CompletableFuture<Void> start() {
        return onLoop(Crew::start).thenCompose(Workers::all);
    }

    /** All of them, or the first that fails, without waiting for the others. */
    private static CompletableFuture<Void> all(List<CompletableFuture<Worker>> each) {
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

    /**
     * Replaces all workers by new ones; {@link #upgrade} returns the progress.
     *
     * @param then runs on a separate thread once they serve
     * @return false if an upgrade is in progress
     */
    @Override
    public boolean upgrade(Launch by, Runnable then) {
        return onLoop(_ -> {
                    if (upgrading || crew.stopping()) {
                        return false;
                    }
                    upgrading = true;
                    upgrade = "running";
                    log.log(ProcessMessages.UPGRADE, crew.slots().size());
                    Duration drain = config.get().kernel().drainTimeOut();
                    var _ = new Upgrade(crew, by, drain, loop, log)
                            .run()
                            .whenComplete((_, failure) -> upgraded(then, failure));
                    return true;
                })
                .join();
    }

    private void upgraded(Runnable then, @Nullable Throwable failure) {
        upgrading = false;
        if (failure == null) {
            upgrade = "done";
            log.log(ProcessMessages.UPGRADED);
            new Thread(then, "weir.Supervisor upgraded").start();
        } else if (failure instanceof CancellationException) {
            upgrade = "stopped";
            log.log(ProcessMessages.UPGRADE_STOPPED);
        } else {
            upgrade = "failed: " + failure.getMessage();
            log.log(ProcessMessages.NOT_UPGRADED, String.valueOf(failure.getMessage()));
        }
    }

    /** The state of the last upgrade: none, running, done, stopped with the server, or failed and why. */
    String upgrade() {
        return upgrade;
    }

    /** How workers are started now. */
    @Override
    public Launch launch() {
        return onLoop(Crew::launch).join();
    }

    /** Sets the action that runs on the loop whenever a process has become ready or died. */
    void changed(Runnable action) {
        onLoop(c -> {
                    c.changed(action);
                    return action;
                })
                .join();
    }

    /** Sends an order to all. */
    void order(String line) {
        loop.execute(() -> crew.living().forEach(w -> w.order(line)));
    }

    /** Numbers a purge and passes it on; completes with those that have not applied it after a time. */
    CompletableFuture<List<Integer>> purge(String url, Duration within) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> crew.purges().purge(url, done));
        return done.completeOnTimeout(false, within.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(all -> all
                        ? CompletableFuture.completedFuture(List.of())
                        : onLoop(c -> c.purges().behind()));
    }

    /** {@link Crew#recorded}. */
    @Override
    public void recorded() {
        onLoop(c -> {
                    c.recorded();
                    return true;
                })
                .join();
    }

    /** {@link Crew#inForce}. */
    @Override
    public List<Roll.Place> inForce() {
        return onLoop(Crew::inForce).join();
    }

    /** Whether workers are being replaced. */
    @Override
    public boolean upgrading() {
        return onLoop(_ -> upgrading).join();
    }

    @Override
    public void kill(Roll.Place place, String reason) {
        loop.execute(() -> {
            Worker w = crew.slots().get(place.process() - 1).worker();
            // the next one in its slot is not to blame
            if (w != null && w.admin().equals(place.admin())) {
                w.kill(reason);
            }
        });
    }

    /** Process ids of serving workers, by slot. */
    Map<Integer, Long> pids() {
        return of(Worker::pid);
    }

    /** Hosts and ports of the admin listeners of serving workers, by slot. */
    @Override
    public Map<Integer, String> admins() {
        return of(Worker::admin);
    }

    /** {@link Crew#unserving}. */
    Map<Integer, Worker.State> unserving() {
        return onLoop(Crew::unserving).join();
    }

    /** {@link Crew#roll}. */
    Roll roll() {
        return onLoop(Crew::roll).join();
    }

    /** Addresses that only single workers have, by key. */
    Map<String, String> places() {
        Map<String, String> all = new LinkedHashMap<>();
        of(Worker::places).values().forEach(all::putAll);
        return all;
    }

    private <T> Map<Integer, T> of(Function<Worker, T> what) {
        return onLoop(c -> {
                    Map<Integer, T> found = new LinkedHashMap<>();
                    c.serving().forEach(w -> found.put(w.slot(), what.apply(w)));
                    return found;
                })
                .join();
    }

    /** A step that may throw an IOException. */
    interface Step {
        void run() throws IOException;
    }

    /** Runs a step on the loop and waits for it; at once when this is the loop. To be called without a lock. */
    void inTurn(Step step) throws IOException {
        Function<Crew, @Nullable IOException> run = _ -> {
            try {
                step.run();
                return null;
            } catch (IOException e) {
                return e;
            }
        };
        IOException failure = onLoop(run).join();
        if (failure != null) {
            throw failure;
        }
    }

    /** Runs something on the loop; at once when this is the loop. */
    private <T extends @Nullable Object> CompletableFuture<T> onLoop(Function<Crew, T> question) {
        return loop.inEventLoop()
                ? CompletableFuture.completedFuture(question.apply(crew))
                : CompletableFuture.supplyAsync(() -> question.apply(crew), loop);
    }

    /** The same for an asynchronous action. */
    private CompletableFuture<Boolean> ended(Function<Crew, CompletableFuture<Boolean>> order) {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        loop.execute(() -> {
            var _ = order.apply(crew).whenComplete((all, failure) -> {
                if (failure == null) {
                    end.complete(all);
                } else {
                    end.completeExceptionally(failure);
                }
            });
        });
        return end;
    }

    /** The configured number of workers. */
    int slots() {
        return crew.slots().size();
    }

    /**
     * Tells all to drain and end, and waits.
     *
     * @return false if one had to be killed
     */
    boolean stop() {
        return ended(Crew::stop).join();
    }

    /** Ends all at once. */
    void kill() {
        ended(Crew::kill)
                .completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        links.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
