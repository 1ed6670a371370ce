package io.weir.base;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The current value of a part of the configuration: an immutable record that a live change replaces as a whole. Readers
 * call {@link #get()} each time (one volatile read). Shared; written by the admin thread only.
 */
public final class Live<T> implements Supplier<T> {
    private final List<Consumer<T>> observers = new CopyOnWriteArrayList<>();
    private final List<Part<T, ?>> parts = new CopyOnWriteArrayList<>();
    private volatile T value;

    /** A part, and how it is derived from the whole. */
    private record Part<T, P>(Live<P> live, Function<? super T, ? extends P> of) {
        /** Replaces the part; returns the calls to its observers, none if it did not change. */
        private List<Runnable> swap(T whole) {
            P next = of.apply(whole);
            return Objects.equals(live.value, next) ? List.of() : live.swap(next);
        }
    }

    public Live(T value) {
        this.value = value;
    }

    @Override
    public T get() {
        return value;
    }

    /**
     * Replaces the value and all of its parts, then notifies the observers on the calling thread: an observer never
     * sees an old part. Observers of unchanged parts are not notified.
     *
     * @throws RuntimeException the first exception of an observer, after all were notified; the value is replaced
     * nevertheless
     */
    public void set(T next) {
        RuntimeException failed = null;
        for (Runnable notification : swap(next)) {
            failed = notifyObserver(notification, failed);
        }
        if (failed != null) {
            throw failed;
        }
    }

    private static @Nullable RuntimeException notifyObserver(Runnable observer, @Nullable RuntimeException before) {
        try {
            observer.run();
            return before;
        } catch (RuntimeException e) {
            if (before == null) {
                return e;
            }
            before.addSuppressed(e);
            return before;
        }
    }

    private List<Runnable> swap(T next) {
        value = next;
        List<Runnable> notifications = new ArrayList<>();
        for (Consumer<T> observer : observers) {
            notifications.add(() -> observer.accept(next));
        }
        for (Part<T, ?> part : parts) {
            notifications.addAll(part.swap(next));
        }
        return notifications;
    }

    /** Calls the observer now and at every change. */
    public void observe(Consumer<T> observer) {
        observers.add(observer);
        observer.accept(value);
    }

    /** A part of this value, which is updated with it. */
    public <P> Live<P> part(Function<? super T, ? extends P> of) {
        Live<P> part = new Live<>(of.apply(value));
        parts.add(new Part<>(part, of));
        return part;
    }
}
