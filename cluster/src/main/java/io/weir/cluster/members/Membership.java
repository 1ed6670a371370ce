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
 * This member among the others, from the start of its server to the end: finds them, forms the cluster with them once
 * or is let in, keeps the log, and changes who keeps it. Shared by any threads; what it does runs on the member's loop.
 */
public final class Membership implements AutoCloseable {
    private static final int ASK_SECONDS = 40;
    private static final int ATTEMPTS = 20;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final MembershipParts parts;
    private final MembersLine line;
    private final ClusterDiscovery discovery;

    private Membership(MembershipParts parts, MembersLine line, ClusterDiscovery discovery) {
        this.parts = parts;
        this.line = line;
        this.discovery = discovery;
    }

    /**
     * Begins to look for the others; this member's weir listener is up, or will be soon.
     *
     * @throws IOException when the configuration cannot be safe, or the identity on the disk is damaged or another
     * address's;     the text has the remedy
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
            throw new IOException("this member's log was at " + identity.address() + " and would be at "
                    + self.address()
                    + " now, where the others do not look for it. Put the address back; or, while the others"
                    + " run, delete " + parts.directory() + ": the member comes back as a new one");
        }
        return self;
    }

    /** The log: there from the beginning, refusing commands (not committed) until this member is in a cluster. */
    public ConsensusLog log() {
        return discovery.log();
    }

    /**
     * Takes the frames 0x70 to 0x7f of a connection, on its loop; refuses those of who is not in the group of members.
     */
    public FrameHandler frames(WireConnection connection) {
        return new MembersHandler(
                connection, this::answer, parts.stats().counter(ClusterStats.INTRODUCTIONS, "refused"));
    }

    private CompletableFuture<MembersMessage> answer(MembersMessage question) {
        return onLoop(() -> discovery.answer(question));
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

    /** Completes when this member keeps the cluster's log. */
    public CompletableFuture<Void> formed() {
        return discovery.formed().copy();
    }

    public MembersView view() {
        return discovery.view();
    }

    /** Address (host:port) of a member's weir listener, as heard; null where it was not. */
    public @Nullable String addressOf(String member) {
        return discovery.addressOf(member);
    }

    /**
     * Takes in a member that runs at this address and is in no cluster; from any member.
     *
     * @return what was done, for people; exceptionally with a {@link MembershipFault} that says why not
     */
    public CompletableFuture<String> add(String address) {
        return onLoop(() -> change(new Change(What.ADD, "", address), ATTEMPTS, false));
    }

    /** Takes a member's vote away. Its server ends its part in the cluster; started again it is a stranger. */
    public CompletableFuture<String> remove(String member) {
        return onLoop(() -> change(new Change(What.REMOVE, member, ""), ATTEMPTS, votes(member)));
    }

    /** Takes a member's vote away and gives it to the one that runs at this address, in one step. */
    public CompletableFuture<String> replace(String member, String address) {
        return onLoop(() -> change(new Change(What.REPLACE, member, address), ATTEMPTS, votes(member)));
    }

    private boolean votes(String member) {
        return discovery.log().status().peers().stream()
                .anyMatch(p -> p.member().equals(member));
    }

    /**
     * Asks the leader, which may be this one, until it does it or refuses.
     *
     * @param voted whether the member whose vote is to be taken away had one when this began: when it is found to have
     * none any     more, an abandoned attempt was committed after all, or another member's
     */
    private CompletableFuture<String> change(Change change, int attempts, boolean voted) {
        return atLeader(change).thenCompose(done -> switch (done.outcome()) {
            case DONE -> CompletableFuture.completedFuture(done.text());
            case REFUSED ->
                voted && !votes(change.member())
                        ? CompletableFuture.completedFuture(change.member() + " was "
                                + (change.what() == What.REMOVE ? "removed" : "replaced")
                                + ", later than it was waited for")
                        : CompletableFuture.failedFuture(new MembershipFault(done.text(), true));
            case LATER -> {
                if (attempts <= 1 && !(voted && !votes(change.member()))) {
                    yield CompletableFuture.failedFuture(new MembershipFault(done.text(), false));
                }
                CompletableFuture<String> again = new CompletableFuture<>();
                parts.loop().after(AGAIN_NANOS, () -> {
                    var _ = change(change, attempts - 1, voted).whenComplete((text, failure) -> {
                        if (failure == null) {
                            again.complete(text);
                        } else {
                            again.completeExceptionally(failure);
                        }
                    });
                });
                yield again;
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
        return line.ask(address, change, ASK_SECONDS)
                .handle((answer, failure) ->
                        failure == null ? done(answer) : new Done(Outcome.LATER, leader + ": " + failure.getMessage()));
    }

    private static Done done(MembersMessage answer) {
        return answer instanceof Done d ? d : new Done(Outcome.LATER, "an answer of another kind: " + answer);
    }

    /** Leaves the log; its files stay. Blocks for some seconds at most. */
    @Override
    public void close() {
        discovery.close();
        line.close();
    }
}
