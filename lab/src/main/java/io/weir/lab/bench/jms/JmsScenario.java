package io.weir.lab.bench.jms;

import io.weir.lab.jmsload.Turn;
import java.util.Locale;

/** The scenarios of {@code ./weir bench jms}, with the project's targets. */
enum JmsScenario {
    TOPIC("1 -> 1, topic, non-persistent, asynchronous", 4, 0.25),
    TOPIC_SYNC("1 -> 1, topic, non-persistent, receive()", 4, 0.25),
    QUEUE("1 -> 1, queue, non-persistent, asynchronous", 4, 0.25),
    QUEUE_SYNC("1 -> 1, queue, non-persistent, receive()", 4, 0.25),
    PERSISTENT("persistent, queue, one producer", 0, 0),
    PERSISTENT_AUTO("persistent, queue, one producer, consumed in AUTO_ACKNOWLEDGE", 0, 0),
    PERSISTENT_8("persistent, queue, eight producers", 2, 0),
    FAN_OUT("topic with eight subscribers, non-persistent", 0, 0),
    SLOW_SUBSCRIBER("topic, one subscriber alone and beside a slow durable one", 0.9, 0),
    TRIPS("request/reply, eight requesters, closed loop", 0, 0),
    PACED("request/reply at a fixed rate, open loop", 0, 0),
    EXTRA_SUBSCRIBER("topic with 1 to 16 subscribers, each on its own connection, non-persistent", 0, 0),
    EXTRA_SUBSCRIBER_SHARED("topic with 1 to 16 subscribers, sessions of one connection, non-persistent", 0, 0),
    CONNECTS("connections opened and closed, each with a session and a producer", 1, 1),
    CONNECTS_TLS("the same with TLS", 1, 1),
    SESSIONS("sessions of one connection opened and closed, each with a producer", 1, 1),
    IDLE_CONSUMERS("memory of 10,000 idle consumers", 0, 0),
    CASE_STUDY("the tuning series' case study", 0, 0);

    /** Name of the queue and the topic at every provider. */
    static final String QUEUE_NAME = "bench-queue";

    static final String TOPIC_NAME = "bench-topic";
    /** A topic whose subscriptions hold at most 10,000 messages, which only Weir supports. */
    static final String LIMITED_NAME = "limited-topic";

    static final String FACTORY = "ConnectionFactory";
    /** Consumers of {@link #IDLE_CONSUMERS}. */
    static final int IDLE = 10_000;

    private static final int BYTES = 1024;
    private static final int EIGHT = 8;
    /** Threads that open connections: enough that none of them waits for the broker alone. */
    private static final int OPENERS = 4;

    private final String title;
    private final double rateTarget;
    private final double cpuTarget;

    JmsScenario(String title, double rateTarget, double cpuTarget) {
        this.title = title;
        this.rateTarget = rateTarget;
        this.cpuTarget = cpuTarget;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    /** Turns before the measured ones: a turn of connections has few of them, and a JVM compiles what it does often. */
    int warmUpTurns() {
        return switch (this) {
            case CONNECTS, CONNECTS_TLS, SESSIONS -> 10;
            default -> 4;
        };
    }

    /** What is counted. */
    String unit() {
        return switch (this) {
            case CONNECTS, CONNECTS_TLS -> "connection";
            case SESSIONS -> "session";
            case TRIPS, PACED -> "round trip";
            default -> "message";
        };
    }

    /** Target for messages a second, relative to the peer; 0: none. */
    double rateTarget() {
        return rateTarget;
    }

    /** Target for the broker's time of a message, relative to the peer; 0: none. */
    double cpuTarget() {
        return cpuTarget;
    }

    /**
     * The load of a turn.
     *
     * @param rate requests a second, for {@link #PACED}; messages, for {@link #SLOW_SUBSCRIBER}
     */
    Turn turn(int seconds, double rate) {
        return switch (this) {
            case TOPIC -> flow(TOPIC_NAME, 1, 1, false, true, seconds);
            case TOPIC_SYNC -> flow(TOPIC_NAME, 1, 1, false, false, seconds);
            case QUEUE -> flow(QUEUE_NAME, 1, 1, false, true, seconds);
            case QUEUE_SYNC -> flow(QUEUE_NAME, 1, 1, false, false, seconds);
            case PERSISTENT -> flow(QUEUE_NAME, 1, 1, true, true, seconds);
            case PERSISTENT_AUTO -> flow(QUEUE_NAME, 1, 1, true, true, seconds).automatically();
            case PERSISTENT_8 -> flow(QUEUE_NAME, EIGHT, 1, true, true, seconds);
            case FAN_OUT -> flow(TOPIC_NAME, 1, EIGHT, false, true, seconds);
            case SLOW_SUBSCRIBER -> beside(0, rate, seconds);
            case TRIPS -> trips("trips", 0, seconds);
            case PACED -> trips("paced", rate, seconds);
            case EXTRA_SUBSCRIBER -> subscribers(1, false, seconds);
            case EXTRA_SUBSCRIBER_SHARED -> subscribers(1, true, seconds);
            case CONNECTS, CONNECTS_TLS -> openings("connects", OPENERS, seconds);
            case SESSIONS -> openings("sessions", 1, seconds);
            case IDLE_CONSUMERS -> idle(QUEUE_NAME, 1);
            case CASE_STUDY -> flow(TOPIC_NAME, 1, 1, false, false, seconds);
        };
    }

    /**
     * One subscriber, and the given number of slow ones beside it.
     *
     * @param rate messages a second, 0 for as fast as possible
     */
    static Turn beside(int slow, double rate, int seconds) {
        return new Turn("flow", FACTORY, LIMITED_NAME, 1, 1, 0, slow, false, true, false, BYTES, rate, seconds * 1000L);
    }

    /** A topic with this number of subscribers, on one connection or on one each. */
    static Turn subscribers(int number, boolean shared, int seconds) {
        return new Turn(
                "flow",
                FACTORY,
                TOPIC_NAME,
                1,
                number,
                shared ? 1 : 0,
                0,
                false,
                true,
                false,
                BYTES,
                0,
                seconds * 1000L);
    }

    private static Turn openings(String kind, int threads, int seconds) {
        return new Turn(kind, FACTORY, QUEUE_NAME, threads, 0, 0, 0, false, false, false, BYTES, 0, seconds * 1000L);
    }

    /** Idle consumers on a number of connections, which stay. */
    static Turn idle(String destination, int connections) {
        return new Turn("hold", FACTORY, destination, 0, IDLE, connections, 0, false, true, false, BYTES, 0, 0);
    }

    private static Turn flow(
            String destination, int producers, int subscribers, boolean persistent, boolean listening, int seconds) {
        return new Turn(
                "flow",
                FACTORY,
                destination,
                producers,
                subscribers,
                0,
                0,
                persistent,
                listening,
                false,
                BYTES,
                0,
                seconds * 1000L);
    }

    private static Turn trips(String kind, double rate, int seconds) {
        return new Turn(kind, FACTORY, QUEUE_NAME, EIGHT, 1, 0, 0, false, true, false, BYTES, rate, seconds * 1000L);
    }
}
