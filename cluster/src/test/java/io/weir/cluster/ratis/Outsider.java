package io.weir.cluster.ratis;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * Who speaks to the members' logs without being one: the library's own client as anybody can write it, and its wire
 * messages between members and of administrators. Every attempt opens its own connection. Confined to the test's thread.
 */
final class Outsider {
    /** One thing to try; returns where it was done. */
    interface Attempt {
        void run() throws Exception;
    }

    private static final long HIGH_TERM = 1_000_000;
    private static final long PATIENCE_SECONDS = 60;

    private final Members members;
    private final @Nullable GrpcTlsConfig tls;
    private final RaftGroup group;
    private final String target;
    private final int port;

    /**
     * @param tls what it shows; null to speak plainly
     * @param target the member that it speaks to
     */
    Outsider(Members members, @Nullable GrpcTlsConfig tls, String target) {
        this(members, tls, target, members.peer(target).port());
    }

    /** @param port where the target is reached */
    Outsider(Members members, @Nullable GrpcTlsConfig tls, String target, int port) {
        this.members = members;
        this.port = port;
        this.tls = tls;
        this.target = target;
        this.group = RaftGroup.valueOf(
                RaftGroupId.valueOf(members.cluster),
                members.peers.values().stream()
                        .map(p -> p.name().equals(target)
                                ? new RatisPeer(p.name(), p.storage(), p.host(), port, p.witness())
                                : p)
                        .map(RatisPeer::toRaft)
                        .toList());
    }

    /** By the library's client, then by messages between members, then by an administrator's. */
    Map<String, Attempt> attempts() {
        Map<String, Attempt> all = new LinkedHashMap<>();
        all.put("list the groups", this::list);
        all.put("append an entry", () -> append("a stranger's"));
        all.put("read", () -> client(c -> c.io().sendReadOnly(Message.EMPTY)));
        all.put("remove a member", this::remove);
        all.put("hand the leadership over", () -> client(c -> c.admin().transferLeadership(id(other()), 3000)));
        all.put(
                "take a snapshot",
                () -> client(c -> c.getSnapshotManagementApi(id(target)).create(true, 3000)));
        all.put(
                "pause elections",
                () -> client(c -> c.getLeaderElectionManagementApi(id(target)).pause()));
        all.put(
                "remove the group",
                () -> client(c -> c.getGroupManagementApi(id(target)).remove(group.getGroupId(), true, false)));
        all.put("ask for a vote", this::vote);
        all.put("append as a leader", this::lead);
        all.put("install a snapshot", this::install);
        all.put("begin an election", this::elect);
        all.put("ask for the index to read", this::readIndex);
        all.put("list the groups, raw", this::listRaw);
        return all;
    }

    private RaftPeerId id(String name) {
        return RaftPeerId.valueOf(members.peer(name).id());
    }

    private String other() {
        return members.peers.keySet().stream()
                .filter(n -> !n.equals(target))
                .findFirst()
                .orElseThrow();
    }

    // The library's client

    private interface Asked {
        RaftClientReply of(RaftClient client) throws IOException;
    }

