package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.datastream.SupportedDataStreamType;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.GroupListReplyProto;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The port of a member's log before anything is known of who comes: how much of it one may use up. */
@Timeout(300)
@Tag("slow")
final class LogServerChannelTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final LogServerChannel.Bounds WIDE = new LogServerChannel.Bounds(100, 50, 40, 64 << 10, MINUTE);

    private final UUID cluster = UUID.randomUUID();
    private final LogAccess access = new LogAccess(Members.NO_TLS, "the members' secret");
    private final Stats stats = new Stats();

    /** A port with one call behind it that anybody would be answered. */
    private final class Door implements AutoCloseable {
        private final LogPort port;
        private final Server server;
        private final List<Socket> callers = new ArrayList<>();

        /** @param tls whether the port speaks TLS, as it does; else only the check of each call is left */
        Door(LogServerChannel.Bounds bounds, boolean tls) throws Exception {
            port = LogPort.of(parts(), bounds);
            NettyServerBuilder builder =
                    NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            GrpcTlsConfig config = GrpcConfigKeys.TLS.conf(port.parameters());
            if (tls) {
                builder.sslContext(GrpcUtil.buildSslContextForServer(config));
            }
            server = GrpcConfigKeys.Server.servicesCustomizer(port.parameters())
                    .customize(builder, EnumSet.allOf(GrpcServices.Type.class))
                    .addService(new AdminProtocolServiceGrpc.AdminProtocolServiceImplBase() {
                        @Override
                        public void groupList(
                                GroupListRequestProto request, StreamObserver<GroupListReplyProto> answers) {
                            answers.onNext(GroupListReplyProto.getDefaultInstance());
                            answers.onCompleted();
                        }
                    })
                    .build()
                    .start();
        }

        Socket caller() throws IOException {
            Socket caller = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
            callers.add(caller);
            return caller;
        }

        void call(@Nullable GrpcTlsConfig shown) throws Exception {
            NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort());
            ManagedChannel channel = (shown == null
                            ? builder.usePlaintext()
                            : builder.sslContext(GrpcUtil.buildSslContextForClient(shown)))
                    .build();
            try {
                AdminProtocolServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(1, TimeUnit.MINUTES)
                        .groupList(GroupListRequestProto.getDefaultInstance());
            } finally {
                channel.shutdownNow();
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket s : callers) {
                s.close();
            }
            server.shutdownNow();
            port.close();
        }
    }

    private RatisParts parts() {
        RatisParts.Watcher nobody = new RatisParts.Watcher() {
            @Override
            public void voters(List<RatisPeer> voters) {
                // no log is opened
            }

            @Override
            public void ended(String why) {
                // no log is opened
            }
        };
        return new RatisParts(
                cluster,
                new RatisPeer("alpha", UUID.randomUUID(), "127.0.0.1", 1, false),
                "127.0.0.1",
                List.of(),
                Path.of("unused"),
                new Ledger(),
                Members.TIMES,
                access,
                nobody,
                SystemClock.INSTANCE,
                stats,
                Log.NONE);
    }

    private long refused(String reason) {
        return stats.value(ClusterStats.LOG_REFUSED, "caller", reason);
    }

    /** Waits until the other end closed it. */
    private static void ended(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        try {
            byte[] alert = new byte[512];
            int n = 0;
            while (n >= 0) {
                n = socket.getInputStream().read(alert);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("still open", e);
        } catch (IOException e) {
            assertThat(e).as("a reset ends it, too").hasMessageContaining("reset");
        }
    }

    @Test
    void whoKeepsSilentIsGivenUp() throws Exception {
        LogServerChannel.Bounds quick =
                new LogServerChannel.Bounds(100, 50, 40, 64 << 10, TimeUnit.MILLISECONDS.toNanos(50));
        try (Door door = new Door(quick, true)) {
            ended(door.caller());
            Members.await(() -> refused("silent") == 1);
        }
    }

    @Test
    void whoSendsMuchAndProvesNothingIsCutOff() throws Exception {
        LogServerChannel.Bounds tight = new LogServerChannel.Bounds(100, 50, 40, 64, MINUTE);
        try (Door door = new Door(tight, true)) {
            Socket caller = door.caller();
            // the head of a record of TLS, which is long in coming
            byte[] head = {22, 3, 1, 0x40, 0};
            caller.getOutputStream().write(head);
            caller.getOutputStream().write(new byte[100]);
            ended(caller);
            Members.await(() -> refused("too-long") == 1);
        }
    }

    @Test
    void oneAddressHoldsOnlySoManyConnectionsAndPlacesComeBack() throws Exception {
        LogServerChannel.Bounds few = new LogServerChannel.Bounds(100, 50, 3, 64 << 10, MINUTE);
        try (Door door = new Door(few, true)) {
            List<Socket> silent = List.of(door.caller(), door.caller(), door.caller());
            ended(door.caller());
            Members.await(() -> refused("too-many") == 1);
            for (Socket s : silent) {
                s.close();
            }
            Members.await(() -> refused("left") == 3);
            door.call(Papers.proof(access, cluster));
        }
    }

    @Test
    void membersThatAreInTakeNoPlacesOfThoseWhoCome() throws Exception {
        LogServerChannel.Bounds few = new LogServerChannel.Bounds(100, 1, 1, 64 << 10, MINUTE);
        try (Door door = new Door(few, true)) {
            GrpcTlsConfig shown = Papers.proof(access, cluster);
            List<ManagedChannel> in = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", door.server.getPort())
                        .sslContext(GrpcUtil.buildSslContextForClient(shown))
                        .build();
                in.add(channel);
                AdminProtocolServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(1, TimeUnit.MINUTES)
                        .groupList(GroupListRequestProto.getDefaultInstance());
            }
            in.forEach(ManagedChannel::shutdownNow);
            assertThat(refused("too-many")).isZero();
        }
    }

    @Test
    void evenWhereTheConnectionProvedNothingEachCallIsRefused() throws Exception {
        try (Door door = new Door(WIDE, false)) {
            assertThatThrownBy(() -> door.call(null))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
            assertThat(refused("call")).isEqualTo(1);
        }
    }

    @Test
    void theLibrarysSecondPortStaysShut() throws Exception {
        assertThat(RaftConfigKeys.DataStream.type(RatisSettings.properties(parts()), _ -> {}))
                .as("of its data streams")
                .isEqualTo(SupportedDataStreamType.DISABLED);
    }
}
