package io.weir.cluster.singleton;

import io.weir.base.Log;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.ActiveServices.Active;
import io.weir.cluster.stats.ClusterMessages;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Executes service code on execute threads. A hanging call keeps its thread; while all activation threads hang, further
 * activations fail immediately, so that another member is tried. Deactivations use additional threads, so each is
 * called, however many there are. Shared; lives as long as the member.
 */
public final class ServiceThreads implements Activations, AutoCloseable {
    private final Loop loop;
    private final ServiceSource source;
    private final ActiveServices services;
    private final Log log;
    private final ServiceCodeThreads threads;
    private final Map<Activation, Served> served = new ConcurrentHashMap<>();

    /** The instance of an activation, and the thread that is executing it. */
    private static final class Served {
        private @Nullable Thread runner;
        private boolean awaited;
        private boolean interrupted;
        private volatile @Nullable ServiceObject object;

        /** A call was submitted but its thread has not started yet. */
        synchronized void await() {
            awaited = true;
            interrupted = false;
        }

        synchronized void enter(Thread thread) {
            runner = thread;
            awaited = false;
            if (interrupted) {
                thread.interrupt();
            }
        }

        /** Clears the interrupt flag, so that an interrupt of this call does not affect the thread's next one. */
        synchronized boolean leave() {
            runner = null;
            return Thread.interrupted();
        }

        synchronized void interrupt() {
            if (runner != null) {
                runner.interrupt();
            } else {
                interrupted = awaited;
            }
        }
    }

    /** A call of service code. */
    private interface Call {
        void run(Served of) throws Exception;
    }

    /**
     * Uses platform threads.
     *
     * @param services registry to which a service is added just before its {@code activate} is called
     * @param most maximum number of activation threads: the concurrent activations, and as many again that may hang
     */
    public ServiceThreads(Loop loop, ServiceSource source, ActiveServices services, int most, Log log) {
        this(loop, source, services, ServiceCodeThreads.of(most), log);
    }

    /** Uses the given threads. */
    public ServiceThreads(
            Loop loop, ServiceSource source, ActiveServices services, ServiceCodeThreads threads, Log log) {
        this.loop = loop;
        this.source = source;
        this.services = services;
        this.log = log;
        this.threads = threads;
    }

    @Override
    public CompletableFuture<Void> activate(Activation activation) {
        Served of = new Served();
        served.put(activation, of);
        of.await();
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!threads.execute(() -> finish(done, outcome(of, s -> start(activation, s))))) {
            done.completeExceptionally(new ServiceFault("none of the " + threads.most()
                    + " execute threads of singletons is free: check for hanging calls"));
        }
        return done.whenComplete((_, fault) -> {
            if (fault != null) {
                forget(activation);
            }
        });
    }

    private void start(Activation activation, Served of) throws Exception {
        ServiceObject object = source.create(activation.spec());
        of.object = object;
        // creating it may have taken long, and the process may have been paused
        if (activation.lost() || !activation.valid()) {
            throw new ServiceFault("its lease was lost before " + activation.service() + " could be activated");
        }
        services.add(new Active(activation, object.instance()));
        within(object, () -> activation.call(() -> object.service().activate(activation.fence())));
    }

    @Override
    public CompletableFuture<Void> deactivate(Activation activation) {
        Served of = served.get(activation);
        if (of == null) {
            return CompletableFuture.completedFuture(null);
        }
        activation.end();
        of.await();
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!threads.beside(() -> finish(done, outcome(of, s -> stop(activation, s))))) {
            return CompletableFuture.failedFuture(new NotBegun("this process cannot start another thread"));
        }
        return done.whenComplete((_, _) -> forget(activation));
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
    public void lost(Activation activation) {
        Served of = served.get(activation);
        ServiceObject object = of == null ? null : of.object;
        if (object != null && activation.hasListeners() && !threads.beside(() -> notifyLoss(activation, object))) {
            log.log(ClusterMessages.NOT_BEGUN, "the listener", activation, "this process cannot start another thread");
        }
    }

    private void notifyLoss(Activation activation, ServiceObject object) {
        while (activation.hasListeners()) {
            try {
                within(object, () -> activation.call(activation::notifyListeners));
            } catch (Exception | Error e) {
                // an exception of a user's class must not keep the next listener from being called
                log.log(ClusterMessages.DEACTIVATION_FAILED, activation.service(), e);
            }
        }
    }

    @Override
    public void interrupt(Activation activation) {
        Served of = served.get(activation);
        if (of != null) {
            of.interrupt();
        }
    }

    /** Runs a call with the service's class loader as the thread's context class loader. */
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

    private @Nullable Throwable outcome(Served of, Call call) {
        of.enter(Thread.currentThread());
        try {
            call.run(of);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        } catch (Exception | Error e) {
            // any exception of a user's class is the outcome of its call
            return e;
        } finally {
            of.leave();
        }
    }

    private void finish(CompletableFuture<Void> done, @Nullable Throwable fault) {
        Runnable completion = fault == null ? () -> done.complete(null) : () -> done.completeExceptionally(fault);
        try {
            loop.deliver(completion);
        } catch (RejectedExecutionException ended) {
            log.log(ClusterMessages.UNCAUGHT, "singletons' threads", ended);
        }
    }

    /** Interrupts hanging calls without waiting for them. */
    @Override
    public void close() {
        threads.close();
    }
}
