package io.weir.cluster.singleton;

import io.weir.base.Log;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.ActiveServices.Active;
import io.weir.cluster.stats.ClusterMessages;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Services' code on execute threads: a bounded number of platform threads, named so that a dump of threads tells. A call that
 * hangs keeps its thread; while all of them hang, further calls fail at once. Shared; lives as long as the member.
 */
public final class ServiceThreads implements Activations, AutoCloseable {
    private static final long IDLE_SECONDS = 60;

    private final Loop loop;
    private final ServiceSource source;
    private final ActiveServices services;
    private final Log log;
    private final ThreadPoolExecutor threads;
    private final Map<Activation, Served> served = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /** The object of an activation, and which thread is in it. */
    private static final class Served {
        private @Nullable Thread runner;
        private volatile @Nullable ServiceObject object;

        synchronized void enter(Thread thread) {
            runner = thread;
        }

        /** What interrupted this call is not to interrupt the thread's next one. */
        synchronized boolean leave() {
            runner = null;
            return Thread.interrupted();
        }

        synchronized void interrupt() {
            if (runner != null) {
                runner.interrupt();
            }
        }
    }

    /** Something of a service's that runs on a thread. */
    private interface Call {
        void run(Served of) throws Exception;
    }

    /**
     * Threads are started when needed.
     *
     * @param services what is active is entered here, just before its {@code activate} is called
     * @param max threads there may be: those at once, and as many again that may hang
     */
    public ServiceThreads(Loop loop, ServiceSource source, ActiveServices services, int max, Log log) {
        this.loop = loop;
        this.source = source;
        this.services = services;
        this.log = log;
        this.threads =
                new ThreadPoolExecutor(0, max, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);
    }

    private Thread thread(Runnable r) {
        return Thread.ofPlatform()
                .daemon()
                .name("ExecuteThread: '" + numbers.getAndIncrement() + "' for queue: 'weir.cluster.Singletons'")
                .unstarted(r);
    }

    @Override
    public CompletableFuture<Void> activate(Activation activation) {
        Served of = new Served();
        served.put(activation, of);
        return run(of, s -> start(activation, s)).whenComplete((_, fault) -> {
            if (fault != null) {
                forget(activation);
            }
        });
    }

    private void start(Activation activation, Served of) throws Exception {
        ServiceObject object = source.create(activation.spec());
        of.object = object;
        services.add(new Active(activation, object.instance()));
        within(object, () -> activation.call(() -> object.service().activate(activation.fence())));
    }

    @Override
    public CompletableFuture<Void> deactivate(Activation activation) {
        Served of = served.get(activation);
        if (of == null) {
            return CompletableFuture.completedFuture(null);
        }
        return run(of, s -> stop(activation, s)).whenComplete((_, _) -> forget(activation));
    }

    private void stop(Activation activation, Served of) throws Exception {
        ServiceObject object = of.object;
        if (object != null) {
            within(object, () -> activation.call(() -> object.service().deactivate()));
        }
    }

    private void forget(Activation activation) {
        Served of = served.remove(activation);
        services.remove(activation);
        ServiceObject object = of == null ? null : of.object;
        if (object != null) {
            source.closed(object);
        }
    }

    @Override
    public void interrupt(Activation activation) {
        Served of = served.get(activation);
        if (of != null) {
            of.interrupt();
        }
    }

    /** Runs it where the service's own classes are found by whatever asks the thread for them. */
    private static void within(ServiceObject object, Activation.Call<Exception> call) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(object.instance().getClass().getClassLoader());
        try {
            call.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private CompletableFuture<Void> run(Served of, Call call) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            threads.execute(() -> finish(done, outcome(of, call)));
        } catch (RejectedExecutionException full) {
            done.completeExceptionally(new ServiceFault("none of the " + threads.getMaximumPoolSize()
                    + " execute threads of singletons is free: look for calls that hang"));
        }
        return done;
    }

    private @Nullable Throwable outcome(Served of, Call call) {
        of.enter(Thread.currentThread());
        try {
            call.run(of);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        } catch (Exception | Error e) {
            // whatever a user's class throws is an outcome of its call
            return e;
        } finally {
            of.leave();
        }
    }

    private void finish(CompletableFuture<Void> done, @Nullable Throwable fault) {
        Runnable tell = fault == null ? () -> done.complete(null) : () -> done.completeExceptionally(fault);
        try {
            loop.execute(tell);
        } catch (RejectedExecutionException ended) {
            log.log(ClusterMessages.UNCAUGHT, "singletons' threads", ended);
        }
    }

    /** Calls that hang are interrupted and left to themselves. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
