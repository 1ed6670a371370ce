package io.weir.lab.bench.http;

import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Scenario;
import io.weir.lab.bench.peer.Size;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the command line asks for. Immutable.
 *
 * @param rounds turns of each server
 * @param seconds length of a turn
 * @param rate requests a second of the scenarios with a steady rate; 0: what the scenario chooses
 * @param seed of the bootstrap
 */
public record BenchOptions(
        int rounds,
        int seconds,
        Size size,
        Scenario scenario,
        List<Peer> peers,
        double rate,
        boolean install,
        long seed) {
    public static final String USAGE = """
            usage: weir bench http [OPTIONS]

              --scenario hits|misses|tls|handshakes|connections|latency|latency-misses|idle|routes|statistics|modes|hostile
                                     what is measured (hits)
              --size 1k|13k          bytes of an answer (1k)
              --rounds N             turns of each server, 1 to 1000 (10; idle, hostile: 6)
              --seconds S            length of a turn, 1 to 600 (3; hostile: 10)
              --peers P,P...|none    of nginx, haproxy, varnish, squid, trafficserver (all that the scenario can take)
              --rate R               requests a second of latency, latency-misses (half of the best peer's peak), hostile (1000)
              --seed N               of the bootstrap (1)
              --install-peers        installs what is missing, by apt-get
            """;

    public BenchOptions {
        peers = List.copyOf(peers);
    }

    /** Turns without measuring before the first round: a JVM compiles while it runs, the others are ready soon. */
    int warmUpTurns(boolean jvm) {
        return jvm ? 5 : 1;
    }

    /** Turns after which a JVM whose figures still fall is warm enough: forty seconds, twenty turns at least. */
    int longestWarmUpTurns() {
        return Math.max(20, 40 / seconds);
    }

    /**
     * Reads a command line.
     *
     * @throws OptionError naming what is wrong
     */
    public static BenchOptions parse(List<String> words) throws OptionError {
        Deque<String> left = new ArrayDeque<>(words);
        String what = left.isEmpty() ? "" : left.pop();
        if (!what.equals("http")) {
            throw new OptionError(
                    what.isEmpty() ? "which benchmark?" : "unknown benchmark: " + what + "; there are http and jms");
        }
        Reading reading = new Reading();
        while (!left.isEmpty()) {
            reading.option(left.pop(), left);
        }
        return reading.done();
    }

    public static String value(String name, Deque<String> left) throws OptionError {
        if (left.isEmpty()) {
            throw new OptionError(name + " takes a value");
        }
        return left.pop();
    }

    public static long number(String name, String text, long min, long max) throws OptionError {
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new OptionError(name + " takes a whole number, not `" + text + "`");
        }
        throw new OptionError(name + " takes " + min + " to " + max + ", not " + text);
    }

    /** A command line while it is read. Confined to its caller. */
    private static final class Reading {
        private Optional<Integer> rounds = Optional.empty();
        private Optional<Integer> seconds = Optional.empty();
        private Size size = Size.ONE;
        private Scenario scenario = Scenario.HITS;
        private Optional<Set<Peer>> peers = Optional.empty();
        private double rate;
        private boolean install;
        private long seed = 1;

        void option(String name, Deque<String> left) throws OptionError {
            switch (name) {
                case "--rounds" -> rounds = Optional.of((int) number(name, value(name, left), 1, 1000));
                case "--seconds" -> seconds = Optional.of((int) number(name, value(name, left), 1, 600));
                case "--rate" -> rate = number(name, value(name, left), 1, 1_000_000);
                case "--seed" -> seed = number(name, value(name, left), Long.MIN_VALUE, Long.MAX_VALUE);
                case "--size" -> size = sizeOf(value(name, left));
                case "--scenario" -> scenario = scenarioOf(value(name, left));
                case "--peers" -> peers = Optional.of(peersOf(value(name, left)));
                case "--install", "--install-peers" -> install = true;
                default -> throw new OptionError("unknown option: " + name);
            }
        }

        BenchOptions done() throws OptionError {
            Set<Peer> possible = scenario.peers();
            Set<Peer> taking = peers.orElse(possible);
            if (!possible.isEmpty() && !possible.containsAll(taking)) {
                throw new OptionError("scenario " + scenario.key() + " takes of the peers "
                        + possible.stream().map(Peer::key).collect(Collectors.joining(", ")));
            }
            if (rate > 0 && !scenario.steady()) {
                throw new OptionError("--rate is for the scenarios latency, latency-misses and hostile");
            }
            boolean hostile = scenario == Scenario.HOSTILE;
            int turns = rounds.orElse(hostile || scenario == Scenario.IDLE ? 6 : 10);
            return new BenchOptions(
                    turns, seconds.orElse(hostile ? 10 : 3), size, scenario, List.copyOf(taking), rate, install, seed);
        }

        private static Size sizeOf(String text) throws OptionError {
            return Arrays.stream(Size.values())
                    .filter(s -> s.key().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new OptionError("--size takes 1k or 13k, not `" + text + "`"));
        }

        private static Scenario scenarioOf(String text) throws OptionError {
            return Arrays.stream(Scenario.values())
                    .filter(s -> s.key().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new OptionError("unknown scenario: " + text + "; there are "
                            + Arrays.stream(Scenario.values())
                                    .map(Scenario::key)
                                    .collect(Collectors.joining(", "))));
        }

        private static Set<Peer> peersOf(String text) throws OptionError {
            Set<Peer> peers = EnumSet.noneOf(Peer.class);
            if (text.equals("none")) {
                return peers;
            }
            for (String name : text.split(",", -1)) {
                peers.add(Peer.named(name)
                        .orElseThrow(() -> new OptionError("unknown peer: `" + name + "`; there are "
                                + Arrays.stream(Peer.values()).map(Peer::key).collect(Collectors.joining(", ")))));
            }
            return peers;
        }
    }
}
