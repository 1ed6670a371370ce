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
 * Detects muxers that hang: each is probed periodically with a task. It counts the checks at which the task had not run
 * yet, not time, so that the time of a suspended machine does not count. Checks run on the admin loop; the results are
 * read by all threads.
 */
public final class MuxerWatch {
    /** Checks without progress until a muxer counts as hanging. */
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

    /** Checks whether each muxer has run its task; to be called once a second. Late calls are not made up for. */
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
                log.log(m.reported ? ServerMessages.MUXER_HANGS : ServerMessages.MUXER_RECOVERED, i);
            }
        }
    }

    /** Checks that are down; none while all muxers make progress. */
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
                                + " hangs: its connections stall; /threads shows in what"));
    }

    /** A watched muxer. */
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
