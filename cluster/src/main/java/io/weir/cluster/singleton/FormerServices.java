package io.weir.cluster.singleton;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Instances that were services on this member: a thread left behind by one of them acts with its former fence, not with
 * the member's lease. Shared; keeps an instance's activation while the instance is reachable.
 */
final class FormerServices {
    private final ConcurrentMap<Key, Activation> byObject = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    /** A weak key that compares objects by identity. */
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

    /** The last activation of which this object was the service. */
    Optional<Activation> of(Object object) {
        return Optional.ofNullable(byObject.get(new Key(object, null)));
    }
}
