package io.weir.lab.bench.jms;

import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.OptionError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the command line asks for. Immutable.
 *
 * @param rounds turns of each broker
 * @param seconds measured part of a turn
 * @param rate questions a second of the open loop; 0: half of what the best peer reached in a closed one
 * @param artemis whether the peer takes part
 * @param install whether what is missing is installed
 * @param seed of the bootstrap
 */
public record JmsOptions(
        List<JmsScenario> scenarios,
        int rounds,
        int seconds,
        double rate,
        boolean artemis,
        boolean install,
        long seed) {
    public static final String USAGE = """
            usage: weir bench jms [OPTIONS]

              --scenario S,S...|all  topic, topic-sync, queue, queue-sync, persistent, persistent-auto,
                                     persistent-8, fan-out, slow-subscriber, trips, paced, case-study (topic,queue)
              --rounds N             turns of each broker, 1 to 1000 (10)
              --seconds S            measured part of a turn, 1 to 600 (3)
              --rate R               questions a second of paced (half of the best peer's peak)
              --peers artemis|none   (artemis)
              --seed N               of the bootstrap (1)
              --install              installs libaio for the peer's journal, by apt-get
            """;

    public JmsOptions {
        scenarios = List.copyOf(scenarios);
    }

    /**
     * Reads a command line.
     *
     * @throws OptionError naming what is wrong
     */
    public static JmsOptions parse(List<String> words) throws OptionError {
        Reading reading = new Reading();
        Deque<String> left = new ArrayDeque<>(words);
        while (!left.isEmpty()) {
            reading.option(left.pop(), left);
        }
        return reading.done();
    }

    /** A command line while it is read. Confined to its caller. */
    private static final class Reading {
        private List<JmsScenario> scenarios = List.of(JmsScenario.TOPIC, JmsScenario.QUEUE);
        private int rounds = 10;
        private int seconds = 3;
        private double rate;
        private boolean artemis = true;
        private boolean install;
        private long seed = 1;

        void option(String name, Deque<String> left) throws OptionError {
            switch (name) {
                case "--scenario" -> scenarios = scenariosOf(BenchOptions.value(name, left));
                case "--rounds" -> rounds = (int) BenchOptions.number(name, BenchOptions.value(name, left), 1, 1000);
                case "--seconds" -> seconds = (int) BenchOptions.number(name, BenchOptions.value(name, left), 1, 600);
                case "--rate" -> rate = BenchOptions.number(name, BenchOptions.value(name, left), 1, 1_000_000);
                case "--peers" -> artemis = peersOf(BenchOptions.value(name, left));
                case "--seed" ->
                    seed = BenchOptions.number(name, BenchOptions.value(name, left), Long.MIN_VALUE, Long.MAX_VALUE);
                case "--install" -> install = true;
                default -> throw new OptionError("unknown option: " + name);
            }
        }

        JmsOptions done() {
            return new JmsOptions(scenarios, rounds, seconds, rate, artemis, install, seed);
        }

        private static boolean peersOf(String text) throws OptionError {
            if (!text.equals("artemis") && !text.equals("none")) {
                throw new OptionError("unknown peer: `" + text + "`; there is artemis, or none");
            }
            return text.equals("artemis");
        }

        private static List<JmsScenario> scenariosOf(String text) throws OptionError {
            if (text.equals("all")) {
                return Arrays.asList(JmsScenario.values());
            }
            List<JmsScenario> found = new ArrayList<>();
            for (String key : text.split(",", -1)) {
                found.add(JmsScenario.named(key)
                        .orElseThrow(() -> new OptionError("unknown scenario: " + key + "; there are "
                                + Arrays.stream(JmsScenario.values())
                                        .map(JmsScenario::key)
                                        .collect(Collectors.joining(", ")))));
            }
            return found;
        }
    }
}
