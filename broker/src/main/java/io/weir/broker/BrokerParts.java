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
 * What a broker is made of. Immutable.
 *
 * @param muxers the kernel's event loops: sessions live on their connection's, destinations are spread over them
 * @param config the section {@code messaging}; dynamic knobs are read at each use
 * @param journal the directory of persistent messages; null: none are kept
 */
public record BrokerParts(
        Muxers muxers,
        Live<MessagingConfig> config,
        @Nullable Disk journal,
        Clock clock,
        Stats stats,
        Log log) {}
