package io.weir.cluster.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.log.ClusterLoop;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.login.LoginKey;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.server.WireConfig;
import io.weir.wire.server.WireServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Members in this process, each with a weir listener on loopback. Confined to the test's thread. */
final class Town implements AutoCloseable {
    private static final ConfigNode.Place HERE = ConfigNode.Place.of("test");

    /** Deriving one is slow by design. */
    private static final Map<String, LoginKey> KEYS = new ConcurrentHashMap<>();

    /** A place with a listener that stays while members come and go. */
    final class House implements AutoCloseable {
        final String name;
        final RecordingLog log = new RecordingLog();
        private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        private final WireServer server;
        private final Channel socket;
        private volatile @Nullable Membership membership;
        private final AtomicBoolean mute = new AtomicBoolean();
        private @Nullable ClusterLoop loop;
        private Notes notes = new Notes();
        private @Nullable String secret;

        House(String name, @Nullable String secret) {
            this.name = name;
            this.secret = secret;
            server = new WireServer(
                    new Live<>(bind(WireConfig.class, Map.of())),
                    new WireServer.Parts(
                            new MemberLogins((_, _, _) -> CompletableFuture.completedFuture(null), key(secret)),
                            NamingDirectory.empty(),
                            this::handler,
                            new Stats(),
                            log,
                            SystemClock.INSTANCE));
            socket = new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
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

        private FrameHandler handler(WireConnection connection) {
            Membership m = membership;
            if (m == null) {
                throw new WireFault(WireFault.Reason.SHUTDOWN, "nobody is at home");
            }
            FrameHandler frames = m.frames(connection);
            return new FrameHandler() {
                @Override
                public void frame(int type, int stream, ByteBuf payload) {
                    frames.frame(type, stream, payload);
                    if (type == MembersFrame.CHANGE.code() && mute.getAndSet(false)) {
                        throw new WireFault(WireFault.Reason.SHUTDOWN, "what was asked for is done, not answered");
                    }
                }

                @Override
                public void closed(@Nullable Throwable cause) {
                    frames.closed(cause);
                }
            };
        }

        /** Does what the next person asks for, and is not heard any more. */
        void losesItsNextAnswer() {
            mute.set(true);
        }

        String address() {
            return "127.0.0.1:" + ((InetSocketAddress) socket.localAddress()).getPort();
        }

        Path disk() {
            return folder.resolve(name);
        }

        Membership member() {
            return Objects.requireNonNull(membership);
        }

        Notes notes() {
            return notes;
        }

        void start(List<String> members, String... settings) throws IOException {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("member", name);
            all.put("log.election-time-out", "300ms");
            for (String s : settings) {
                all.put(s.substring(0, s.indexOf('=')), s.substring(s.indexOf('=') + 1));
            }
            ConfigNode.Mapping tree = tree(all)
                    .with(
                            "members",
                            new ConfigNode.Sequence(
                                    HERE,
                                    members.stream()
                                            .<ConfigNode>map(m -> new ConfigNode.Scalar(HERE, m))
                                            .toList()));
            notes = new Notes();
            ClusterLoop l = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1));
            loop = l;
            membership = Membership.start(new MembershipParts(
                    bind(ClusterConfig.class, tree),
                    secret,
                    key(secret),
                    address(),
                    disk(),
                    notes,
                    l,
                    ClientOptions.DEFAULT,
                    new Stats(),
                    log));
        }

        void stop() {
            Membership m = membership;
            membership = null;
            if (m != null) {
                m.close();
            }
            ClusterLoop l = loop;
            if (l != null) {
                l.close();
            }
        }

        /** Stops, and nothing listens at its address any more. */
        void vanishes() {
            stop();
            socket.close().syncUninterruptibly();
        }

        void wipe() throws IOException {
            delete(disk());
        }

