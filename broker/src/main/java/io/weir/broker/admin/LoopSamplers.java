package io.weir.broker.admin;

import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.report.DestinationCounts;
import io.weir.broker.session.BrokerEngine;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The samplers of all loops, and the figures of temporary destinations, which are published as one sum. Shared; lives
 * as long as the broker.
 */
public final class LoopSamplers {
    private final List<BrokerLoop> loops;
    private final List<LoopSampler> all;

    public LoopSamplers(BrokerEngine engine) {
        this.loops = engine.loops();
        this.all = loops.stream().map(l -> new LoopSampler(engine, l)).toList();
        engine.destinations().whenTemporaryGone(d -> of(d.loop).gone(d));
        publishTemporaries(engine.stats(), all);
    }

    /** The sampler of one loop. */
    public LoopSampler of(BrokerLoop loop) {
        return all.get(loops.indexOf(loop));
    }

    /** The latest counts of the loops. From any thread. */
    List<LoopFigures> latest() {
        return all.stream().map(LoopSampler::latest).toList();
    }

    /** Publishes the sum over all temporary destinations, from the loops' latest counts. */
    private static void publishTemporaries(Stats stats, List<LoopSampler> samplers) {
        gauge(stats, BrokerStats.MESSAGES_CURRENT, samplers, LoopFigures.Temporaries::messagesCurrent);
        gauge(stats, BrokerStats.BYTES_CURRENT, samplers, LoopFigures.Temporaries::bytesCurrent);
        gauge(stats, BrokerStats.MESSAGES_PENDING, samplers, LoopFigures.Temporaries::messagesPending);
        gauge(stats, BrokerStats.BYTES_PENDING, samplers, LoopFigures.Temporaries::bytesPending);
        gauge(stats, BrokerStats.CONSUMERS, samplers, LoopFigures.Temporaries::consumers);
        gauge(stats, BrokerStats.PRODUCERS, samplers, LoopFigures.Temporaries::producers);
        gauge(stats, BrokerStats.TEMPORARIES, samplers, LoopFigures.Temporaries::count);
        stats.counter(
                BrokerStats.MESSAGES_RECEIVED,
                sum(samplers, LoopFigures.Temporaries::messagesReceived),
                DestinationCounts.TEMPORARY);
        stats.counter(
                BrokerStats.BYTES_RECEIVED,
                sum(samplers, LoopFigures.Temporaries::bytesReceived),
                DestinationCounts.TEMPORARY);
    }

    private static void gauge(
            Stats stats, StatSpec spec, List<LoopSampler> samplers, ToLongFunction<LoopFigures.Temporaries> figure) {
        if (spec.labels().isEmpty()) {
            stats.gauge(spec, sum(samplers, figure));
        } else {
            stats.gauge(spec, sum(samplers, figure), DestinationCounts.TEMPORARY);
        }
    }

    private static LongSupplier sum(List<LoopSampler> samplers, ToLongFunction<LoopFigures.Temporaries> figure) {
        return () -> samplers.stream()
                .map(LoopSampler::temporaries)
                .mapToLong(figure)
                .sum();
    }
}
