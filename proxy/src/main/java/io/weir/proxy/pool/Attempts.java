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

    /** Chooses the first server; null where none takes the request, and {@link #refusal()} says why. */
    public @Nullable PoolServer first(long now) {
        chooser.budget().request(chooser.pool().rules());
        return begin(now);
    }

    /**
     * Chooses another server after the present one failed.
     *
     * @return null when there is no other, or the request or the pool has used its retries up
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
            chooser.budget().giveBack();
        } else {
            chooser.pool().counts().retries.increment();
        }
        return next;
    }

    /**
     * Chooses where a request is sent once more whose connection was found dead: another server that is up; the same
     * one where there is none, or where the session is there.
     *
     * @return null when the request or the pool has used its retries up
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
        PoolServer next = stuck() ? null : chooser.pick(this);
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

    /** Servers that are down are not to be asked. */
    boolean onlyUp() {
        return onlyUp;
    }

    /** Why the last choice gave none. */
    public PoolRefusal refusal() {
        return refusal;
    }

    /** Whether the request names the route of a session. */
    public boolean stuck() {
        return sticky != null;
    }

    /** The server that the request is at; null before the first and after the last. */
    public @Nullable PoolServer server() {
        return server;
    }

    /** How sessions stick here; null: they do not, or there is only one server. */
    public @Nullable Sticky sessions() {
        ServerPool pool = chooser.pool();
        Sticky s = pool.rules().sticky();
        return s.enabled() && pool.several() ? s : null;
    }

    /** The rules in force. */
    public PoolRules rules() {
        return chooser.pool().rules();
    }

    /** The head of an answer came. */
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
     * The server failed the request, before its answer or in the middle of it.
     *
     * @param reason half a sentence
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

    /** Nothing is in flight any more. */
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
