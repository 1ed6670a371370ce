package io.weir.cluster.ratis;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.cluster.stats.ClusterMessages;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;

/**
 * The thread that checks this member's candidacy, and those that call the other voters: few, because there is one
 * pre-vote and one attempt to connect at a time. Lives as long as its log.
 */
final class CandidacyThreads implements AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Log log;
    private final boolean follows;
    private final ExecutorService voteThreads =
            Executors.newCachedThreadPool(task -> daemon(task, "weir.cluster.vote"));
    private final Voter voter;
    private final Candidacy candidacy;
    private final Thread thread;
    private volatile boolean closed;

    CandidacyThreads(RatisParts parts, RaftServer server, RaftGroupId group) {
        log = parts.log();
        follows = parts.times().follows();
        voter = new Voter(server, group, voteThreads);
        candidacy = new Candidacy(parts.times(), voter, parts.clock(), Chance.unseeded(), parts.stats(), parts.log());
        thread = daemon(this::run, "weir.cluster.candidacy");
    }

    Voter voter() {
        return voter;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread t = new Thread(task, name);
        t.setDaemon(true);
        return t;
    }

    /** If the time-out is not adaptive, Ratis uses the configured time-out, and no thread is started. */
    void start() {
        if (follows) {
            thread.start();
        }
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(Math.max(check(), TimeUnit.MILLISECONDS.toNanos(1)));
        }
    }

    private long check() {
        try {
            return candidacy.check();
        } catch (RuntimeException e) {
            // Ratis still holds elections, after its own time-out.
            if (!closed) {
                log.log(ClusterMessages.UNCAUGHT, "candidacy", e);
            }
            return RETRY_NANOS;
        }
    }

    /** Does not block. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        voteThreads.shutdownNow();
    }
}
