package io.weir.base;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The current value of a part of the configuration: an immutable record that a live change swaps whole. Readers call
 * {@link #get()} each time (one volatile read). Shared; written by the admin thread only.
 */
public final class Live<T> implements Supplier<T> {
    private final List<Consumer<T>> observers = new CopyOnWriteArrayList<>();
    private volatile T value;

    public Live(T value) {
        this.value = value;
    }

    @Override
    public T get() {
        return value;
    }

    /** Swaps the value and tells the observers, on the calling thread. */
    public void set(T next) {
        value = next;
        for (Consumer<T> observer : observers) {
            observer.accept(next);
        }
    }

    /** Calls the observer now and at every change. */
    public void observe(Consumer<T> observer) {
        observers.add(observer);
        observer.accept(value);
    }

    /** A part of this value that follows it. */
    public <P> Live<P> part(Function<? super T, ? extends P> of) {
        Live<P> part = new Live<>(of.apply(value));
        observers.add(next -> part.set(of.apply(next)));
        return part;
    }
}
