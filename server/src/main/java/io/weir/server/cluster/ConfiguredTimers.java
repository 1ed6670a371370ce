package io.weir.server.cluster;

import io.weir.base.Fence;
import io.weir.cluster.config.MisfirePolicy;
import io.weir.cluster.config.TimerConfig;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.timer.FenceRefused;
import io.weir.cluster.timer.Firing;
import io.weir.cluster.timer.TimerListener;
import io.weir.cluster.timer.TimerTargets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The targets of configured timers: a destination of messaging gets a text message, or an object of a user's class is
 * called. Shared; called on execute threads.
 */
final class ConfiguredTimers implements TimerTargets {
    /** Property of the message: the timer's id. */
    static final String TIMER = "weirTimer";
    /** Property of the message: when the firing was due, milliseconds since 1970. With id and fence the idempotency key. */
    static final String SCHEDULED = "weirScheduled";
    /** Property of the message: the fence under which it fired, as {@code epoch.counter}. */
    static final String FENCE = "weirFence";

    private static final String MESSAGE = "message:";
    private static final String CLASS = "class:";
    private static final long SEND_SECONDS = 30;

    /** Sends to messaging: {@code io.weir.broker.ServerSender}. */
    @FunctionalInterface
    interface Sender {
        /**
         * Sends a text.
         *
         * @param permitted checked immediately before the append; if false, the send is cancelled
         */
        CompletableFuture<Void> send(
                String destination, String text, Map<String, ?> properties, BooleanSupplier permitted);
    }

    private final Supplier<Map<String, TimerConfig>> config;
    private final @Nullable Sender sender;
    private final Predicate<Fence> admits;
    private final LibClasses classes;
    private final Map<String, TimerListener> listeners = new ConcurrentHashMap<>();

    /**
     * @param config the section {@code timers} as it is now
     * @param sender null while messaging does not run
     * @param admits whether something may be appended to this server's journal with this fence of the timers' lease, now
     */
    ConfiguredTimers(
            Supplier<Map<String, TimerConfig>> config,
            @Nullable Sender sender,
            Predicate<Fence> admits,
            LibClasses classes) {
        this.config = config;
        this.sender = sender;
        this.admits = admits;
        this.classes = classes;
    }

    /** The timer as the cluster knows it. */
    static TimerSpec spec(String id, TimerConfig c) {
        return new TimerSpec(
                id,
                c.schedule(),
                c.zone(),
                misfire(c.misfire()),
                c.className().isEmpty() ? MESSAGE + c.destination() : CLASS + c.className());
    }

    private static io.weir.cluster.state.timers.Misfire misfire(MisfirePolicy m) {
        return switch (m) {
            case FIRE_ONCE -> io.weir.cluster.state.timers.Misfire.FIRE_ONCE;
            case SKIP -> io.weir.cluster.state.timers.Misfire.SKIP;
            case FIRE_ALL -> io.weir.cluster.state.timers.Misfire.FIRE_ALL;
        };
    }

    @Override
    public TimerListener listener(TimerSpec spec) throws ServiceFault {
        return spec.target().startsWith(CLASS) ? object(spec) : firing -> send(spec, firing);
    }

    /** One object for each timer and class, for as long as the server runs. */
    private TimerListener object(TimerSpec spec) throws ServiceFault {
        String key = spec.id() + " " + spec.target();
        TimerListener known = listeners.get(key);
        if (known == null) {
            known = classes.create(spec.target().substring(CLASS.length()), TimerListener.class);
            listeners.put(key, known);
        }
        return known;
    }

    private void send(TimerSpec spec, Firing firing) throws Exception {
        TimerConfig c = config.get().get(spec.id());
        if (c == null) {
            throw new ServiceFault("this member's configuration has no timers." + spec.id()
                    + ", so the text of its message is not known here: give all members the same timers");
        }
        Sender messaging = sender;
        if (messaging == null) {
            throw new ServiceFault("messaging does not run on this member: add a listener with protocol: weir");
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(TIMER, firing.id());
        properties.put(SCHEDULED, firing.scheduled().toEpochMilli());
        properties.put(FENCE, firing.fence().toString());
        try {
            messaging
                    .send(
                            spec.target().substring(MESSAGE.length()),
                            c.message(),
                            properties,
                            () -> admits.test(firing.fence()))
                    .get(SEND_SECONDS, TimeUnit.SECONDS);
        } catch (CancellationException e) {
            throw new FenceRefused(firing.fence());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
