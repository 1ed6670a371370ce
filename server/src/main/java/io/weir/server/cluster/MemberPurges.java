package io.weir.server.cluster;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.base.Chance;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.purge.OtherCaches;
import io.weir.cluster.purge.PurgeFollower;
import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.purge.PurgedCache;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.purges.PurgeCommand;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.PurgeForwarder;
import io.weir.server.json.Json;
import io.weir.server.start.Post;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Purges of the cache and the other members: what an operator purges here goes through the cluster's log to all, and what
 * is purged elsewhere comes from it. Without other members it does nothing. Shared; lives as long as the server.
 */
final class MemberPurges implements PurgeForwarder, AutoCloseable {
    private static final long DECIDED_SECONDS = 20;
    /** Live members apply a purge within milliseconds; one that does not within this time is shown as pending. */
    private static final long APPLIED_SECONDS = 5;

    private final ClusterAccess cluster;
    private final @Nullable PurgeFollower follower;
    private final ThreadPoolExecutor thread;

    /** @param cache null if there is none */
    MemberPurges(MemberSetup setup, ClusterAccess cluster, @Nullable PurgedCache cache, Post others) {
        this.cluster = cluster;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(16),
                new DefaultThreadFactory("weir.cluster.Purges", true));
        thread.allowCoreThreadTimeOut(true);
        this.follower = setup.alone() || cache == null
                ? null
                : new PurgeFollower(
                        setup.self(),
                        cache,
                        others.supervised() ? new SiblingPurges(others, setup.loop()) : OtherCaches.NONE,
                        thread,
                        setup.loop(),
                        setup.stats(),
                        setup.log());
    }

    /** How far this member's cache is. */
    PurgePosition position() {
        PurgeFollower f = follower;
        return f == null ? PurgePosition.NONE : f.position();
    }

    /** Called before the member starts. */
    void listen(ClusterNode node) {
        if (follower != null) {
            node.listen(follower);
        }
    }

    /** Called after the member has started. */
    void start(ClusterNode node) {
        if (follower != null) {
            follower.start(node.proposer());
        }
    }

    @Override
    public AdminAnswer forward(String url, int here, AdminRequest request) throws InterruptedException {
        PurgeFollower following = follower;
        if (following == null || url.length() > StateLimits.URL) {
            // nothing is stored under so long a URL, at no member
            return AdminAnswer.json(200, j -> j.add("forgotten", here));
        }
        long number;
        try {
            long id = Chance.unseeded().random().nextLong() | 1;
            Answer answer = cluster.propose(new PurgeCommand.Add(id, url), request.author())
                    .get(DECIDED_SECONDS, TimeUnit.SECONDS);
            if (!(answer instanceof Answer.Done done)) {
                return notPassedOn(here, answer instanceof Answer.Refused r ? r.text() : answer.toString());
            }
            number = done.index();
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause();
            return notPassedOn(here, Unanswered.text(cluster, cause == null ? null : cause.getMessage()));
        }
        await(following.everywhere(number));
        List<String> pending = pending(cluster.now(), number);
        return AdminAnswer.json(200, j -> {
            j.add("forgotten", here).add("number", number).add("pending", pending);
            if (!pending.isEmpty()) {
                j.add(
                        "note",
                        String.join(", ", pending)
                                + " cannot be reached now, or one of its processes: what is stored there is removed when it is"
                                + " back; until then it may serve it, if it runs. /cluster/purges shows when it is done.");
            }
        });
    }

    private static void await(CompletableFuture<Void> everywhere) throws InterruptedException {
        try {
            everywhere.get(APPLIED_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException _) {
            // those that have not are shown
        } finally {
            everywhere.cancel(false);
        }
    }

    private static List<String> pending(ClusterState now, long number) {
        return now.members().keySet().stream()
                .filter(m -> now.purges().applied().getOrDefault(m, 0L) < number)
                .toList();
    }

    private static AdminAnswer notPassedOn(int here, String why) {
        return AdminAnswer.problem(
                503,
                "Service unavailable",
                "purged here (" + here
                        + " objects), but the cluster did not confirm it: other members may keep what they"
                        + " have. Purge again when a majority of the members is up. " + why,
                j -> j.add("forgotten", here));
    }

    /** How far the members are. */
    static void row(ClusterState now, String member, Json to) {
        PurgeLog purges = now.purges();
        to.add("member", member)
                .add("applied", purges.applied().getOrDefault(member, 0L))
                .add("last", purges.last())
                .add("upToDate", purges.upToDate(member));
    }

    @Override
    public void close() {
        if (follower != null) {
            follower.close();
        }
        thread.shutdownNow();
    }
}
