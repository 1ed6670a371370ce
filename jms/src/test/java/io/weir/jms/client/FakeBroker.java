package io.weir.jms.client;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.wire.FrameHandler;
import io.weir.wire.FrameRoutes;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.naming.NamingEntry;
import io.weir.wire.server.WireConfig;
import io.weir.wire.server.WireServer;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a few lines that keeps the frames' contract, records what it hears, and refuses or keeps back answers when it
 * is told to. Queues and topics exist when they are not named "missing"; everything happens on its one loop.
 */
public final class FakeBroker implements AutoCloseable {
    /** A message that lies in a queue. */
    static final class Stored {
        final byte[] block;
        final DestinationName home;
        int deliveries;

        Stored(byte[] block, DestinationName home) {
            this.block = block;
            this.home = home;
        }
    }

    /** What was heard: the frame's name and what it says. */
    record Heard(String type, int stream, String what) {}

    private record Refusal(RefusalCode code, String text, Runnable before) {}

    private static final String PASSED = "passed on";

    final Map<DestinationName, Deque<Stored>> queues = new HashMap<>();
    public final List<FakePeer> peers = new CopyOnWriteArrayList<>();
    final Map<String, NamingEntry> names = new TreeMap<>();
    /** Connections that are free after a GOODBYE, and how much later than it. */
    final AtomicInteger freed = new AtomicInteger();

    volatile long freeingMillis;

    final AtomicInteger temporaries = new AtomicInteger();
    final Set<String> clientIds = ConcurrentHashMap.newKeySet();
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final Map<Integer, Deque<Refusal>> refusals = new ConcurrentHashMap<>();
    private final Set<Integer> held = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Runnable> heldAnswers = new ConcurrentLinkedQueue<>();
    /** Who answers to calls of services. */
    volatile Function<WireConnection, FrameHandler> calls = _ -> {
        throw new IllegalStateException("no calls are expected");
    };

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final WireServer server;
    private final int port;
    private final Channel socket;

    public FakeBroker() {
        server = new WireServer(
                new Live<>(ConfigBinder.defaults(WireConfig.class)),
                new WireServer.Parts(
                        (user, password, from) -> CompletableFuture.completedFuture(principal(user, password)),
                        new Names(),
                        new FrameRoutes(List.of(
                                new FrameRoutes.Route(0x20, 0x5f, true, this::peer),
                                new FrameRoutes.Route(0x60, 0x6f, false, wire -> calls.apply(wire)))),
                        new Stats(),
                        Log.NONE,
                        SystemClock.INSTANCE));
        socket = bind();
        port = ((InetSocketAddress) socket.localAddress()).getPort();
    }

    private FakePeer peer(WireConnection wire) {
        FakePeer peer = new FakePeer(this, wire);
        peers.add(peer);
        return peer;
    }

    private static @Nullable Principal principal(@Nullable String user, char @Nullable [] password) {
        boolean known = user == null || (password != null && new String(password).equals("secret"));
        return known ? new Principal(user == null ? "guest" : user, List.of()) : null;
    }

    private Channel bind() {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        server.install(channel.pipeline());
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
    }

    String url() {
        return "weir://127.0.0.1:" + port;
    }

    // ---- scripting

    /** Refuses the next request of this type. */
    public void refuse(int type, RefusalCode code, String text) {
        refuse(type, code, text, () -> {});
    }

    /**
     * Refuses the next request of this type.
     *
     * @param before is run before the refusal is sent
     */
    public void refuse(int type, RefusalCode code, String text, Runnable before) {
        refusals.computeIfAbsent(type, t -> new ArrayDeque<>()).add(new Refusal(code, text, before));
    }

    /** Keeps answers to requests of this type back until {@link #release}. */
    public void hold(int type) {
        held.add(type);
    }

    /** Gives the answers that were kept back, in reverse order if asked. */
    public void release(boolean reversed) {
        held.clear();
        List<Runnable> answers = new ArrayList<>();
        for (Runnable a = heldAnswers.poll(); a != null; a = heldAnswers.poll()) {
            answers.add(a);
        }
        run(() -> (reversed ? answers.reversed() : answers).forEach(Runnable::run));
    }

