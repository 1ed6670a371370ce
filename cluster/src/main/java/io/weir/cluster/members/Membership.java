package io.weir.cluster.members;

import io.weir.base.KeptPort;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.members.MembersMessage.Change;
import io.weir.cluster.members.MembersMessage.Done;
import io.weir.cluster.members.MembersMessage.Outcome;
import io.weir.cluster.members.MembersMessage.What;
import io.weir.cluster.ratis.RatisPeer;
import io.weir.cluster.stats.ClusterStats;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.client.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * This member's membership from start to stop of its server: finds the other members, forms the cluster with them once
 * or joins it, opens the log, and changes its voters. Shared by any threads; its work runs on the member's loop.
 */
public final class Membership implements AutoCloseable {
    private static final int REQUEST_SECONDS = 40;
    private static final int ATTEMPTS = 20;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final MembershipParts parts;
    private final MembersLine line;
    private final ClusterDiscovery discovery;

    private Membership(MembershipParts parts, MembersLine line, ClusterDiscovery discovery) {
        this.parts = parts;
        this.line = line;
        this.discovery = discovery;
    }

    /**
     * Starts to search for the other members; this member's weir listener is up, or will be soon.
     *
     * @throws IOException if the configuration is unsafe, or the identity on disk is damaged or belongs to another
     *     address; the message contains the remedy
     */
    public static Membership start(MembershipParts parts) throws IOException {
        MembershipRules.check(parts);
        Identity identity = Identity.of(parts.directory());
        String host = MembershipRules.host(parts.address());
        String bind = MembershipRules.bind(host);
        RatisPeer self = self(parts, identity, host, bind);
        Identity known = identity.at(self.address());
        known.save(parts.directory());
        MembershipRules.warn(parts, self.address());
        MembersLine line = new MembersLine(
                WireClient.open(),
                MemberLogins.credentials(self.name(), parts.loginKey()),
                parts.options(),
                parts.loop());
        ClusterDiscovery discovery = new ClusterDiscovery(parts, known, self, bind, line);
        parts.loop().execute(discovery::begin);
        return new Membership(parts, line, discovery);
    }

    private static RatisPeer self(MembershipParts parts, Identity identity, String host, String bind)
            throws IOException {
        int port = parts.config().raftPort();
        if (port == 0) {
            String before = identity.address();
            port = before.isEmpty()
                    ? KeptPort.on(InetAddress.getByName(bind))
                    : Integer.parseInt(before.substring(before.lastIndexOf(':') + 1));
        }
        RatisPeer self =
                new RatisPeer(parts.config().member(), identity.storage(), host, port, MembershipRules.witness(parts));
        if (identity.cluster() != null && !identity.address().equals(self.address())) {
            throw new IOException("the address of this member's log was " + identity.address()
                    + " and would become " + self.address()
                    + ", where the other members cannot find it. Restore the address; or, while the others run, delete "
                    + parts.directory() + ": the member rejoins as a new one");
        }
        return self;
    }

    /** The log: available from the start, refusing commands (not committed) until this member is in a cluster. */
    public ConsensusLog log() {
        return discovery.log();
    }

    /**
     * Handles the frames 0x70 to 0x7f of a connection, on its loop; refuses connections that are not in the group of
     * members.
     */
    public FrameHandler frames(WireConnection connection) {
        return new MembersHandler(
                connection, this::answer, parts.stats().counter(ClusterStats.INTRODUCTIONS, "refused"));
    }

    private CompletableFuture<MembersMessage> answer(MembersMessage request) {
        return onLoop(() -> discovery.answer(request));
    }

    private interface Step<T> {
        CompletableFuture<T> run();
    }

    private <T> CompletableFuture<T> onLoop(Step<T> step) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            parts.loop().execute(() -> {
                var _ = step.run().whenComplete((answer, failure) -> {
                    if (failure == null) {
                        result.complete(answer);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    /** Completes when this member is a voter of the cluster's log. */
    public CompletableFuture<Void> formed() {
        return discovery.formed().copy();
    }

    public MembersView view() {
        return discovery.view();
    }

    /** Address (host:port) of a member's weir listener, from its introduction; null if unknown. */
    public @Nullable String addressOf(String member) {
        return discovery.addressOf(member);
    }

    /**
     * Adds the member that runs at this address and is not in a cluster; may be called on any member.
     *
     * @return a description of what was done; fails with a {@link MembershipFault} that gives the reason
     */
    public CompletableFuture<String> add(String address) {
        return onLoop(() -> change(new Change(What.ADD, "", address), ATTEMPTS, false));
    }

    /** Removes a member's vote. Its server leaves the cluster; after a restart it is not a member. */
    public CompletableFuture<String> remove(String member) {
        return onLoop(() -> change(new Change(What.REMOVE, member, ""), ATTEMPTS, votes(member)));
    }

    /** Replaces a voter by the member that runs at this address, atomically. */
    public CompletableFuture<String> replace(String member, String address) {
        return onLoop(() -> change(new Change(What.REPLACE, member, address), ATTEMPTS, votes(member)));
    }

    private boolean votes(String member) {
        return discovery.log().status().peers().stream()
                .anyMatch(p -> p.member().equals(member));
    }

    /**
     * Sends the change to the leader, which may be this member, until it is done or refused.
     *
     * @param voted whether the member to be removed had a vote initially: if it has none later, an abandoned attempt,
     *     or another member's, was committed after all
     */
    private CompletableFuture<String> change(Change change, int attempts, boolean voted) {
        return atLeader(change).thenCompose(done -> switch (done.outcome()) {
            case DONE -> CompletableFuture.completedFuture(done.text());
            case REFUSED ->
                voted && !votes(change.member())
                        ? CompletableFuture.completedFuture(change.member() + " was "
                                + (change.what() == What.REMOVE ? "removed" : "replaced")
                                + ", after the time-out of the request")
                        : CompletableFuture.failedFuture(new MembershipFault(done.text(), true));
            case LATER -> {
                if (attempts <= 1 && !(voted && !votes(change.member()))) {
                    yield CompletableFuture.failedFuture(new MembershipFault(done.text(), false));
                }
                CompletableFuture<String> retried = new CompletableFuture<>();
                parts.loop().after(RETRY_NANOS, () -> {
                    var _ = change(change, attempts - 1, voted).whenComplete((text, failure) -> {
                        if (failure == null) {
                            retried.complete(text);
                        } else {
                            retried.completeExceptionally(failure);
                        }
                    });
                });
                yield retried;
            }
        });
    }

    private CompletableFuture<Done> atLeader(Change change) {
        if (discovery.leads()) {
            return discovery.answer(change).thenApply(Membership::done);
        }
        String leader = discovery.log().status().leader();
        String address = leader == null ? null : discovery.addressOf(leader);
        if (address == null) {
            return CompletableFuture.completedFuture(new Done(
                    Outcome.LATER,
                    leader == null ? "no leader is known here" : "the address of " + leader + " is unknown"));
        }
        return line.request(address, change, REQUEST_SECONDS)
                .handle((answer, failure) ->
                        failure == null ? done(answer) : new Done(Outcome.LATER, leader + ": " + failure.getMessage()));
    }

    private static Done done(MembersMessage answer) {
        return answer instanceof Done d ? d : new Done(Outcome.LATER, "an unexpected answer: " + answer);
    }

    /** Closes the log; its files remain. Blocks for some seconds at most. */
    @Override
    public void close() {
        discovery.close();
        line.close();
    }
}
