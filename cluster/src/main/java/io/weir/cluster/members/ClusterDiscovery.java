package io.weir.cluster.members;

import io.weir.base.Counter;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.members.MembersMessage.Change;
import io.weir.cluster.members.MembersMessage.Done;
import io.weir.cluster.members.MembersMessage.Form;
import io.weir.cluster.members.MembersMessage.Introduce;
import io.weir.cluster.members.MembersMessage.Introduced;
import io.weir.cluster.members.MembersMessage.Invite;
import io.weir.cluster.members.MembersMessage.Join;
import io.weir.cluster.members.MembersMessage.Outcome;
import io.weir.cluster.members.MembersView.Phase;
import io.weir.cluster.ratis.RatisLog;
import io.weir.cluster.ratis.RatisPeer;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a member finds and joins its cluster. It introduces itself to all configured addresses in rounds. If any peer is
 * in a cluster, it requests to join. Otherwise all peers must have answered with the same view: then the first of them
 * by name, and only that one, forms the cluster and notifies the others; each accepts only one such notice in the
 * lifetime of its disk. So there are never two clusters: a second formation would need a disk without a cluster on
 * every member. Confined to the loop; fields read by other threads are volatile.
 */
final class ClusterDiscovery {
    private static final int REQUEST_SECONDS = 3;
    private static final int JOIN_SECONDS = 40;
    private static final long SEEK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long JOIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MembershipParts parts;
    private final ClusterConfig config;
    private final RatisPeer self;
    private final MembersLine line;
    private final LogOpening opening;
    private final LateLog late = new LateLog(this::waiting);
    private final CompletableFuture<Void> formed = new CompletableFuture<>();
    private final KnownMembers known = new KnownMembers();
    private final Counter heardCounter;
    private final Counter refusedCounter;
    private final Counter failedCounter;
    private volatile Identity identity;
    private volatile Phase phase = Phase.SEEKING;
    private volatile String waiting = "the other members were not contacted yet";
    private volatile @Nullable RatisLog log;
    private volatile boolean closed;
    private @Nullable MemberAdmission admission;
    private List<String> names = List.of();
    private boolean joining;
    private boolean founding;
    private String lastLogged = "";

    ClusterDiscovery(MembershipParts parts, Identity identity, RatisPeer self, String bind, MembersLine line) {
        this.parts = parts;
        this.config = parts.config();
        this.identity = identity;
        this.self = self;
        this.line = line;
        this.opening = new LogOpening(parts, self, bind, new Watcher());
        heardCounter = parts.stats().counter(ClusterStats.INTRODUCTIONS, "heard");
        refusedCounter = parts.stats().counter(ClusterStats.INTRODUCTIONS, "refused");
        failedCounter = parts.stats().counter(ClusterStats.INTRODUCTIONS, "failed");
    }

    void begin() {
        if (identity.cluster() != null) {
            phase = Phase.JOINING;
            waiting = "its log to open";
            var _ = open();
        }
        round();
    }

    ConsensusLog log() {
        return late;
    }

    CompletableFuture<Void> formed() {
        return formed;
    }

    boolean leads() {
        RatisLog l = log;
        return l != null && l.leads();
    }

    @Nullable
    String addressOf(String member) {
        Introduction i = known.named(member);
        return i == null ? null : i.address();
    }

    private String waiting() {
        return waiting;
    }

    MembersView view() {
        return new MembersView(
                phase,
                self.name(),
                self.storage(),
                identity.cluster(),
                phase == Phase.MEMBER ? "" : waiting,
                known.all().stream()
                        .map(Introduction::heard)
                        .sorted(Comparator.comparing(MembersView.Heard::name))
                        .toList());
    }

    private Introduction introduction() {
        RatisLog l = log;
        return new Introduction(
                config.name(),
                self,
                parts.address(),
                identity.cluster(),
                l == null ? null : l.status().leader(),
                names);
    }

    // Rounds of introductions

