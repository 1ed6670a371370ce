package io.weir.proxy.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request's attempts: its current server, those tried before, and the outcome to report for each. Confined to the
 * muxer of its request; lives as long as its fetch.
 */
public final class Attempts {
    private final Chooser chooser;
    private final long key;
    private final boolean keyed;
    private final @Nullable String sticky;
    private @Nullable PoolServer server;
    private PoolServer @Nullable [] tried;
    private boolean trial;
    private boolean held;
    private boolean decided;
    private boolean onlyUp;
    private int tries;
    private long since;
    private PoolRefusal refusal = PoolRefusal.DOWN;

    Attempts(Chooser chooser, RequestKey request) {
        this.chooser = chooser;
        this.key = request.hash();
        this.keyed = request.keyed();
        this.sticky = request.route();
    }

    /** Chooses the first server; null if none admits the request: {@link #refusal()} is the reason. */
    public @Nullable PoolServer first(long now) {
        chooser.budget().request(chooser.pool().rules());
        return begin(now);
    }

    /**
     * Chooses another server after the current one failed.
     *
     * @return null if there is no other, or the request or the pool has used up its retries
     */
    public @Nullable PoolServer elsewhere(long now) {
        int before = tried == null ? 0 : tried.length;
        if (chooser.pool().members().length <= before + 1 || !mayRetry()) {
            return null;
        }
        note();
        over();
        PoolServer next = begin(now);
        if (next == null) {
            chooser.budget().refund();
        } else {
            chooser.pool().counts().retries.increment();
        }
        return next;
    }

    /**
     * Chooses the server for a retry after the connection was found dead: another server that is up; the same one if
     * there is none, or if the session belongs to it.
     *
     * @return null if the request or the pool has used up its retries
     */
    public @Nullable PoolServer resend(long now) {
        PoolServer same = server;
        if (same == null || !mayRetry()) {
            return null;
        }
        note();
        over();
        since = now;
        onlyUp = true;
        PoolServer next = namesRoute() ? null : chooser.pick(this);
        onlyUp = false;
        chooser.pool().counts().retries.increment();
        return next == null ? take(same, false, false) : next;
    }

    private boolean mayRetry() {
        ServerPool pool = chooser.pool();
        if (tries >= pool.rules().tries()) {
            return false;
        }
        if (chooser.budget().take()) {
            return true;
        }
        pool.counts().retriesRefused.increment();
        return false;
    }

    private @Nullable PoolServer begin(long now) {
        since = now;
        PoolServer chosen = chooser.pick(this);
        if (chosen == null && tries == 0) {
            chooser.pool().counts().refused(refusal);
        }
        return chosen;
    }

    private void note() {
        PoolServer[] before = tried;
        PoolServer last = server;
        if (last != null) {
            PoolServer[] more = before == null ? new PoolServer[1] : Arrays.copyOf(before, before.length + 1);
            more[more.length - 1] = last;
            tried = more;
        }
    }

    boolean tried(PoolServer s) {
        PoolServer[] all = tried;
        if (all != null) {
            for (PoolServer one : all) {
                if (one == s) {
                    return true;
                }
            }
        }
        return false;
    }

    PoolServer take(PoolServer s, boolean onTrial, boolean withPlace) {
        server = s;
        trial = onTrial;
        held = withPlace;
        decided = false;
        tries++;
        s.load(chooser.muxer()).begun();
        return s;
    }

    @Nullable
    PoolServer refused(PoolRefusal why) {
        refusal = why;
        return null;
    }

    long key() {
        return key;
    }

    boolean keyed() {
        return keyed;
    }

    @Nullable
    String sticky() {
        return sticky;
    }

    /** Whether servers that are down are excluded. */
    boolean onlyUp() {
        return onlyUp;
    }

    /** Why the last choice returned none. */
    public PoolRefusal refusal() {
        return refusal;
    }

    /** Whether the request names a session's route. */
    public boolean namesRoute() {
        return sticky != null;
    }

    /** The server that the request is sent to; null before the first and after the last. */
    public @Nullable PoolServer server() {
        return server;
    }

    /** The session stickiness; null if it is disabled, or there is only one server. */
    public @Nullable Sticky sessions() {
        ServerPool pool = chooser.pool();
        Sticky s = pool.rules().sticky();
        return s.enabled() && pool.several() ? s : null;
    }

    /** The rules in force. */
    public PoolRules rules() {
        return chooser.pool().rules();
    }

    /** The head of an answer arrived. */
    public void answered(int status, long now) {
        PoolServer s = server;
        if (s == null || decided) {
            return;
        }
        s.load(chooser.muxer()).answered(now - since);
        if (chooser.pool().rules().failure(status)) {
            failed("status " + status);
        } else {
            decided = true;
            s.health().succeeded(trial);
        }
    }

    /**
     * The server failed the request, before its answer or during it.
     *
     * @param reason a short phrase
     */
    public void failed(String reason) {
        PoolServer s = server;
        if (s == null) {
            return;
        }
        s.load(chooser.muxer()).failed();
        s.health().failed(reason, trial && !decided);
        decided = true;
    }

    /** The request is no longer in flight. */
    public void over() {
        PoolServer s = server;
        if (s == null) {
            return;
        }
        server = null;
        s.load(chooser.muxer()).over();
        if (!decided) {
            s.health().undecided(trial);
        }
        if (held) {
            s.release();
            held = false;
        }
    }
}
