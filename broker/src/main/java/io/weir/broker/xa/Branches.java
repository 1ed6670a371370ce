package io.weir.broker.xa;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.BrokerCounters;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.store.StoredBranch;
import io.weir.broker.store.StoredOutcome;
import io.weir.broker.transaction.Commit;
import io.weir.broker.transaction.PreparedWork;
import io.weir.jms.frames.BranchId;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;

/**
 * The branches of distributed transactions, by their identifiers: those that are worked in, those in doubt, and those
 * that an operator ended. Bounded by {@code limits.transaction-branches}. Shared; lives as long as the broker.
 */
public final class Branches {
    private final Commit.Parts commits;
    private final Live<MessagingConfig> config;
    private final Clock clock;
    private final BrokerCounters meters;
    private final Log log;
    private final ConcurrentHashMap<BranchId, Branch> all = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    public Branches(
            Commit.Parts commits,
            Live<MessagingConfig> config,
            Clock clock,
            Stats stats,
            BrokerCounters meters,
            Log log) {
        this.commits = commits;
        this.config = config;
        this.clock = clock;
        this.meters = meters;
        this.log = log;
        stats.gauge(BrokerStats.BRANCHES, all::size);
        stats.gauge(
                BrokerStats.BRANCHES_PREPARED,
                () -> all.values().stream()
                        .filter(b -> b.state() == Branch.State.PREPARED)
                        .count());
    }

    Commit.Parts commits() {
        return commits;
    }

    Clock clock() {
        return clock;
    }

    BrokerCounters meters() {
        return meters;
    }

    Log log() {
        return log;
    }

    /**
     * Begins a branch with its first session. On the connection's loop.
     *
     * @param seconds its time-out, 0 for the server's default
     * @param redeliveryDelay the session's, in milliseconds
     */
    public Branch begin(
            BranchId id,
            String user,
            BrokerLoop home,
            Object connection,
            BranchMember session,
            long seconds,
            long redeliveryDelay)
            throws BranchFault {
        int most = config.get().limits().transactionBranches();
        if (all.size() >= most) {
            throw new BranchFault(
                    XAException.XAER_RMERR,
                    "the broker has " + all.size() + " transaction branches, the most allowed: end some, or raise"
                            + " limits.transaction-branches (./weir jms transactions lists those in doubt)");
        }
        Branch b = new Branch(this, id, user, home, numbers.incrementAndGet(), connection);
        if (all.putIfAbsent(id, b) != null) {
            throw new BranchFault(XAException.XAER_DUPID, "transaction " + id + " exists already");
        }
        long limit = config.get().jmsServer().transactionTimeout().toSeconds();
        b.begin(session, seconds == 0 ? limit : Math.min(seconds, Integer.MAX_VALUE), redeliveryDelay);
        return b;
    }

    /** Takes in a branch that an earlier run has prepared. Before any connection is accepted. */
    public void restore(StoredBranch stored, BrokerLoop home, PreparedWork work) {
        Branch b = new Branch(this, stored.id(), stored.user(), home, numbers.incrementAndGet(), null);
        b.hold(work, stored.time(), stored.sent(), stored.received());
        all.put(stored.id(), b);
    }

    /** Takes in a branch that an operator ended in an earlier run. Before any connection is accepted. */
    public void restore(StoredOutcome outcome, BrokerLoop home, long entry) {
        Branch b = new Branch(this, outcome.id(), outcome.user(), home, numbers.incrementAndGet(), null);
        b.ended(outcome, entry);
        all.put(outcome.id(), b);
    }

    /** A branch that exists. */
    public Branch get(BranchId id) throws BranchFault {
        Branch b = find(id);
        if (b == null) {
            throw new BranchFault(
                    XAException.XAER_NOTA,
                    "transaction " + id + " does not exist: it was ended, or its connection was lost before it was"
                            + " prepared");
        }
        return b;
    }

    /** From any thread. */
    public @Nullable Branch find(BranchId id) {
        return all.get(id);
    }

    void remove(Branch b) {
        all.remove(b.id(), b);
    }

    /** Branches in doubt and those that an operator ended, the oldest first. From any thread. */
    public List<Branch> listed() {
        return all.values().stream()
                .filter(Branch::isListed)
                .sorted(Comparator.comparingLong(Branch::number))
                .toList();
    }

    /** Releases the memory of all when the broker stops. */
    public void abandon() {
        for (Branch b : all.values()) {
            b.home().post(b::abandon);
        }
    }

    /** One page of what recovery lists. Immutable. */
    public record Page(List<BranchId> branches, long next) {
        public Page {
            branches = List.copyOf(branches);
        }
    }

    /**
     * A page of those of a user.
     *
     * @param after {@link Page#next} of the page before, or 0
     */
    public Page recover(String user, long after, int most) {
        List<Branch> found = listed().stream()
                .filter(b -> b.user().equals(user) && b.number() > after)
                .limit(most + 1L)
                .toList();
        List<Branch> page = found.subList(0, Math.min(most, found.size()));
        long next = found.size() > most ? page.get(page.size() - 1).number() : 0;
        return new Page(page.stream().map(Branch::id).toList(), next);
    }
}
