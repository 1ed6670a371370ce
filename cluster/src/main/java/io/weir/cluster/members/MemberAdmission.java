package io.weir.cluster.members;

import io.weir.cluster.log.Loop;
import io.weir.cluster.members.MembersMessage.Change;
import io.weir.cluster.members.MembersMessage.Done;
import io.weir.cluster.members.MembersMessage.Introduce;
import io.weir.cluster.members.MembersMessage.Introduced;
import io.weir.cluster.members.MembersMessage.Invite;
import io.weir.cluster.members.MembersMessage.Outcome;
import io.weir.cluster.ratis.RatisLog;
import io.weir.cluster.ratis.RatisPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The leader's side of membership changes: one change of the voters at a time. A member that joins under the name of an
 * unresponsive voter replaces it: that voter's disk was lost. A member with a new name must be added by an operator.
 * Confined to the loop.
 */
final class MemberAdmission {
    private static final int REQUEST_SECONDS = 10;
    private static final int CHANGE_SECONDS = 15;
    private static final long LEAST_SILENCE_MILLIS = 1000;

    /** The result of a request: an answer or a failure. */
    private record Reply(
            @Nullable MembersMessage answer, @Nullable Throwable failure) {}

    private final MembershipParts parts;
    private final RatisLog log;
    private final UUID cluster;
    private final RatisPeer self;
    private final MembersLine line;
    private boolean changing;

    MemberAdmission(MembershipParts parts, RatisLog log, UUID cluster, RatisPeer self, MembersLine line) {
        this.parts = parts;
        this.log = log;
        this.cluster = cluster;
        this.self = self;
        this.line = line;
    }

    private static CompletableFuture<Done> now(Outcome outcome, String text) {
        return CompletableFuture.completedFuture(new Done(outcome, text));
    }

    /** Null if this member may decide; otherwise the answer that names the leader. */
    private @Nullable CompletableFuture<Done> elsewhere() {
        if (log.leads()) {
            return changing ? now(Outcome.LATER, "another membership change is in progress") : null;
        }
        String leader = log.status().leader();
        return now(Outcome.LATER, leader == null ? "no leader is known here" : leader + " is the leader");
    }

