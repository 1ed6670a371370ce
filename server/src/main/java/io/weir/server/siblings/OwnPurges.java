package io.weir.server.siblings;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.purge.PurgedCache;
import io.weir.server.start.Post;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Applies the purges that another process passes on to this one, the supervisor or the member of a cluster, and tells it
 * how far this cache is. Shared; lives as long as the process.
 */
public final class OwnPurges implements AutoCloseable {
    /** Each sender waits for an answer; there is one, and those before it that died. */
    private static final int MOST_WAITING = 64;

    private final String word;
    private final PurgedCache cache;
    private final Post post;
    private final Missed missed;
    private final ExecutorService thread;

    /** It is not known any more what a cache has missed, and it was emptied. */
    @FunctionalInterface
    public interface Missed {
        void between(long number, String last);
    }

    /**
     * Applies from now on what is passed on.
     *
     * @param word of the letters: see {@link PurgeLetter}
     */
    public OwnPurges(String word, PurgedCache cache, Post post, Missed missed) {
        this(word, cache, post, thread(), missed);
    }

    /** @param thread runs the cache's work, one task after the other */
    public OwnPurges(String word, PurgedCache cache, Post post, ExecutorService thread, Missed missed) {
        this.word = word;
        this.cache = cache;
        this.post = post;
        this.thread = thread;
        this.missed = missed;
        post.read(PurgeLetter.position(word), (from, _) -> work(() -> answer(from, "")));
        post.read(word, (from, text) -> work(() -> apply(from, text)));
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
        post.to(to, PurgeLetter.done(word) + " " + at.log() + " " + at.number() + " " + whole);
    }

    private void apply(long from, String text) {
        String[] words = text.split(" ", -1);
        for (int i = 3; i < words.length; i++) {
            switch (words[i]) {
                case PurgeLetter.EVERYTHING -> cache.purgeAll();
                case PurgeLetter.UNKNOWN -> {
                    cache.purgeAll();
                    missed.between(cache.position().number(), words[1]);
                }
                default -> cache.purge(URLDecoder.decode(words[i], StandardCharsets.UTF_8));
            }
        }
        PurgePosition reached = new PurgePosition(Long.parseLong(words[0]), Long.parseLong(words[1]));
        if (!reached.equals(cache.position())) {
            cache.reached(reached);
        }
        if (words[2].equals(PurgeLetter.WHOLE)) {
            cache.current();
        }
        answer(from, words[2]);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
