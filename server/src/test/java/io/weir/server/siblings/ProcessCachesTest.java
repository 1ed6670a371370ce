package io.weir.server.siblings;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.cluster.purge.PurgePosition;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberStats;
import io.weir.server.start.Post;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process asks those that the supervisor names, and answers those that have applied no purge that it has not. */
class ProcessCachesTest {
    private static final byte[] KEY = "shttp://x/".getBytes(StandardCharsets.US_ASCII);

    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private final Post post = new Post(sent::add);
    private final Stats stats = new Stats();
    private final CacheOwners owners = new CacheOwners(stats);
    private final RecordingLog log = new RecordingLog();
    private PurgePosition server = PurgePosition.NONE;
    private PurgePosition cluster = PurgePosition.NONE;
    private @Nullable ProcessCaches made;

    private ProcessCaches caches(boolean clustered) {
        ProcessCaches caches =
                new ProcessCaches(1, owners, () -> server, clustered ? () -> cluster : null, post, new Stats(), log);
        made = caches;
        return caches;
    }

    @AfterEach
    void close() {
        if (made != null) {
            made.close();
        }
    }

    @Test
    void itTellsWhereItIsAskedOnceItCanTellWhoAsks() throws Exception {
        ProcessCaches caches = caches(false);
        caches.at(7777);
        assertThat(sent).isEmpty();
        assertThat(caches.open()).isFalse();
        post.arrived("0 share-secret " + "ab".repeat(32));
        assertThat(sent.poll(1, TimeUnit.MINUTES)).isEqualTo("to 0 shares 7777");
        assertThat(caches.open()).isTrue();
        assertThat(caches.server()).isNotNull();
        assertThat(caches.client("127.0.0.1", 1)).isNotNull();
    }

    @Test
    void itWaitsForTheOthers() throws Exception {
        ProcessCaches caches = caches(false);
        post.arrived("0 share-secret " + "ab".repeat(32));
        Thread start = Thread.ofPlatform().start(caches::awaitOthers);
        while (start.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        post.arrived("0 share 1=7001,2=7002");
        start.join();
        assertThat(owners.active()).isTrue();
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void itDoesNotWaitForThoseThatASupervisorOfAnOlderVersionWillNeverName() {
        caches(false).awaitOthers();
        assertThat(owners.active()).isFalse();
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void whoCannotBeAskedSaysSoAndWaitsForNobody() throws Exception {
        ProcessCaches caches = caches(false);
        caches.at(7777);
        post.arrived("0 share-secret ");
        assertThat(sent.poll(1, TimeUnit.MINUTES)).isEqualTo("to 0 shares 0");
        caches.awaitOthers();
        assertThat(caches.open()).isFalse();
    }

    @Test
    void whoSpeaksWronglyIsAStrangerAndWhoIsSlowIsNot() {
        ProcessCaches caches = caches(false);
        caches.refused(new ClosedChannelException(), null);
        caches.refused(new SslHandshakeTimeoutException("not finished within 10 s"), null);
        assertThat(stats.value(MemberStats.STRANGERS)).isZero();
        caches.refused(new SSLHandshakeException("no proof"), null);
        caches.refused(new NotSslRecordException("not an SSL/TLS record"), null);
        assertThat(stats.value(MemberStats.STRANGERS)).isEqualTo(2);
    }

    @Test
    void itAsksThoseThatTheSupervisorNamesAndNobodyWhenItEnds() {
        ProcessCaches caches = caches(false);
        assertThat(owners.active()).isFalse();
        post.arrived("0 share 1=7001,2=7002");
        assertThat(owners.active()).isTrue();
        assertThat(owners.nameOfOwner(KEY)).startsWith("process ");
        post.arrived("55 share 1=7001");
        assertThat(owners.active()).as("only the supervisor says that").isTrue();
        caches.close();
        assertThat(owners.active()).isFalse();
        post.arrived("0 share 1=7001,2=7002");
        assertThat(owners.active()).isFalse();
    }

    @Test
    void itAnswersWhoIsNotAheadOfIt() {
        ProcessCaches caches = caches(false);
        assertThat(caches.position()).isEqualTo("0-0");
        assertThat(caches.reached("0-0")).isTrue();
        assertThat(caches.reached("a-5")).as("it has applied none").isFalse();
        server = new PurgePosition(10, 5);
        assertThat(caches.position()).isEqualTo("a-5");
        assertThat(caches.reached("a-5")).isTrue();
        assertThat(caches.reached("a-4")).isTrue();
        assertThat(caches.reached("a-6")).isFalse();
        assertThat(caches.reached("b-1")).as("of another supervisor").isFalse();
        assertThat(caches.reached("0-0")).isTrue();
        assertThat(caches.reached("a-5/0-0")).as("of a cluster").isFalse();
        assertThat(caches.reached("nonsense")).isFalse();
    }

    @Test
    void inAClusterItsPurgesCountToo() {
        ProcessCaches caches = caches(true);
        server = new PurgePosition(10, 5);
        cluster = new PurgePosition(11, 7);
        assertThat(caches.position()).isEqualTo("a-5/b-7");
        assertThat(caches.reached("a-5/b-7")).isTrue();
        assertThat(caches.reached("a-5/b-8")).isFalse();
        assertThat(caches.reached("a-6/b-7")).isFalse();
        assertThat(caches.reached("a-5")).isFalse();
    }
}
