package io.weir.lab.bench.jms;

import java.util.List;

/**
 * What {@link JmsBenchCommand} asks for. Immutable.
 *
 * @param rounds turns of each broker
 * @param seconds measured part of a turn
 * @param rate questions a second of the open loop; 0: half of what the best peer reached in a closed one
 * @param artemis whether the peer takes part
 * @param install whether what is missing is installed
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
