package io.weir.lab.cluster.service;

import io.weir.base.Fence;
import io.weir.base.SystemClock;
import io.weir.cluster.ServiceLease;
import io.weir.cluster.SingletonService;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * A singleton that writes down what befalls it, of a shape that its properties say: {@code plain}; {@code slow} in both methods;
 * {@code throwing} now and then in either; {@code hanging} in {@code deactivate} until it is interrupted. One object for each
 * activation.
 */
public class Placed implements SingletonService, Asked {
    private static final long SLOW_TO_BEGIN = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long SLOW_TO_END = TimeUnit.MILLISECONDS.toNanos(150);
    /** Longer than anybody waits. */
    private static final long HANGING_SECONDS = 60;

    private final String service;
    private final String shape;
    private volatile Diary.@Nullable Stay stay;

    public Placed(Map<String, String> properties) {
        service = properties.getOrDefault("service", "");
        shape = properties.getOrDefault("shape", "plain");
    }

    /** The lease of the activation in which the thread is. */
    @SuppressWarnings("BanJNDI") // it is what services look up with; Weir's deserializes nothing
    static ServiceLease lease() {
        try {
            return (ServiceLease) new InitialContext().lookup(ServiceLease.NAME);
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void activate(Fence fence) {
        ServiceLease lease = lease();
        Diary.Stay now = Diary.enter(service, shape, lease);
        stay = now;
        lease.whenLost(() -> now.step(Diary.LOST));
        if (shape.equals("slow")) {
            LockSupport.parkNanos(this, SLOW_TO_BEGIN);
        }
        if (shape.equals("throwing") && oneOf(4)) {
            now.over(Diary.FAILED);
            throw new IllegalStateException("it does not want to begin");
        }
        now.step(Diary.ACTIVE);
    }

    /** True about once in so many times. */
    private static boolean oneOf(int times) {
        return SystemClock.INSTANCE.nanos() / 1000 % times == 0;
    }

    @Override
    public void deactivate() {
        Diary.Stay now = Objects.requireNonNull(stay);
        now.step(Diary.CALLED);
        if (shape.equals("slow")) {
            LockSupport.parkNanos(this, SLOW_TO_END);
        } else if (shape.equals("hanging")) {
            hang();
        }
        now.over(Diary.ENDED);
        if (shape.equals("throwing") && oneOf(2)) {
            throw new IllegalStateException("it does not like to end");
        }
    }

    private static void hang() {
        try {
            var _ = new CountDownLatch(1).await(HANGING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // somebody has lost patience with it
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String who() {
        return service;
    }
}
