package io.weir.server.cluster;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.purge.PurgedCache;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import io.weir.server.start.Post;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Applies the purges that the process that is the member of the cluster passes on to this one, and tells it how far this
 * cache is. Shared; lives as long as the process.
 */
public final class OwnPurges implements AutoCloseable {
    /** Letter: how far are you? */
    static final String POSITION = "purge-position";

    /** Letter: {@code purge LOG NUMBER WHOLE URL URL}: apply these, and you are there. */
    static final String APPLY = "purge";

    /** Letter: {@code purged LOG NUMBER WHOLE}, the answer to both. */
    static final String APPLIED = "purged";

    /** For WHOLE: nothing is missing, what the disk kept may be used. */
    static final String WHOLE = "whole";

    /** For a URL: everything. */
    static final String EVERYTHING = "*";

    /** For a URL: everything, because it is not known what was missed. */
    static final String UNKNOWN = "?";

    /** Each sender waits for an answer; there is one, and those before it that died. */
    private static final int MOST_WAITING = 64;

    private final PurgedCache cache;
    private final Post post;
    private final Stats stats;
    private final Log log;
    private final ExecutorService thread;

    /** Applies from now on what is passed on. */
    public OwnPurges(PurgedCache cache, Post post, Stats stats, Log log) {
        this(cache, post, thread(), stats, log);
    }

    /** @param thread runs the cache's work, one task after the other */
    OwnPurges(PurgedCache cache, Post post, ExecutorService thread, Stats stats, Log log) {
        this.cache = cache;
        this.post = post;
        this.thread = thread;
        this.stats = stats;
        this.log = log;
        post.read(POSITION, (from, _) -> work(() -> answer(from, "")));
        post.read(APPLY, (from, text) -> work(() -> apply(from, text)));
    }

    private static ExecutorService thread() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                new DefaultThreadFactory("weir.cluster.Purges", true));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    private void work(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException _) {
            // the process ends, and its successor is asked
        }
    }

    private void answer(long to, String whole) {
        PurgePosition at = cache.position();
        post.to(to, APPLIED + " " + at.log() + " " + at.number() + " " + whole);
    }

    private void apply(long from, String text) {
        String[] words = text.split(" ", -1);
        for (int i = 3; i < words.length; i++) {
            switch (words[i]) {
                case EVERYTHING -> cache.purgeAll();
                case UNKNOWN -> {
                    cache.purgeAll();
                    stats.counter(ClusterStats.PURGES_MISSED).inc();
                    log.log(ClusterMessages.PURGES_MISSED, cache.position().number(), words[1]);
                }
                default -> cache.purge(URLDecoder.decode(words[i], StandardCharsets.UTF_8));
            }
        }
        PurgePosition reached = new PurgePosition(Long.parseLong(words[0]), Long.parseLong(words[1]));
        if (!reached.equals(cache.position())) {
            cache.reached(reached);
        }
        if (words[2].equals(WHOLE)) {
            cache.current();
        }
        answer(from, words[2]);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
