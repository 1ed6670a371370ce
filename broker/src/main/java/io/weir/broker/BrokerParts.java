package io.weir.broker;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.config.MessagingConfig;
import io.weir.journal.disk.Disk;
import io.weir.kernel.mux.Muxers;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies of a broker. Immutable.
 *
 * @param muxers the kernel's event loops: a session runs on its connection's loop, destinations are spread over all
 * @param config the section {@code messaging}; dynamic knobs are read at each use
 * @param journal the directory of persistent messages; null if none are kept
 */
public record BrokerParts(
        Muxers muxers,
        Live<MessagingConfig> config,
        @Nullable Disk journal,
        Clock clock,
        Stats stats,
        Log log) {}
