package io.weir.kernel.listen;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A prepared change of the listeners: new ones are bound and have their certificates, but do not accept yet. Either
 * {@link #begin} or {@link #cancel} is called, once, by the thread that changes the configuration.
 */
public final class ListenerChange {
    private final Listeners listeners;
    private final Map<String, ListenerConfig> configs;
    private final List<Listener> order;
    private final List<Listener> come;
    private final List<Listener> go;

    ListenerChange(
            Listeners listeners,
            Map<String, ListenerConfig> configs,
            List<Listener> order,
            List<Listener> come,
            List<Listener> go) {
        this.listeners = listeners;
        this.configs = Map.copyOf(configs);
        this.order = List.copyOf(order);
        this.come = List.copyOf(come);
        this.go = List.copyOf(go);
    }

    /**
     * Starts accepting on the new listeners and stops accepting on the removed ones: responses on their connections say
     * close, connections that are idle after half of the time-out are closed, and those open after the whole time-out
     * are reset.
     */
    public void begin(Duration drainTimeOut) {
        listeners.put(this, configs, drainTimeOut);
    }

    /** Discards the change and closes the sockets that were bound. */
    public void cancel() {
        come.forEach(listeners::drop);
    }

    /** Whether no listener is added or removed. */
    public boolean nothing() {
        return come.isEmpty() && go.isEmpty();
    }

    List<Listener> order() {
        return order;
    }

    List<Listener> come() {
        return come;
    }

    List<Listener> go() {
        return go;
    }

    List<Listener> stay() {
        return order.stream().filter(l -> !come.contains(l)).toList();
    }
}
