package io.weir.cluster.sim;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogFault.Kind;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.LogStatus.Peer;
import io.weir.cluster.log.LogStatus.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One process's end of the model of the log. Confined to the simulation's thread; lives as long as that process. */
final class ModelLog implements ConsensusLog {
    private static final int OUTSTANDING = 256;
    private static final long TIME_OUT = 3 * VirtualTime.SECOND;
    private static final long AGAIN = 100 * VirtualTime.MILLI;

    /** A submission that nobody has answered yet. */
    private static final class Waiting {
        final byte[] command;
        final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        boolean sent;
        boolean deaf;

        Waiting(byte[] command) {
            this.command = command;
        }
    }

    private record Reader(int upTo, CompletableFuture<@Nullable Void> reads) {}

    private final Consensus consensus;
    private final Network network;
    private final Replica replica;
    private final RandomGenerator chance;
    private final Nastiness nastiness;
    private final Ambushes ambushes;
    private final Map<Long, Waiting> waiting = new HashMap<>();
    private final List<Reader> readers = new ArrayList<>();
    private boolean closed;

    ModelLog(
            Consensus consensus,
            Network network,
            Replica replica,
            RandomGenerator chance,
            Nastiness nastiness,
            Ambushes ambushes) {
        this.ambushes = ambushes;
        this.consensus = consensus;
        this.network = network;
        this.replica = replica;
        this.chance = chance;
        this.nastiness = nastiness;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] command) {
        if (closed) {
            return CompletableFuture.failedFuture(new LogFault(Kind.CLOSED, "closed"));
        }
        if (waiting.size() >= OUTSTANDING) {
            return CompletableFuture.failedFuture(new LogFault(Kind.NOT_COMMITTED, "busy"));
        }
        long ticket = consensus.ticket();
        Waiting w = new Waiting(command);
        waiting.put(ticket, w);
        replica.host.afterLocal(Host.OnThread.LOG, TIME_OUT, () -> timeOut(ticket));
        attempt(ticket, w);
        if (!ambushes.none()) {
            ambushes.at(replica.name(), Ambushes.Moment.SUBMITTED, Ambushes.named(command));
        }
        return w.answer;
    }

    private void timeOut(long ticket) {
        Waiting w = waiting.remove(ticket);
        if (w != null) {
            Kind kind = w.sent ? Kind.UNKNOWN : Kind.NOT_COMMITTED;
            w.answer.completeExceptionally(new LogFault(kind, "no answer in time"));
        }
    }

    private void attempt(long ticket, Waiting w) {
        if (waiting.get(ticket) != w || closed) {
            return;
        }
        String leader = consensus.leader();
        if (leader == null || !network.reaches(replica.name(), leader)) {
            replica.host.after(AGAIN, () -> attempt(ticket, w));
            return;
        }
        w.sent = true;
        w.deaf |= draws(nastiness.lostAnswers);
        if (draws(nastiness.doubled)) {
            deliver(leader, ticket, w, network.delay() + chance.nextLong(nastiness.longest));
        }
        if (draws(nastiness.lostRequests)) {
            replica.host.after(5 * AGAIN, () -> attempt(ticket, w));
        } else if (draws(nastiness.late)) {
            deliver(leader, ticket, w, network.delay() + chance.nextLong(nastiness.longest));
        } else {
            deliver(leader, ticket, w, network.delay());
            replica.host.after(5 * AGAIN + network.delay(), () -> againUnlessLed(ticket, w, leader));
        }
    }

    /** What was sent to a leader that is none any more is sent again; so it may be committed twice. */
    private void againUnlessLed(long ticket, Waiting w, String leader) {
        if (!leader.equals(consensus.leader())) {
            attempt(ticket, w);
        }
    }

    private void deliver(String leader, long ticket, Waiting w, long after) {
        Host at = consensus.replica(leader).host;
        at.after(after, () -> {
            if (network.reaches(replica.name(), leader)) {
                consensus.propose(leader, ticket, w.command);
            }
        });
    }

    /** An entry was applied here. */
    void applied(long ticket, int upTo, byte[] answer) {
        Waiting w = waiting.get(ticket);
        if (w != null && !w.deaf) {
            waiting.remove(ticket);
            w.answer.complete(answer);
        }
        jumped(upTo);
    }

    void jumped(int upTo) {
        for (Reader r : List.copyOf(readers)) {
            if (r.upTo() <= upTo) {
                readers.remove(r);
                r.reads().complete(null);
            }
        }
    }

    @Override
    public CompletableFuture<Void> barrier() {
        CompletableFuture<@Nullable Void> reads = new CompletableFuture<>();
        if (closed) {
            reads.completeExceptionally(new LogFault(Kind.CLOSED, "closed"));
        } else {
            replica.host.afterLocal(
                    Host.OnThread.LOG,
                    TIME_OUT,
                    () -> reads.completeExceptionally(new LogFault(Kind.NOT_COMMITTED, "no answer in time")));
            ask(reads);
        }
        return voided(reads);
    }

    private void ask(CompletableFuture<@Nullable Void> reads) {
        String leader = consensus.leader();
        if (reads.isDone() || closed) {
            return;
        }
        if (leader == null || !network.both(replica.name(), leader) || !consensus.hasMajority(leader)) {
            replica.host.after(AGAIN, () -> ask(reads));
            return;
        }
        Host at = consensus.replica(leader).host;
        at.after(network.delay(), () -> {
            if (!leader.equals(consensus.leader())) {
                return;
            }
            int upTo = consensus.committed();
            replica.host.after(network.delay(), () -> {
                readers.add(new Reader(upTo, reads));
                jumped(replica.applied);
            });
        });
    }

    private static CompletableFuture<Void> voided(CompletableFuture<@Nullable Void> from) {
        return from.thenRun(() -> {});
    }

    @Override
    public LogStatus status() {
        String leader = consensus.leader();
        boolean known = leader != null && network.reaches(leader, replica.name());
        Role role = replica.leads ? Role.LEADER : Role.FOLLOWER;
        String seen = replica.leads ? replica.name() : known ? leader : null;
        long applied = consensus.indexOf(replica.applied);
        List<Peer> peers = consensus.replicas().stream()
                .map(r -> new Peer(r.name(), "", false, consensus.committed() - r.applied))
                .toList();
        return new LogStatus(role, seen, consensus.term(), applied, applied, peers);
    }

    @Override
    public CompletableFuture<Void> yieldLeadership() {
        if (replica.name().equals(consensus.leader())) {
            consensus.elect(replica.name());
        }
        return voided(CompletableFuture.completedFuture(null));
    }

    @Override
    public void close() {
        closed = true;
        List<Waiting> left = List.copyOf(waiting.values());
        waiting.clear();
        left.forEach(w -> w.answer.completeExceptionally(new LogFault(Kind.CLOSED, "closed")));
    }

    private boolean draws(int perThousand) {
        return perThousand > 0 && chance.nextInt(1000) < perThousand;
    }
}
