package io.weir.cluster.singleton;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The services active on this member, by name, by instance and by class loader of their deployment. Used by naming to
 * find the fence of a bind. Shared; bounded by the number of singletons.
 */
public final class ActiveServices {
    /**
     * An active service.
     *
     * @param instance the object whose {@code activate} was called; for an adapted service the user's object
     */
    public record Active(Activation activation, Object instance) {}

    private final ConcurrentMap<String, Active> byName = new ConcurrentHashMap<>();
    private final FormerServices former = new FormerServices();

    void add(Active active) {
        byName.put(active.activation().service(), active);
    }

    void remove(Activation activation) {
        byName.computeIfPresent(activation.service(), (_, a) -> {
            if (a.activation() != activation) {
                return a;
            }
            former.add(a.instance(), activation);
            return null;
        });
    }

    /** Finds an active service by name. */
    public Optional<Active> named(String service) {
        return Optional.ofNullable(byName.get(service));
    }

    /**
     * The activation of which this object is the service, or was last; otherwise that of the only service of its class
     * loader.
     */
    public Optional<Activation> of(Object instance) {
        IdentityHashMap<Object, Activation> byInstance = new IdentityHashMap<>();
        byName.values().forEach(a -> byInstance.put(a.instance(), a.activation()));
        return Optional.ofNullable(byInstance.get(instance))
                .or(() -> former.of(instance))
                .or(() -> of(instance.getClass().getClassLoader()));
    }

    /**
     * The activation of the only active service whose class was defined by this loader; empty if there are none or
     * several.
     */
    public Optional<Activation> of(@Nullable ClassLoader loader) {
        List<Activation> from = byName.values().stream()
                .filter(a ->
                        loader != null && loader.equals(a.instance().getClass().getClassLoader()))
                .map(Active::activation)
                .toList();
        return from.size() == 1 ? Optional.of(from.get(0)) : Optional.empty();
    }
}
