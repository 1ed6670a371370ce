package io.weir.lab.jmsload;

import java.util.HashMap;
import java.util.Map;

/**
 * The parameters of a turn: {@code turn key=value …}, a line. Immutable.
 *
 * @param kind flow, trips, paced, connects, sessions or hold
 * @param factory JNDI name of a connection factory
 * @param destination JNDI name of a queue or a topic
 * @param producers threads that send messages, or requests
 * @param subscribers consumers
 * @param connections connections that the consumers share; 0: each has a separate one
 * @param slow durable subscribers beside them that take a message every hundredth of a second; not counted
 * @param persistent delivery mode
 * @param listening whether consumers listen, or call receive
 * @param automatic whether consumers acknowledge persistent messages in AUTO_ACKNOWLEDGE, too
 * @param bytes of a body
 * @param rate questions a second of all askers together, for {@code paced}; messages of all producers together, 0 for as
 *     fast as they may, where messages flow
 * @param millis length of the measured part
 */
public record Turn(
        String kind,
        String factory,
        String destination,
        int producers,
        int subscribers,
        int connections,
        int slow,
        boolean persistent,
        boolean listening,
        boolean automatic,
        int bytes,
        double rate,
        long millis) {
    private static final String WORD = "turn";

    /** Reads what {@link #line()} wrote; missing values have their defaults. */
    public static Turn parse(String line) {
        Map<String, String> values = new HashMap<>();
        for (String word : line.strip().split(" +", -1)) {
            int at = word.indexOf('=');
            if (at > 0) {
                values.put(word.substring(0, at), word.substring(at + 1));
            } else if (!word.equals(WORD)) {
                throw new IllegalArgumentException("not a turn: " + line);
            }
        }
        return new Turn(
                values.getOrDefault("kind", "flow"),
                values.getOrDefault("factory", "ConnectionFactory"),
                values.getOrDefault("destination", ""),
                Integer.parseInt(values.getOrDefault("producers", "1")),
                Integer.parseInt(values.getOrDefault("subscribers", "1")),
                Integer.parseInt(values.getOrDefault("connections", "0")),
                Integer.parseInt(values.getOrDefault("slow", "0")),
                Boolean.parseBoolean(values.getOrDefault("persistent", "false")),
                Boolean.parseBoolean(values.getOrDefault("listening", "true")),
                Boolean.parseBoolean(values.getOrDefault("automatic", "false")),
                Integer.parseInt(values.getOrDefault("bytes", "1024")),
                Double.parseDouble(values.getOrDefault("rate", "0")),
                Long.parseLong(values.getOrDefault("millis", "2000")));
    }

    /** The same, whose consumers acknowledge persistent messages in AUTO_ACKNOWLEDGE, too. */
    public Turn automatically() {
        return new Turn(
                kind,
                factory,
                destination,
                producers,
                subscribers,
                connections,
                slow,
                persistent,
                listening,
                true,
                bytes,
                rate,
                millis);
    }

    /** One line, without its end. */
    public String line() {
        return WORD + " kind=" + kind + " factory=" + factory + " destination=" + destination + " producers="
                + producers + " subscribers="
                + subscribers + " connections=" + connections + " slow=" + slow + " persistent=" + persistent
                + " listening=" + listening
                + " automatic="
                + automatic + " bytes="
                + bytes + " rate="
                + rate + " millis=" + millis;
    }
}