    private void round() {
        if (closed) {
            return;
        }
        Round round = new Round();
        List<CompletableFuture<?>> replies = new ArrayList<>();
        Introduce me = new Introduce(introduction());
        for (String address : config.members()) {
            replies.add(line.request(address, me, REQUEST_SECONDS).handle((answer, failure) -> {
                reply(round, address, answer, failure);
                return answer;
            }));
        }
        var _ = CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    roundEnded(round);
                    parts.loop().after(pause(round), this::round);
                });
    }

    private long pause(Round round) {
        return switch (phase) {
            case SEEKING -> SEEK_NANOS;
            case JOINING -> JOIN_NANOS;
            case MEMBER -> {
                boolean all = round.heard().values().stream().allMatch(i -> i.cluster() != null);
                yield all ? KEEP_NANOS : JOIN_NANOS;
            }
            case ENDED, CLOSED -> KEEP_NANOS;
        };
    }

    private void reply(Round round, String address, @Nullable MembersMessage answer, @Nullable Throwable failure) {
        if (answer instanceof Introduced introduced) {
            String problem = recordIntroduction(introduced.self());
            if (problem == null) {
                heardCounter.inc();
                round.heard().put(address, introduced.self());
            } else {
                refusedCounter.inc();
                round.problems().put(address, problem);
            }
        } else if (answer instanceof Done refused) {
            refusedCounter.inc();
            round.problems().put(address, refused.text());
        } else {
            failedCounter.inc();
            round.problems().put(address, failure == null ? "an unexpected answer" : Round.text(failure));
        }
    }

    /** Why the introduced member cannot belong to this cluster; null if it can. */
    private @Nullable String problem(Introduction i) {
        if (!i.clusterName().equals(config.name())) {
            return i.name() + " belongs to the cluster " + i.clusterName() + ", this is " + config.name();
        }
        if (i.name().equals(self.name()) && !i.voter().storage().equals(self.storage())) {
            return "the name " + self.name() + " is " + i.address() + "'s and " + parts.address()
                    + "'s: each member needs a unique name in cluster.member";
        }
        return null;
    }

    /** Records an introduction; returns why it cannot belong to this cluster, or null. */
    private @Nullable String recordIntroduction(Introduction i) {
        String problem = problem(i);
        if (problem == null && !known.record(i)) {
            return "no place for " + i.name() + ": " + StateLimits.MEMBERS + " members are already known here";
        }
        return problem;
    }

    private void roundEnded(Round round) {
        if (closed) {
            return;
        }
        settle();
        if (phase == Phase.SEEKING) {
            seek(round);
        } else if (phase == Phase.JOINING) {
            join(round);
            remind(round);
        } else if (phase == Phase.MEMBER) {
            remind(round);
        }
    }

    private void waitFor(String text) {
        waiting = text;
        if (!text.equals(lastLogged)) {
            lastLogged = text;
            parts.log().log(ClusterMessages.SEEKING, config.name(), text);
        }
    }

    // Forming the cluster

    private void seek(Round round) {
        Set<UUID> clusters = new HashSet<>();
        round.heard().values().forEach(i -> {
            if (i.cluster() != null) {
                clusters.add(i.cluster());
            }
        });
        if (clusters.size() > 1) {
            waitFor(
                    "its members to be in one cluster: they are in different ones of this name, delete data/cluster of those"
                            + " that are wrong");
        } else if (clusters.size() == 1) {
            phase = Phase.JOINING;
            join(round);
        } else if (!round.problems().isEmpty()) {
            names = round.names();
            waitFor("all members to answer once, which forms the cluster: " + round.failures());
        } else {
            together(round);
        }
    }

    /** All peers answered, and none is in a cluster. */
    private void together(Round round) {
        names = round.names();
        if (names.size() < config.members().size() || !names.contains(self.name())) {
            waitFor("cluster.members to list each member once, including this one: found " + names + " at "
                    + config.members());
            return;
        }
        for (Introduction i : round.heard().values()) {
            if (!i.name().equals(self.name()) && !i.names().equals(names)) {
                waitFor(i.name() + " to hear of all members: it knows of " + i.names() + ", this member of " + names);
                return;
            }
        }
        if (!names.getFirst().equals(self.name())) {
            waitFor(names.getFirst() + " to form it");
            return;
        }
        form(round);
    }

    private void form(Round round) {
        List<RatisPeer> peers = round.heard().values().stream()
                .map(Introduction::voter)
                .sorted(Comparator.comparing(RatisPeer::name))
                .toList();
        if (take(UUID.randomUUID(), peers)) {
            remind(round);
        }
    }

    /** Records the cluster on disk, then opens the log. */
    private boolean take(UUID cluster, List<RatisPeer> peers) {
        founding = !peers.isEmpty();
        Identity now = identity.in(cluster, peers);
        try {
            now.save(parts.directory());
        } catch (IOException e) {
            waitFor("its identity to be written: " + e.getMessage());
            return false;
        }
        identity = now;
        if (!peers.isEmpty()) {
            parts.log().log(
                    ClusterMessages.FORMED,
                    config.name(),
                    peers.stream().map(RatisPeer::name).toList(),
                    cluster);
        }
        var _ = open();
        return true;
    }

    /**
     * All founding members repeat the notice until each has received it: the one that formed the cluster may die before
     * it notified all.
     */
    private void remind(Round round) {
        Identity me = identity;
        UUID cluster = me.cluster();
        if (cluster == null || me.first().isEmpty()) {
            return;
        }
        Form form = new Form(self.name(), cluster, me.first());
        round.heard().forEach((address, i) -> {
            if (i.cluster() == null && me.first().contains(i.voter())) {
                var _ = line.request(address, form, REQUEST_SECONDS);
            }
        });
    }

    private Done formed(Form form) {
        UUID mine = identity.cluster();
        if (mine != null) {
            return mine.equals(form.cluster())
                    ? new Done(Outcome.DONE, "")
                    : new Done(Outcome.REFUSED, self.name() + " is in the cluster " + mine);
        }
        // this disk among the peers proves that the founder received answers of this member and all others before it
        // formed the cluster
        if (!form.peers().contains(self)) {
            return new Done(
                    Outcome.REFUSED,
                    self.name() + " had not answered when "
                            + form.peers().getFirst().name() + " formed the cluster");
        }
        return take(form.cluster(), form.peers()) ? new Done(Outcome.DONE, "") : new Done(Outcome.LATER, waiting);
    }

    // Joining

    private void join(Round round) {
        RatisLog l = log;
        if (joining || (l == null && identity.cluster() != null)) {
            return;
        }
        Introduction target = joinTarget(round);
        if (target == null) {
            waitFor("a member of the cluster to answer: " + round.failures());
            return;
        }
        joining = true;
        var _ = line.request(target.address(), new Join(introduction()), JOIN_SECONDS)
                .whenComplete((answer, failure) -> {
                    joining = false;
                    settle();
                    if (phase == Phase.JOINING) {
                        waitFor(
                                answer instanceof Done done
                                        ? target.name() + ": " + done.text()
                                        : target.name() + ": " + (failure == null ? "no answer" : Round.text(failure)));
                    }
                });
    }

    /** The leader if known; otherwise any member of the cluster. */
    private @Nullable Introduction joinTarget(Round round) {
        Introduction any = null;
        for (Introduction i : round.heard().values()) {
            if (i.cluster() == null || i.name().equals(self.name())) {
                continue;
            }
            Introduction leader = known.named(i.leader());
            if (leader != null && !leader.name().equals(self.name())) {
                return leader;
            }
            any = i;
        }
        return any;
    }

    private CompletableFuture<MembersMessage> invited(Invite invite) {
        UUID mine = identity.cluster();
        if (mine != null && !mine.equals(invite.cluster())) {
            return now(new Done(Outcome.REFUSED, self.name() + " is in another cluster: delete its data/cluster"));
        }
        if (mine == null && !take(invite.cluster(), List.of())) {
            return now(new Done(Outcome.LATER, waiting));
        }
        return open().handle((_, failure) -> failure == null
                ? new Done(Outcome.DONE, "")
                : new Done(Outcome.REFUSED, "the log cannot be opened: " + Round.text(failure)));
    }

    // The log

    private CompletableFuture<Void> open() {
        return opening.open(identity, opened -> {
            if (founding) {
                waitFor("the first entry of the log to reach all of its members");
                FirstEntry.await(parts, opened, () -> opened(opened));
            } else {
                opened(opened);
            }
        });
    }

    private void opened(RatisLog opened) {
        log = opened;
        admission = opening.admission(opened, identity, line);
        late.open(opened);
        settle();
    }

    /** Checks whether this member has become a voter. */
    private void settle() {
        RatisLog l = log;
        if (l == null || (phase != Phase.SEEKING && phase != Phase.JOINING)) {
            return;
        }
        List<RatisPeer> voters = l.voters();
        if (voters.contains(self)) {
            phase = Phase.MEMBER;
            parts.log().log(
                    ClusterMessages.KEEPS_THE_LOG,
                    config.name(),
                    voters.stream().map(RatisPeer::name).toList());
            formed.complete(null);
        } else {
            phase = Phase.JOINING;
        }
    }

    /** Callbacks of the log. */
    private final class Watcher implements LogOpening.Watcher {
        @Override
        public void voters(List<RatisPeer> voters) {
            settle();
        }

        @Override
        public void notYet(String why) {
            waitFor(why);
        }

        @Override
        public void ended(String why) {
            if (closed || phase == Phase.ENDED) {
                return;
            }
            phase = Phase.ENDED;
            waiting = why;
            parts.log().log(ClusterMessages.LOG_ENDED, config.name(), why);
        }
    }

    // Answering requests

    private static CompletableFuture<MembersMessage> now(MembersMessage answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /** Answers a request of a member, or of an operator through one. */
    CompletableFuture<MembersMessage> answer(MembersMessage request) {
        return switch (request) {
            case Introduce m -> now(introduced(m.self()));
            case Form m -> now(formed(m));
            case Invite m -> invited(m);
            case Join m -> decided(a -> a.join(m.self()));
            case Change m -> decided(a -> a.change(m));
            case Introduced _, Done _ -> now(new Done(Outcome.REFUSED, "this is not a request"));
        };
    }

    private interface Decision {
        CompletableFuture<Done> of(MemberAdmission admission);
    }

    private CompletableFuture<MembersMessage> decided(Decision decision) {
        MemberAdmission a = admission;
        return a == null
                ? now(new Done(Outcome.LATER, self.name() + " has not joined a cluster yet: " + waiting))
                : decision.of(a).thenApply(done -> done);
    }

    private MembersMessage introduced(Introduction i) {
        String problem = recordIntroduction(i);
        if (problem != null) {
            refusedCounter.inc();
            return new Done(Outcome.REFUSED, problem);
        }
        return new Introduced(introduction());
    }

    void close() {
        closed = true;
        phase = Phase.CLOSED;
        opening.close();
    }
}
