package io.weir.cluster.ratis;

import io.weir.base.OwnerOnly;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.stats.ClusterMessages;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;

/**
 * The members' log over Apache Ratis and gRPC: with fsync, linearizable reads and leadership callbacks. Does not use
 * the injected clock, because Ratis does not. Shared by any threads; lives as long as the member, its files longer.
 */
public final class RatisLog implements ConsensusLog {
    private static final long CLOSE_SECONDS = 5;
    private static final long TRANSFER_MILLIS = 2000;

    private final RatisParts parts;
    private final RaftGroupId group;
    private final LogPort port;
    private final RaftServer server;
    private final RaftClientRpc remote;
    private final LeaderRequests requests;
    private final Submissions submissions;
    private final ExecutorService stateThread;
    private final ScheduledExecutorService timer;
    private final RatisEvents events;
    private final CandidacyThreads candidacyThreads;
    private final ClientId client = ClientId.randomId();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Opens the log and starts to participate. Blocks for the disk and the port, not for a leader.
     *
     * @throws IOException if the port is in use or the files cannot be read
     */
    public static RatisLog open(RatisParts parts) throws IOException {
        reserve(parts);
        RatisLog log = new RatisLog(parts);
        try {
            log.start();
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
        return log;
    }

    /** Ratis terminates the process if its port is in use, so that is checked first. */
    private static void reserve(RatisParts parts) throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(parts.bind(), parts.self().port());
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
        } catch (BindException e) {
            throw new IOException(
                    "another process listens on its port, " + parts.bind() + ":"
                            + parts.self().port() + " (" + e.getMessage() + ")",
                    e);
        }
    }

    private void start() throws IOException {
        server.start();
        remote.addRaftPeers(voterPeers());
        events.open(new Opened());
        candidacyThreads.start();
        new VoterConnections(candidacyThreads.voter(), parts.log()).start(timer, parts.times());
    }

    private RatisLog(RatisParts parts) throws IOException {
        this.parts = parts;
        group = RaftGroupId.valueOf(parts.cluster());
        stateThread = Executors.newSingleThreadExecutor(task -> daemon(task, "weir.cluster.state"));
        ScheduledThreadPoolExecutor scheduled =
                new ScheduledThreadPoolExecutor(1, task -> daemon(task, "weir.cluster.log"));
        scheduled.setRemoveOnCancelPolicy(true);
        timer = scheduled;
        events = new RatisEvents(parts, stateThread);
        OwnerOnly.folder(parts.directory());
        // files that Ratis wrote with another umask
        OwnerOnly.tightenAll(parts.directory());
        RaftProperties properties = RatisSettings.properties(parts);
        port = LogPort.of(parts);
        Parameters parameters = port.parameters();
        server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(parts.self().id()))
                .setGroup(RaftGroup.valueOf(
                        group, parts.peers().stream().map(RatisPeer::toRaft).toList()))
                .setOption(RaftStorage.StartupOption.RECOVER)
                .setStateMachineRegistry(_ -> new RatisMachine(parts.state(), stateThread, events))
                .setProperties(properties)
                .setParameters(parameters)
                .build();
        remote = new GrpcFactory(parameters).newRaftClientRpc(client, properties);
        requests = new LeaderRequests(
                new LeaderRequests.Parts(server, remote, group, client, events, timer), parts.times());
        submissions = new Submissions(parts.stats(), parts.clock());
        candidacyThreads = new CandidacyThreads(parts, server, group);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread t = new Thread(task, name);
        t.setDaemon(true);
        return t;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] command) {
        if (command.length > RatisSettings.LONGEST_COMMAND) {
            return CompletableFuture.failedFuture(new LogFault(
                    LogFault.Kind.NOT_COMMITTED,
                    "a command of " + command.length + " bytes; the maximum is " + RatisSettings.LONGEST_COMMAND));
        }
        if (requests.busy()) {
            return submissions.busy();
        }
        return submissions.of(requests.submit(command));
    }

    @Override
    public CompletableFuture<Void> barrier() {
        if (requests.busy()) {
            return submissions.busy().thenApply(_ -> null);
        }
        return requests.barrier();
    }

    private RaftServer.@Nullable Division division() {
        try {
            return server.getDivision(group);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public LogStatus status() {
        RaftServer.Division division = division();
        if (division == null || closed.get() || !division.getInfo().isAlive()) {
            return new LogStatus(
                    LogStatus.Role.NONE, null, new Opened().term(), appliedIndex(), appliedIndex(), List.of());
        }
        LogStatus.Role role = switch (division.getInfo().getCurrentRole()) {
            case LEADER -> LogStatus.Role.LEADER;
            case FOLLOWER -> LogStatus.Role.FOLLOWER;
            case CANDIDATE -> LogStatus.Role.CANDIDATE;
            case LISTENER, UNRECOGNIZED -> LogStatus.Role.NONE;
        };
        RaftPeerId leader = events.leader();
        long committed = division.getRaftLog().getLastCommittedIndex();
        List<LogStatus.Peer> peers = division.getRaftConf().getAllPeers().stream()
                .sorted(Comparator.comparing(p -> p.getId().toString()))
                .map(p -> peer(division, p, committed))
                .toList();
        return new LogStatus(
                role,
                leader == null ? null : RatisPeer.nameOf(leader.toString()),
                division.getInfo().getCurrentTerm(),
                appliedIndex(),
                committed,
                peers);
    }

    private LogStatus.Peer peer(RaftServer.Division division, RaftPeer peer, long committed) {
        long behind = -1;
        if (peer.getId().equals(server.getId())) {
            behind = Math.max(0, committed - appliedIndex());
        } else if (division.getInfo().isLeader()) {
            behind = division.getCommitInfos().stream()
                    .filter(c -> RaftPeerId.valueOf(c.getServer().getId()).equals(peer.getId()))
                    .mapToLong(c -> Math.max(0, committed - c.getCommitIndex()))
                    .findFirst()
                    .orElse(-1);
        }
        RatisPeer p = RatisPeer.of(peer);
        return new LogStatus.Peer(p.name(), p.address(), p.witness(), behind);
    }

    /** The voters known to this member; may be empty. */
    public List<RatisPeer> voters() {
        return voterPeers().stream()
                .map(RatisPeer::of)
                .sorted(Comparator.comparing(RatisPeer::name))
                .toList();
    }

    private Collection<RaftPeer> voterPeers() {
        RaftServer.Division division = division();
        return division == null ? List.of() : division.getRaftConf().getAllPeers();
    }

    private long appliedIndex() {
        return events.appliedIndex().getAsLong();
    }

    /** Whether this member is the leader and has applied all entries of its predecessors. */
    public boolean leads() {
        RaftServer.Division division = division();
        return division != null && division.getInfo().isLeaderReady();
    }

    /** Milliseconds since this leader heard the voter; -1 if it never did, or is not the leader. */
    public long silence(RatisPeer voter) {
        RaftServer.Division division = division();
        if (division == null || !division.getInfo().isLeader()) {
            return -1;
        }
        for (ServerRpcProto f :
                division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()) {
            if (f.getId().getId().toStringUtf8().equals(voter.id())) {
                return f.getLastRpcElapsedTimeMs();
            }
        }
        return -1;
    }

    /**
     * Changes the voters, on the leader only; completes when the change is committed. A new voter first receives all
     * entries. Fails if another change is in progress, if the current voters are not {@code from}, or if a new one
     * cannot be reached.
     */
    public CompletableFuture<Void> change(List<RatisPeer> from, List<RatisPeer> to) {
        SetConfigurationRequest request = new SetConfigurationRequest(
                client,
                server.getId(),
                group,
                requests.nextCall(),
                SetConfigurationRequest.Arguments.newBuilder()
                        .setServersInCurrentConf(
                                from.stream().map(RatisPeer::toRaft).toList())
                        .setServersInNewConf(to.stream().map(RatisPeer::toRaft).toList())
                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                        .build());
        return request(() -> server.setConfigurationAsync(request));
    }

    private interface Call {
        CompletableFuture<RaftClientReply> send() throws IOException;
    }

    private static CompletableFuture<RaftClientReply> sent(Call call) {
        try {
            return call.send();
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Sends a request to this server on the timer's thread. */
    private CompletableFuture<Void> request(Call call) {
        return CompletableFuture.completedFuture(call)
                .thenComposeAsync(RatisLog::sent, timer)
                .thenCompose(reply -> reply.isSuccess()
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(
                                new LogFault(LogFault.Kind.UNKNOWN, String.valueOf(reply.getException()))));
    }

    @Override
    public CompletableFuture<Void> yieldLeadership() {
        RaftServer.Division division = division();
        if (closed.get() || division == null || !division.getInfo().isLeader()) {
            return CompletableFuture.completedFuture(null);
        }
        RatisPeer best = voters().stream()
                .filter(v -> !v.id().equals(parts.self().id()) && !v.witness())
                .filter(v ->
                        silence(v) >= 0 && silence(v) < parts.times().election().toMillis())
                .min(Comparator.comparingLong(this::silence))
                .orElse(null);
        if (best == null) {
            return CompletableFuture.completedFuture(null);
        }
        TransferLeadershipRequest request = new TransferLeadershipRequest(
                client, server.getId(), group, requests.nextCall(), RaftPeerId.valueOf(best.id()), TRANSFER_MILLIS);
        return request(() -> server.transferLeadershipAsync(request));
    }

    Voter voter() {
        return candidacyThreads.voter();
    }

    RaftServer server() {
        return server;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        requests.close("this member's log is closed");
        candidacyThreads.close();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        daemon(
                        () -> {
                            try {
                                server.close();
                                remote.close();
                                port.close();
                                stopped.complete(null);
                            } catch (IOException | RuntimeException e) {
                                stopped.completeExceptionally(e);
                            }
                        },
                        "weir.cluster.close")
                .start();
        try {
            stopped.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            parts.log().log(ClusterMessages.LOG_NOT_CLOSED, e);
        }
        events.close();
        stateThread.shutdownNow();
        timer.shutdownNow();
    }

    /** Callbacks of Ratis once the log is open. */
    private final class Opened implements RatisEvents.Opened {
        @Override
        public void leaderChanged() {
            requests.leaderChanged();
        }

        @Override
        public @Nullable RaftPeerId leader() {
            RaftServer.Division division = division();
            return division == null ? null : division.getInfo().getLeaderId();
        }

        @Override
        public long term() {
            RaftServer.Division division = division();
            return division == null ? 0 : division.getInfo().getCurrentTerm();
        }

        @Override
        public void voters(List<RaftPeer> voters) {
            remote.addRaftPeers(voters);
        }
    }
}
