package io.weir.server.cluster;

import io.weir.cluster.log.Loop;
import io.weir.cluster.purge.OtherCaches;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.server.siblings.PurgeLetter;
import io.weir.server.start.Post;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The caches of the other processes of this member, which follow the cluster's purges through this one. Each is asked how
 * far it is, and is sent what it missed: one letter at a time, so that nothing piles up before one that hangs. What a
 * process that was the member before knew of them is not used. Confined to the member's loop; lives as long as the member.
 */
// A process that may serve, and so have something in its memory, is linked to the supervisor. A purge is reported when
// all have applied it that were linked at a time after this process had applied it: whoever is linked later asks an
// origin that has been changed before the purge.
final class SiblingPurges implements OtherCaches {
    private final Post post;
    private final Loop loop;
    private final Map<Long, Sibling> siblings = new HashMap<>();
    private Runnable changed = () -> {};
    private PurgeLog target = PurgeLog.EMPTY;
    private long question;
    private boolean asking;
    private boolean again;
    /** What this process had applied when it asked who the others are, and when it asked for the list that it has. */
    private PurgePosition asked = PurgePosition.NONE;

    private @Nullable PurgePosition listed;
    private volatile boolean current;
    private volatile boolean closed;

    /** One of the others. */
    private static final class Sibling {
        private @Nullable PurgePosition at;
        private boolean whole;
        private boolean unanswered;
    }

    SiblingPurges(Post post, Loop loop) {
        this.post = post;
        this.loop = loop;
    }

    @Override
    public void start(Runnable whenChanged) {
        changed = whenChanged;
        post.listed((number, others) -> deliver(() -> listed(number, others)));
        post.read(PurgeLetter.done(PurgeLetter.CLUSTER), (from, text) -> deliver(() -> applied(from, text)));
    }

    private void deliver(Runnable task) {
        try {
            loop.deliver(task);
        } catch (RejectedExecutionException _) {
            // the member is closed
        }
    }

    @Override
    public void follow(PurgeLog to) {
        if (closed) {
            return;
        }
        target = to;
        ask();
        siblings.forEach(this::next);
    }

    private PurgePosition end() {
        return new PurgePosition(target.id(), target.last());
    }

    private void ask() {
        again = asking;
        if (!asking) {
            asking = true;
            asked = end();
            post.others(++question);
        }
    }

    private void listed(long number, Set<Long> others) {
        if (closed || question == 0) {
            return;
        }
        siblings.keySet().retainAll(others);
        others.forEach(pid -> siblings.computeIfAbsent(pid, _ -> new Sibling()));
        if (number == question && asking) {
            asking = false;
            listed = asked;
        }
        if (again && !asking) {
            ask();
        }
        siblings.forEach(this::next);
        changed();
    }

    private void applied(long pid, String text) {
        Sibling from = siblings.get(pid);
        String[] words = text.split(" ", -1);
        if (closed || from == null || words.length < 3) {
            return;
        }
        from.at = new PurgePosition(Long.parseLong(words[0]), Long.parseLong(words[1]));
        from.whole |= words[2].equals(PurgeLetter.WHOLE);
        from.unanswered = false;
        next(pid, from);
        changed();
    }

    private void changed() {
        current = listed != null && siblings.values().stream().allMatch(s -> s.whole);
        changed.run();
    }

    /** Sends what one lacks, if it has answered what it was sent before. */
    private void next(long pid, Sibling to) {
        PurgePosition at = to.at;
        if (to.unanswered || (to.whole && end().equals(at))) {
            return;
        }
        to.unanswered = true;
        post.to(
                pid,
                at == null
                        ? PurgeLetter.position(PurgeLetter.CLUSTER)
                        : PurgeLetter.of(PurgeLetter.CLUSTER, target, at));
    }

    @Override
    public PurgePosition least(PurgePosition own) {
        PurgePosition least = own;
        PurgePosition known = listed;
        if (known == null || known.log() != own.log()) {
            return PurgePosition.NONE;
        }
        least = known.number() < least.number() ? known : least;
        for (Sibling s : siblings.values()) {
            PurgePosition at = s.at;
            if (at == null || at.log() != own.log()) {
                return PurgePosition.NONE;
            }
            least = at.number() < least.number() ? at : least;
        }
        return least;
    }

    @Override
    public boolean current() {
        return current;
    }

    @Override
    public void close() {
        closed = true;
    }
}
