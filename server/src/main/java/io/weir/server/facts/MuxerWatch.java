package io.weir.server.facts;

import io.netty.channel.EventLoop;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.mux.Muxer;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.catalogue.ServerStats;
import io.weir.server.monitor.source.Facts;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Notices muxers that hang: each is probed periodically with a task. Checks at which the task had not run yet count,
 * not time: a machine that was suspended wakes up to muxers that hang no more than it did. Looks are the admin loop's;
 * what was found is read by all threads.
 */
public final class MuxerWatch {
    /** Looks without a turn until a muxer hangs. */
    public static final int LOOKS = 3;

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final List<Watched> muxers;
    private final Clock clock;
    private final Log log;
    private long last;

    /** @param loops the muxers' loops by their numbers */
    public MuxerWatch(List<EventLoop> loops, Clock clock, Stats stats, Log log) {
        this.muxers = loops.stream().map(Watched::new).toList();
        this.clock = clock;
        this.log = log;
        this.last = clock.nanos() - INTERVAL.toNanos();
        stats.gauge(
                ServerStats.MUXERS_HANGING,
                () -> muxers.stream().filter(Watched::hangs).count());
    }

    public static MuxerWatch of(List<Muxer> muxers, Clock clock, Stats stats, Log log) {
        return new MuxerWatch(muxers.stream().map(Muxer::eventLoop).toList(), clock, stats, log);
    }

    /** Looks whether each had its turn; to be called once a second. What was late is not made up for. */
    public void look() {
        long now = clock.nanos();
        if (now - last < INTERVAL.toNanos() / 2) {
            return;
        }
        last = now;
        for (int i = 0; i < muxers.size(); i++) {
            Watched m = muxers.get(i);
            m.look();
            if (m.hangs() != m.reported) {
                m.reported = m.hangs();
                log.log(m.reported ? ServerMessages.MUXER_HANGS : ServerMessages.MUXER_TURNS, i);
            }
        }
    }

    /** A check that is down; none while all muxers turn. */
    public List<Facts.Check> checks() {
        String hanging = IntStream.range(0, muxers.size())
                .filter(i -> muxers.get(i).hangs())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        return hanging.isEmpty()
                ? List.of()
                : List.of(new Facts.Check(
                        "muxers",
                        false,
                        "muxer " + hanging + " of " + muxers.size()
                                + " hangs: nothing of its connections goes on; /threads shows in what"));
    }

    /** One muxer. */
    private static final class Watched {
        private final EventLoop loop;
        private volatile boolean owed;
        private volatile boolean late;
        private int missed;
        private boolean reported;

        Watched(EventLoop loop) {
            this.loop = loop;
        }

        void look() {
            if (owed) {
                missed++;
                late = missed >= LOOKS;
                return;
            }
            missed = 0;
            late = false;
            if (!loop.isShuttingDown()) {
                owed = true;
                loop.execute(() -> owed = false);
            }
        }

        boolean hangs() {
            return late && owed;
        }
    }
}
