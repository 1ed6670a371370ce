package io.weir.kernel.listen;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A change of the listeners that is ready: what is new is bound and has its certificates, and nothing accepts yet. Either
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
     * The new listeners accept from now on. Those that are taken away accept no more: answers on their connections say
     * close, what is idle after half of the time is closed, and what is left after the whole time is reset.
     */
    public void begin(Duration drainTimeOut) {
        listeners.put(this, configs, drainTimeOut);
    }

    /** Nothing changes; what was bound is closed. */
    public void cancel() {
        come.forEach(listeners::drop);
    }

    /** Whether no listener comes or goes. */
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
