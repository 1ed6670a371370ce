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
 * Services' code on execute threads. A call that hangs keeps its thread; while all of those for activations hang,
 * further activations fail at once, so that another member is tried. Deactivations have threads beside these: however
 * many there are at once, each is called. Shared; lives as long as the member.
 */
public final class ServiceThreads implements Activations, AutoCloseable {
    private final Loop loop;
    private final ServiceSource source;
    private final ActiveServices services;
    private final Log log;
    private final ServiceCodeThreads threads;
    private final Map<Activation, Served> served = new ConcurrentHashMap<>();

    /** The object of an activation, and which thread is in it. */
    private static final class Served {
        private @Nullable Thread runner;
        private boolean awaited;
        private boolean interrupted;
        private volatile @Nullable ServiceObject object;

        /** A call was handed to a thread that is yet to come. */
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

        /** What interrupted this call is not to interrupt the thread's next one. */
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

    /** Something of a service's that runs on a thread. */
    private interface Call {
        void run(Served of) throws Exception;
    }

    /**
     * On real threads.
     *
     * @param services what is active is entered here, just before its {@code activate} is called
     * @param most threads there may be for activations: those at once, and as many again that may hang
     */
    public ServiceThreads(Loop loop, ServiceSource source, ActiveServices services, int most, Log log) {
        this(loop, source, services, ServiceCodeThreads.of(most), log);
    }

    /** On given threads. */
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
                    + " execute threads of singletons is free: look for calls that hang"));
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
        // to make it may have taken long, and the process may have been stopped meanwhile
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
            return CompletableFuture.failedFuture(new NotBegun("this process gets no further thread"));
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
        if (object != null && activation.hasListeners() && !threads.beside(() -> tell(activation, object))) {
            log.log(ClusterMessages.NOT_BEGUN, "the listener", activation, "this process gets no further thread");
        }
    }

    private void tell(Activation activation, ServiceObject object) {
        while (activation.hasListeners()) {
            try {
                within(object, () -> activation.call(activation::tellOfLoss));
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
            loop.deliver(tell);
        } catch (RejectedExecutionException ended) {
            log.log(ClusterMessages.UNCAUGHT, "singletons' threads", ended);
        }
    }

    /** Calls that hang are interrupted and left to themselves. */
    @Override
    public void close() {
        threads.close();
    }
}
