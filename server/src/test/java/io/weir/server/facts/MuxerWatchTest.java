package io.weir.server.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import io.weir.server.monitor.source.Facts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A muxer that hangs is noticed, and only one that hangs. */
@Timeout(300)
class MuxerWatchTest {
    private final SteppedClock clock = new SteppedClock(0);
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final EventLoop turns = new DefaultEventLoop();
    private final EventLoop hangs = new DefaultEventLoop();
    private final CountDownLatch held = new CountDownLatch(1);
    private final MuxerWatch watch = new MuxerWatch(List.of(turns, hangs), clock, stats, log);

    @AfterEach
    void close() {
        held.countDown();
        var _ = turns.shutdownGracefully();
        var _ = hangs.shutdownGracefully();
    }

    private void look(EventLoop waited) throws Exception {
        clock.step(Duration.ofSeconds(1));
        watch.look();
        waited.submit(() -> {}).get();
    }

    private void hold() {
        hangs.execute(() -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void muxerThatHangsIsADownCheckUntilItTurnsAgain() throws Exception {
        hold();
        look(turns);
        for (int i = 0; i < MuxerWatch.LOOKS - 1; i++) {
            look(turns);
            assertThat(watch.checks()).isEmpty();
        }
        look(turns);
        assertThat(watch.checks()).singleElement().satisfies(c -> {
            assertThat(c.health()).isEqualTo(Facts.Health.DOWN);
            assertThat(c.detail()).startsWith("muxer 1 of 2 hangs");
        });
        assertThat(stats.value(ServerStats.MUXERS_HANGING)).isEqualTo(1);
        held.countDown();
        hangs.submit(() -> {}).get();
        assertThat(watch.checks()).as("at once").isEmpty();
        look(hangs);
        assertThat(log.entries())
                .extracting(RecordingLog.Entry::message)
                .containsExactly(ServerMessages.MUXER_HANGS, ServerMessages.MUXER_RECOVERED);
    }

    @Test
    void looksThatWereLateAreNotMadeUpFor() throws Exception {
        hold();
        look(turns);
        clock.step(Duration.ofHours(1));
        for (int i = 0; i < 100; i++) {
            watch.look();
        }
        assertThat(watch.checks()).isEmpty();
    }
}
