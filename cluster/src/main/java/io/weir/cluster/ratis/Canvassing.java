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
 * The thread on which this member's candidacy is looked at, and those that ask the others: few, as it asks once at a time.
 * Lives as long as its log.
 */
final class Canvassing implements AutoCloseable {
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Log log;
    private final boolean follows;
    private final ExecutorService askers = Executors.newCachedThreadPool(task -> daemon(task, "weir.cluster.ask"));
    private final Voter voter;
    private final Candidacy candidacy;
    private final Thread thread;
    private volatile boolean closed;

    Canvassing(RatisParts parts, RaftServer server, RaftGroupId group) {
        log = parts.log();
        follows = parts.times().follows();
        voter = new Voter(server, group, askers);
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

    /** Where the time-out follows nothing, the library's own is the usual one, and nothing is done here. */
    void start() {
        if (follows) {
            thread.start();
        }
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(Math.max(look(), TimeUnit.MILLISECONDS.toNanos(1)));
        }
    }

    private long look() {
        try {
            return candidacy.look();
        } catch (RuntimeException e) {
            // Without it the library still elects, after its own time-out.
            if (!closed) {
                log.log(ClusterMessages.UNCAUGHT, "candidacy", e);
            }
            return AGAIN_NANOS;
        }
    }

    /** Waits for nothing. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        askers.shutdownNow();
    }
}