    private @Nullable RatisPeer voter(String name) {
        return log.voters().stream()
                .filter(v -> v.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Handles the join request of a member without a cluster. */
    CompletableFuture<Done> join(Introduction who) {
        CompletableFuture<Done> elsewhere = elsewhere();
        if (elsewhere != null) {
            return elsewhere;
        }
        String stranger = stranger(who);
        if (stranger != null) {
            return now(Outcome.REFUSED, stranger);
        }
        RatisPeer before = voter(who.name());
        if (before == null) {
            return now(
                    Outcome.REFUSED,
                    who.name() + " is not a member of this cluster; ./weir cluster add " + who.address() + " adds it");
        }
        if (before.equals(who.voter())) {
            return now(Outcome.DONE, who.name() + " is a member");
        }
        long silence = log.silence(before);
        if (before.id().equals(self.id()) || (silence >= 0 && silence < silenceOfTheDead())) {
            return now(
                    Outcome.LATER,
                    "the member " + who.name() + " with another disk is alive: each member needs a unique name");
        }
        return admit(who, before, "replaced");
    }

    private long silenceOfTheDead() {
        return Math.max(
                LEAST_SILENCE_MILLIS, 2 * parts.config().log().electionTimeOut().toMillis());
    }

    private @Nullable String stranger(Introduction who) {
        if (!who.clusterName().equals(parts.config().name())) {
            return "this is the cluster " + parts.config().name() + ", not " + who.clusterName();
        }
        if (who.cluster() != null && !cluster.equals(who.cluster())) {
            return who.name() + " is in another cluster of this name: delete its data/cluster to admit it here";
        }
        return null;
    }

    /** Handles an operator's change of the voters. */
    CompletableFuture<Done> change(Change change) {
        CompletableFuture<Done> elsewhere = elsewhere();
        if (elsewhere != null) {
            return elsewhere;
        }
        RatisPeer out = voter(change.member());
        if (change.what() != MembersMessage.What.ADD && out == null) {
            return now(
                    Outcome.REFUSED,
                    "no member is called " + change.member() + "; the members are " + names(log.voters()));
        }
        if (out != null && out.id().equals(self.id())) {
            var _ = log.yieldLeadership();
            return now(Outcome.LATER, change.member() + " is the leader and transfers leadership first");
        }
        if (change.what() == MembersMessage.What.REMOVE) {
            return remove(Objects.requireNonNull(out));
        }
        changing = true;
        return line.request(change.address(), new Introduce(introduction()), REQUEST_SECONDS)
                .handle(Reply::new)
                .thenCompose(reply -> {
                    changing = false;
                    Throwable failure = reply.failure();
                    return failure == null
                            ? come(reply.answer(), change, out)
                            : now(Outcome.REFUSED, change.address() + " does not answer: " + failure.getMessage());
                });
    }

    private CompletableFuture<Done> come(@Nullable MembersMessage answer, Change change, @Nullable RatisPeer out) {
        if (!(answer instanceof Introduced introduced)) {
            return now(Outcome.REFUSED, change.address() + " refuses: " + answer);
        }
        Introduction who = introduced.self();
        String stranger = stranger(who);
        RatisPeer same = voter(who.name());
        if (stranger != null) {
            return now(Outcome.REFUSED, stranger);
        }
        if (same != null && same.equals(who.voter())) {
            return now(Outcome.DONE, who.name() + " is a member");
        }
        if (same != null && !same.equals(out)) {
            return now(
                    Outcome.REFUSED,
                    "a member is called " + who.name() + " already; ./weir cluster replace " + who.name() + " "
                            + change.address() + " replaces it");
        }
        return admit(who, out, out == null ? "added" : "replaced");
    }

    private CompletableFuture<Done> remove(RatisPeer out) {
        List<RatisPeer> from = log.voters();
        if (from.size() <= 3) {
            return now(
                    Outcome.REFUSED,
                    "without " + out.name() + " " + (from.size() - 1)
                            + " would remain, too few to tolerate a failure: add another before, or ./weir cluster"
                            + " replace "
                            + out.name() + " ADDRESS");
        }
        List<RatisPeer> to = new ArrayList<>(from);
        to.remove(out);
        return changed(from, to, "removed", out.name() + " was removed");
    }

    /** The new member starts with an empty log, then becomes a voter once it has received all entries. */
    private CompletableFuture<Done> admit(Introduction who, @Nullable RatisPeer out, String what) {
        changing = true;
        return line.request(who.address(), new Invite(cluster), CHANGE_SECONDS)
                .handle(Reply::new)
                .thenCompose(reply -> {
                    changing = false;
                    Throwable failure = reply.failure();
                    MembersMessage answer = reply.answer();
                    if (failure != null) {
                        return now(Outcome.LATER, who.address() + " is unreachable: " + failure.getMessage());
                    }
                    if (!(answer instanceof Done done && done.outcome() == Outcome.DONE)) {
                        return now(Outcome.REFUSED, who.name() + " did not join: " + answer);
                    }
                    List<RatisPeer> from = log.voters();
                    List<RatisPeer> to = new ArrayList<>(from);
                    to.remove(out);
                    to.add(who.voter());
                    String text = who.name() + " was " + what
                            + (out == null || out.name().equals(who.name()) ? "" : ", in the place of " + out.name());
                    return changed(from, to, what, text);
                });
    }

    private CompletableFuture<Done> changed(List<RatisPeer> from, List<RatisPeer> to, String what, String text) {
        changing = true;
        Loop loop = parts.loop();
        CompletableFuture<Done> result = new CompletableFuture<>();
        var _ = log.change(from, to)
                .orTimeout(CHANGE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((_, failure) -> loop.deliver(() -> {
                    changing = false;
                    if (failure == null) {
                        parts.stats()
                                .counter(io.weir.cluster.stats.ClusterStats.MEMBERSHIP_CHANGES, what)
                                .inc();
                    }
                    result.complete(
                            failure == null
                                    ? new Done(Outcome.DONE, text)
                                    : new Done(
                                            Outcome.LATER, "the members' log did not accept the change: " + failure));
                }));
        return result;
    }

    private Introduction introduction() {
        return new Introduction(
                parts.config().name(), self, parts.address(), cluster, self.name(), names(log.voters()));
    }

    private static List<String> names(List<RatisPeer> voters) {
        return voters.stream().map(RatisPeer::name).sorted().toList();
    }
}