        /** As it was when it had heard that the cluster was formed, and nothing else. */
        void forgetsItsEntries() throws IOException {
            delete(disk().resolve("log-" + Identity.of(disk()).storage()));
        }

        private static void delete(Path folder) throws IOException {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(f);
                }
            }
        }

        /** As it was when it had introduced itself and had not heard yet that the cluster was formed. */
        void forgetsItsCluster() throws IOException {
            Identity before = Identity.of(disk());
            wipe();
            new Identity(before.storage(), before.address(), null, List.of()).save(Files.createDirectories(disk()));
        }

        String submit(String command) throws Exception {
            return new String(
                    get(member().log().submit(command.getBytes(StandardCharsets.UTF_8))), StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
            stop();
            socket.close().syncUninterruptibly();
            server.close().orTimeout(10, TimeUnit.SECONDS).join();
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private final Path folder;
    private final List<House> houses = new ArrayList<>();

    Town(Path folder) {
        this.folder = folder;
    }

    House house(String name) {
        return house(name, "a secret");
    }

    private static @Nullable LoginKey key(@Nullable String secret) {
        return secret == null ? null : KEYS.computeIfAbsent(secret, LoginKey::of);
    }

    House house(String name, @Nullable String secret) {
        House h = new House(name, secret);
        houses.add(h);
        return h;
    }

    /** Three that form a cluster. */
    List<House> three() throws Exception {
        List<House> three = List.of(house("alpha"), house("beta"), house("gamma"));
        for (House h : three) {
            h.start(addresses(three));
        }
        for (House h : three) {
            formed(h);
        }
        return three;
    }

    static List<String> addresses(List<House> of) {
        return of.stream().map(House::address).toList();
    }

    static House leader(List<House> of) {
        await(() -> of.stream().anyMatch(h -> h.notes().leading()));
        return of.stream().filter(h -> h.notes().leading()).findFirst().orElseThrow();
    }

    static House follower(List<House> of) {
        House leader = leader(of);
        return of.stream().filter(h -> h != leader).findFirst().orElseThrow();
    }

    static List<String> voters(House house) {
        return house.member().log().status().peers().stream()
                .map(p -> p.member())
                .sorted()
                .toList();
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(3, TimeUnit.MINUTES);
    }

    /** Waits until a member keeps the log. */
    static void formed(House house) throws Exception {
        try {
            get(house.member().formed());
        } catch (TimeoutException e) {
            throw new AssertionError(
                    house.name + " is not let in: " + house.member().view() + "\n" + house.log.entries(), e);
        }
    }

    /** Waits until a member says that it waits for this. */
    static void awaitWaiting(House house, String text) {
        long deadline = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (!house.member().view().waiting().contains(text)) {
            assertThat(SystemClock.INSTANCE.nanos())
                    .as(() -> house.member().view().toString())
                    .isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    static void await(BooleanSupplier condition) {
        long deadline = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (!condition.getAsBoolean()) {
            assertThat(SystemClock.INSTANCE.nanos()).as("awaited in vain").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static ConfigNode.Mapping tree(Map<String, String> settings) {
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(HERE);
        for (Map.Entry<String, String> s : settings.entrySet()) {
            tree = tree.with(s.getKey(), new ConfigNode.Scalar(HERE, s.getValue()));
        }
        return tree;
    }

    private static <T extends Record> T bind(Class<T> type, Map<String, String> settings) {
        return bind(type, tree(settings));
    }

    private static <T extends Record> T bind(Class<T> type, ConfigNode.Mapping tree) {
        ConfigBinder binder = new ConfigBinder();
        T bound = binder.bind(tree, type);
        assertThat(binder.problems()).isEmpty();
        return bound;
    }

    @Override
    public void close() {
        CompletableFuture.allOf(houses.stream()
                        .map(h -> CompletableFuture.runAsync(h::close, Thread::startVirtualThread))
                        .toArray(CompletableFuture[]::new))
                .join();
    }
}
