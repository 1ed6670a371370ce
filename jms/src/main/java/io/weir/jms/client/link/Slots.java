package io.weir.jms.client.link;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects by small numbers, from 1, which are reused when free. Read without a lock by the loop, changed rarely.
 * Shared.
 */
public final class Slots<T> {
    private volatile @Nullable Object[] things = new @Nullable Object[4];
    private volatile int count;

    /** Adds an object and returns its number. */
    public synchronized int add(T thing) {
        @Nullable Object[] now = things;
        int free = 1;
        while (free < now.length && now[free] != null) {
            free++;
        }
        @Nullable Object[] next = Arrays.copyOf(now, free < now.length ? now.length : now.length * 2);
        next[free] = thing;
        things = next;
        count = (int) all().count();
        return free;
    }

    /** The object with this number; null if it is free. */
    @SuppressWarnings("unchecked") // only T are put in
    @Nullable
    public T get(int number) {
        @Nullable Object[] now = things;
        return number > 0 && number < now.length ? (T) now[number] : null;
    }

    /** Frees the number if it is this object's. */
    public synchronized void remove(int number, T thing) {
        if (thing.equals(get(number))) {
            @Nullable Object[] next = things.clone();
            next[number] = null;
            things = next;
            count = (int) all().count();
        }
    }

    /** All current objects. */
    @SuppressWarnings("unchecked") // only T are put in
    public Stream<T> all() {
        return Arrays.stream(things).filter(Objects::nonNull).map(t -> (T) t);
    }

    /** Whether any of them matches; without garbage. */
    @SuppressWarnings("unchecked") // only T are put in
    public boolean any(Predicate<? super T> so) {
        for (Object thing : things) {
            if (thing != null && so.test((T) thing)) {
                return true;
            }
        }
        return false;
    }

    /** The number of objects. */
    public int count() {
        return count;
    }
}