    /** Cuts all connections. */
    public void cut() {
        run(() -> {
            List<FakePeer> gone = List.copyOf(peers);
            peers.clear();
            gone.forEach(p -> p.wire.close(new WireFault(WireFault.Reason.SHUTDOWN, "cut")));
        });
    }

    /** Does something on the broker's loop and waits for it. */
    public void run(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loops.next().execute(() -> {
            task.run();
            done.complete(null);
        });
        done.orTimeout(10, TimeUnit.SECONDS).join();
    }

    // ---- what happened

    void hear(int type, int stream, String what) {
        heard.add(new Heard(FrameType.name(type), stream, what));
    }

    public List<String> heard(int type) {
        return heard.stream()
                .filter(h -> h.type().equals(FrameType.name(type)))
                .map(Heard::what)
                .toList();
    }

    /** Messages were said to be passed on, in a frame of this type. */
    void heardPassed(int type, int stream, String tags) {
        heard.add(new Heard(PASSED, stream, FrameType.name(type) + " " + tags));
    }

    /** What was said to be passed on: the frame's name and the tags. */
    public List<String> passed() {
        return heard.stream()
                .filter(h -> h.type().equals(PASSED))
                .map(Heard::what)
                .toList();
    }

    /** The acknowledgements, whether an answer was asked for or not. */
    public List<String> acknowledged() {
        return heard.stream()
                .filter(h -> h.type().equals("ACK") || h.type().equals("SETTLE"))
                .map(Heard::what)
                .toList();
    }

    public int count(int type) {
        return heard(type).size();
    }

    public void forget() {
        heard.clear();
    }

    /** Messages that lie in a destination now. */
    public int depth(DestinationName name) {
        int[] n = new int[1];
        run(() -> n[0] = queues.getOrDefault(name, new ArrayDeque<>()).size());
        return n[0];
    }

    public static void await(String what, BooleanSupplier condition) {
        long end = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (!condition.getAsBoolean()) {
            if (SystemClock.INSTANCE.nanos() > end) {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    // ---- for peers

    /** Whether the request is refused by script; else its answer is given, now or when it is released. */
    void answer(FakePeer peer, int type, int stream, int request, Runnable answer) {
        Deque<Refusal> scripted = refusals.get(type);
        Refusal refusal = scripted == null || request == 0 ? null : scripted.poll();
        Runnable said = refusal == null
                ? answer
                : () -> {
                    refusal.before().run();
                    peer.refused(stream, request, refusal.code(), refusal.text());
                };
        if (held.contains(type)) {
            heldAnswers.add(said);
        } else {
            said.run();
        }
    }

    Deque<Stored> queue(DestinationName name) {
        return queues.computeIfAbsent(name, n -> new ArrayDeque<>());
    }

    /** A message arrived: into its queue, or to a topic's subscribers. */
    void arrived(DestinationName to, byte[] block) {
        if (to.kind().topic()) {
            for (FakePeer p : peers) {
                p.consumersOf(to).forEach(c -> c.from.add(new Stored(block, to)));
            }
        } else {
            queue(to).add(new Stored(block, to));
        }
        serve();
    }

    /** Gives waiting consumers what there is. */
    void serve() {
        peers.forEach(FakePeer::serve);
    }

    static byte[] bytes(ByteBuf block) {
        byte[] copy = new byte[block.readableBytes()];
        block.readBytes(copy);
        return copy;
    }

    private final class Names implements NamingDirectory {
        @Override
        public @Nullable NamingEntry lookup(String name, Principal user) {
            return names.get(name);
        }

        @Override
        public List<NamingEntry> list(String prefix, Principal user) {
            return names.values().stream()
                    .filter(e -> e.name().startsWith(prefix))
                    .toList();
        }
    }

    @Override
    public void close() {
        socket.close().syncUninterruptibly();
        server.close().orTimeout(10, TimeUnit.SECONDS).join();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Takes no new connections. */
    void stopListening() {
        socket.close().syncUninterruptibly();
    }
}
