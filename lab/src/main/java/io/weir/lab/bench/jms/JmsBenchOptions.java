package io.weir.lab.bench.jms;

import java.util.List;

/**
 * The options of {@link JmsBenchCommand}. Immutable.
 *
 * @param rounds turns of each broker
 * @param seconds measured part of a turn
 * @param rate requests a second of the open loop; 0: half of the best peer's rate in a closed one
 * @param artemis whether the peer takes part
 * @param install whether missing libraries are installed
 * @param seed of the bootstrap
 */
public record JmsBenchOptions(
        List<JmsScenario> scenarios,
        int rounds,
        int seconds,
        double rate,
        boolean artemis,
        boolean install,
        long seed) {
    public JmsBenchOptions {
        scenarios = List.copyOf(scenarios);
    }
}
