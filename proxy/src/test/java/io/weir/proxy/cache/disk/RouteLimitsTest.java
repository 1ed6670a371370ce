package io.weir.proxy.cache.disk;

import static io.weir.proxy.cache.disk.TestAnswers.LARGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.TestAnswers.Answer;
import io.weir.proxy.cache.disk.TestAnswers.Request;
import io.weir.proxy.cache.store.SourceConnection;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A route's {@code max-size} with a disk tier: what it allows above memory's largest body lies on the disk only. */
class RouteLimitsTest {
    private static final long GIB = 1L << 30;
    private static final CacheTerms THREE_GIB = CacheTerms.DEFAULT.with(-1, -1, 3 * GIB, false);

    /** Memory would have room for the body, and must not take it. */
    private static final String[] ROOM = {"memory-budget=64MiB", "max-object-size=1MiB", "disk.size=64MiB"};

    @Test
    void aRouteMayAllowGigabytes() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), "disk.size=64GiB", "disk.max-object-size=4GiB")) {
            assertThat(TestAnswers.refusal(tier, 3 * GIB, THREE_GIB)).isEmpty();
            assertThat(TestAnswers.refusal(tier, 3 * GIB + 1, THREE_GIB)).isEqualTo("too-large");
            CacheTerms more = CacheTerms.DEFAULT.with(-1, -1, 900 * GIB, false);
            assertThat(TestAnswers.refusal(tier, 4 * GIB, more)).isEmpty();
            assertThat(TestAnswers.refusal(tier, 4 * GIB + 1, more))
                    .as("cache.disk.max-object-size")
                    .isEqualTo("too-large");
        }
    }

    @Test
    void whatItAllowsAboveMemoryIsOnTheDiskOnly() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), ROOM)) {
            for (long length : new long[] {LARGE, -1}) {
                byte[] body = TestTier.body("/" + length, 1, LARGE);
                try (Answer answer =
                        new Answer(tier, "/" + length, length, new SourceConnection(), new Request(THREE_GIB))) {
                    answer.send(body, 0, LARGE);
                    answer.end();
                    answer.await(answer.first);
                    answer.stored();
                }
                assertThat(tier.get("/" + length)).isEqualTo(body);
            }
            assertThat(tier.count(DiskStats.FILES)).isEqualTo(2);
            assertThat(tier.store.budget().used()).isLessThan(8 << 20);
        }
    }

    /** Another member's key, a disk that fails: memory does not stand in. */
    @Test
    void whatTheDiskDoesNotTakeIsNotInMemoryEither() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), ROOM)) {
            tier.store.lowerKeys(_ -> false);
            try (Answer answer = new Answer(tier, "/a", -1, new SourceConnection(), new Request(THREE_GIB))) {
                byte[] body = TestTier.body("/a", 1, LARGE);
                answer.send(body, 0, LARGE);
                answer.end();
                answer.await(answer.first);
                assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
                assertThat(answer.fill.passReason()).isEqualTo("too-large");
            }
            assertThat(tier.get("/a")).isNull();
        }
        String[] none = {"memory-budget=64MiB", "max-object-size=1MiB", "disk.max-object-size=0"};
        try (TestTier tier = new TestTier(new SimulatedFolder(), none)) {
            assertThat(TestAnswers.refusal(tier, LARGE, THREE_GIB)).isEqualTo("too-large");
            assertThat(TestAnswers.refusal(tier, 1 << 20, THREE_GIB)).isEmpty();
        }
    }
}
