package io.weir.cluster.ratis;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * This member's role as a voter in Ratis: sends pre-votes as Ratis does, where a voter that grants one restarts its
 * time-out, and starts an election in the way of a leadership transfer. Shared; stateless. Lives as long as its log.
 */
final class Voter implements Candidacy.Seat {
    private final RaftServer server;
    private final RaftGroupId group;
    private final Executor threads;

    /** @param threads for calls to the other voters, each of which blocks */
    Voter(RaftServer server, RaftGroupId group, Executor threads) {
        this.server = server;
        this.group = group;
        this.threads = threads;
    }

    private RaftServer.@Nullable Division division() {
        try {
            RaftServer.Division division = server.getDivision(group);
            return division.getInfo().isAlive() ? division : null;
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public long silence() {
        RaftServer.Division division = division();
        if (division == null || !division.getInfo().isFollower()) {
            return -1;
        }
        RoleInfoProto role = division.getInfo().getRoleInfoProto();
        FollowerInfoProto follower = role.getFollowerInfo();
        if (!role.hasFollowerInfo() || follower.getOutstandingOp() > 0) {
            return -1;
        }
        // Ratis has no time stamp for an unknown leader.
        long millis = follower.getLeaderInfo().hasId()
                ? follower.getLeaderInfo().getLastRpcElapsedTimeMs()
                : role.getRoleElapsedTimeMs();
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public CompletableFuture<Boolean> preVote() {
        RaftServer.Division division = division();
        TermIndex last = division == null ? null : division.getRaftLog().getLastEntryTermIndex();
        if (division == null || last == null || !mayStand(division.getRaftConf())) {
            return CompletableFuture.completedFuture(false);
        }
        long term = division.getInfo().getCurrentTerm();
        if (last.getTerm() < term) {
            // An election was lost in this term: Ratis does not allow an early candidacy, and voters would treat the
            // useless request as a heartbeat and delay their own election.
            return CompletableFuture.completedFuture(false);
        }
        List<RaftPeer> others = others(division.getRaftConf());
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        AtomicInteger granted = new AtomicInteger(1);
        AtomicInteger open = new AtomicInteger(others.size());
        int majority = (others.size() + 1) / 2 + 1;
        for (RaftPeer other : others) {
            call(other, term, last, (reply, _) -> {
                boolean yes = reply != null && reply.getServerReply().getSuccess() && reply.getTerm() <= term;
                if ((yes ? granted.incrementAndGet() : granted.get()) >= majority) {
                    result.complete(true);
                }
                if (open.decrementAndGet() == 0) {
                    result.complete(false);
                }
            });
        }
        return result;
    }

    /**
     * Leaves the election to Ratis if other voters have a higher priority, the voters are being changed, or this is the
     * only voter.
     */
    private boolean mayStand(RaftConfiguration voters) {
        RaftPeer self = voters.getPeer(server.getId());
        return self != null
                && voters.getPreviousPeers().isEmpty()
                && voters.getCurrentPeers().size() > 1
                && voters.getCurrentPeers().stream().allMatch(p -> p.getPriority() <= self.getPriority());
    }

    private List<RaftPeer> others(RaftConfiguration voters) {
        Collection<RaftPeer> all = voters.getCurrentPeers();
        return all.stream().filter(p -> !p.getId().equals(server.getId())).toList();
    }

    private interface ReplyHandler {
        /** Without a reply the call failed; without a failure too it was not made. */
        void by(@Nullable RequestVoteReplyProto reply, @Nullable Exception failure);
    }

    private void call(RaftPeer other, long term, @Nullable TermIndex last, ReplyHandler handler) {
        RequestVoteRequestProto.Builder request = RequestVoteRequestProto.newBuilder()
                .setServerRequest(ClientProtoUtils.toRaftRpcRequestProtoBuilder(
                        RaftGroupMemberId.valueOf(server.getId(), group), other.getId()))
                .setCandidateTerm(term)
                .setPreVote(true);
        if (last != null) {
            request.setCandidateLastEntry(last.toProto());
        }
        try {
            threads.execute(() -> {
                RequestVoteReplyProto reply = null;
                Exception failure = null;
                try {
                    reply = server.getServerRpc().requestVote(request.build());
                } catch (IOException | RuntimeException e) {
                    // a voter that does not answer grants no vote; its failure is reported elsewhere
                    failure = e;
                } finally {
                    handler.by(reply, failure);
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            handler.by(null, null);
        }
    }

    @Override
    public boolean stand() {
        RaftServer.Division division = division();
        TermIndex last = division == null ? null : division.getRaftLog().getLastEntryTermIndex();
        if (division == null || last == null) {
            return false;
        }
        RaftPeerId leader = division.getInfo().getLeaderId();
        RaftPeerId by = leader == null ? server.getId() : leader;
        try {
            return server.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                            .setServerRequest(ClientProtoUtils.toRaftRpcRequestProtoBuilder(
                                    RaftGroupMemberId.valueOf(by, group), server.getId()))
                            .setLeaderLastEntry(last.toProto())
                            .build())
                    .getServerReply()
                    .getSuccess();
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    @Override
    public void greet() {
        RaftServer.Division division = division();
        if (division == null) {
            return;
        }
        for (RaftPeer other : others(division.getRaftConf())) {
            greet(other, (_, _) -> {});
        }
    }

    /** With term 0 and without an entry: such a candidate is never elected. */
    private void greet(RaftPeer other, ReplyHandler handler) {
        call(other, 0, null, handler);
    }

    /**
     * The other voters if this one knows no leader. None while it has no entry: then the others may have none either,
     * would grant the vote and wait again before they stand.
     */
    List<RaftPeer> missing() {
        RaftServer.Division division = division();
        if (division == null || division.getInfo().getLeaderId() != null) {
            return List.of();
        }
        // a log may be empty behind a snapshot
        boolean hasEntries = division.getRaftLog().getLastEntryTermIndex() != null
                || division.getInfo().getLastAppliedIndex() >= 0;
        return hasEntries ? others(division.getRaftConf()) : List.of();
    }

    /** Contacts the voter; if there is no connection, the next call opens one without a wait. */
    void reconnect(RaftPeer other, Runnable done) {
        greet(other, (_, failure) -> {
            try {
                if (failure instanceof StatusRuntimeException e && e.getStatus().getCode() == Status.Code.UNAVAILABLE) {
                    server.getServerRpc().handleException(other.getId(), e, true);
                }
            } finally {
                done.run();
            }
        });
    }
}
