package io.weir.cluster.singleton;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects that were services here and are none any more: a thread that one of them left behind acts with the fence of back
 * then, not in the member's name. Shared; holds an object's activation for as long as something else holds the object.
 */
final class FormerServices {
    private final ConcurrentMap<Key, Activation> byObject = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    /** An object by its identity. */
    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object object, @Nullable ReferenceQueue<Object> queue) {
            super(object, queue);
            hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            Object mine = get();
            return this == other || (other instanceof Key k && mine != null && k.refersTo(mine));
        }
    }

    void add(Object object, Activation activation) {
        for (Reference<?> r = gone.poll(); r != null; r = gone.poll()) {
            byObject.remove(r);
        }
        byObject.put(new Key(object, gone), activation);
    }

    /** The last activation of which this very object was the service. */
    Optional<Activation> of(Object object) {
        return Optional.ofNullable(byObject.get(new Key(object, null)));
    }
}