    private RaftClient open() {
        RaftProperties p = new RaftProperties();
        RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
        RaftClientConfigKeys.Rpc.setRequestTimeout(p, TimeDuration.valueOf(PATIENCE_SECONDS, TimeUnit.SECONDS));
        Parameters parameters = new Parameters();
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(parameters, tls);
        }
        return RaftClient.newBuilder()
                .setRaftGroup(group)
                .setLeaderId(id(target))
                .setProperties(p)
                .setParameters(parameters)
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
    }

    private void client(Asked asked) throws IOException {
        try (RaftClient client = open()) {
            RaftClientReply reply = asked.of(client);
            if (!reply.isSuccess()) {
                throw new IOException("answered, and refused: " + reply.getException());
            }
        }
    }

    void list() throws IOException {
        try (RaftClient client = open()) {
            client.getGroupManagementApi(id(target)).list();
        }
    }

    void append(String entry) throws IOException {
        client(c -> c.io().send(Message.valueOf(entry)));
    }

    void remove() throws IOException {
        List<RaftPeer> rest = group.getPeers().stream()
                .filter(p -> !p.getId().equals(id(other())))
                .toList();
        client(c -> c.admin().setConfiguration(rest));
    }

    // Between members

    private RaftRpcRequestProto head() {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(ByteString.copyFromUtf8(members.peer(other()).id()))
                .setReplyId(ByteString.copyFromUtf8(members.peer(target).id()))
                .setRaftGroupId(
                        RaftGroupIdProto.newBuilder().setId(group.getGroupId().toByteString()))
                .setCallId(1)
                .build();
    }

    private interface Raw {
        void of(ManagedChannel channel) throws Exception;
    }

    private void raw(Raw raw) throws Exception {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", port);
        if (tls == null) {
            builder.usePlaintext();
        } else {
            builder.sslContext(GrpcUtil.buildSslContextForClient(tls));
        }
        ManagedChannel channel = builder.build();
        try {
            raw.of(channel);
        } finally {
            channel.shutdownNow();
        }
    }

    private static RaftServerProtocolServiceGrpc.RaftServerProtocolServiceBlockingStub member(ManagedChannel channel) {
        return RaftServerProtocolServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void vote() throws Exception {
        raw(c -> member(c)
                .requestVote(RequestVoteRequestProto.newBuilder()
                        .setServerRequest(head())
                        .setCandidateTerm(HIGH_TERM)
                        .setCandidateLastEntry(
                                TermIndexProto.newBuilder().setTerm(HIGH_TERM).setIndex(HIGH_TERM))
                        .build()));
    }

    private void elect() throws Exception {
        raw(c -> member(c)
                .startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                        .setServerRequest(head())
                        .setLeaderLastEntry(
                                TermIndexProto.newBuilder().setTerm(1).setIndex(1))
                        .build()));
    }

    private void readIndex() throws Exception {
        raw(c -> member(c)
                .readIndex(ReadIndexRequestProto.newBuilder()
                        .setServerRequest(head())
                        .build()));
    }

    private void lead() throws Exception {
        LogEntryProto entry = LogEntryProto.newBuilder()
                .setTerm(HIGH_TERM)
                .setIndex(0)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFromUtf8("a stranger's")))
                .build();
        raw(c -> stream(
                (RaftServerProtocolServiceGrpc.RaftServerProtocolServiceStub stub,
                        StreamObserver<AppendEntriesReplyProto> answers) -> stub.appendEntries(answers),
                c,
                AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(head())
                        .setLeaderTerm(HIGH_TERM)
                        .addEntries(entry)
                        .setLeaderCommit(HIGH_TERM)
                        .build()));
    }

    private void install() throws Exception {
        raw(c -> stream(
                (RaftServerProtocolServiceGrpc.RaftServerProtocolServiceStub stub,
                        StreamObserver<InstallSnapshotReplyProto> answers) -> stub.installSnapshot(answers),
                c,
                InstallSnapshotRequestProto.newBuilder()
                        .setServerRequest(head())
                        .setLeaderTerm(HIGH_TERM)
                        .setSnapshotChunk(InstallSnapshotRequestProto.SnapshotChunkProto.newBuilder()
                                .setTermIndex(TermIndexProto.newBuilder()
                                        .setTerm(HIGH_TERM)
                                        .setIndex(HIGH_TERM))
                                .setDone(true))
                        .build()));
    }

    private interface Streaming<Q, A> {
        StreamObserver<Q> open(
                RaftServerProtocolServiceGrpc.RaftServerProtocolServiceStub stub, StreamObserver<A> answers);
    }

    private static <Q, A> void stream(Streaming<Q, A> streaming, ManagedChannel channel, Q question) throws Exception {
        CompletableFuture<A> first = new CompletableFuture<>();
        StreamObserver<Q> questions = streaming.open(
                RaftServerProtocolServiceGrpc.newStub(channel).withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
                new StreamObserver<>() {
                    @Override
                    public void onNext(A answer) {
                        first.complete(answer);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        first.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        first.completeExceptionally(new IOException("ended without an answer"));
                    }
                });
        questions.onNext(question);
        try {
            first.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    // Administrators

    private void listRaw() throws Exception {
        raw(c -> AdminProtocolServiceGrpc.newBlockingStub(c)
                .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .groupList(
                        GroupListRequestProto.newBuilder().setRpcRequest(head()).build()));
    }

    /** Whether the port, and not the log behind it, refused. */
    static boolean atThePort(Throwable failure) {
        for (Iterator<Throwable> i = causes(failure); i.hasNext(); ) {
            if (i.next() instanceof StatusRuntimeException s) {
                return s.getStatus().getCode() == Status.Code.UNAVAILABLE
                        || s.getStatus().getCode() == Status.Code.UNAUTHENTICATED;
            }
        }
        return false;
    }

    private static Iterator<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).iterator();
    }
}
