package io.weir.server.processes;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.SharedPort;
import io.weir.server.config.WeirConfig;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * The listening sockets of all workers, by listener, in the order of the configuration. Shared; lives as long as the
 * supervisor.
 */
final class Ports implements AutoCloseable {
    private final IoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("weir.Supervisor sockets", true), EpollIoHandler.newFactory());
    private final Map<String, SharedPort> ports = new LinkedHashMap<>();
    private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    private final Map<String, String> places = new LinkedHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private final int slots;

    private Ports(int slots) {
        this.slots = slots;
    }

    /**
     * Opens the sockets of a configuration's http listeners.
     *
     * @throws BindFailure if one cannot be bound
     */
    static Ports open(WeirConfig config) throws BindFailure {
        Ports all = new Ports(config.server().processes());
        try {
            for (Map.Entry<String, ListenerConfig> e : config.listeners().entrySet()) {
                if (Supervisor.isHttp(e.getValue())) {
                    SharedPort port = SharedPort.open(
                            e.getKey(), e.getValue(), config.server().processes(), all.loops);
                    all.ports.put(e.getKey(), port);
                    all.addresses.put(e.getKey(), port.address());
                    all.places.put(
                            "listener." + e.getKey(),
                            e.getValue().place(port.address().getPort()));
                }
            }
            return all;
        } catch (BindFailure e) {
            all.close();
            throw e;
        }
    }

    List<String> names() {
        return List.copyOf(ports.keySet());
    }

    InetSocketAddress address(String name) {
        InetSocketAddress at = addresses.get(name);
        if (at == null) {
            throw new IllegalArgumentException("no socket of " + name);
        }
        return at;
    }

    /** The listeners' addresses, in the form of a URL, by their keys in the pid file. */
    Map<String, String> listeners() {
        return places;
    }

    /** The descriptors of all slots in the order of their numbers, those of a slot in the order of {@link #names}. */
    List<Integer> descriptors() {
        return IntStream.range(0, slots)
                .boxed()
                .flatMap(slot -> ports.values().stream().map(p -> p.descriptor(slot)))
                .toList();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            ports.values().forEach(SharedPort::close);
            var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
