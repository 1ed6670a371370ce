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
    CASE_STUDY("the tuning series' case study", 0, 0);

    /** Name of the queue and the topic at every provider. */
    static final String QUEUE_NAME = "bench-queue";

    static final String TOPIC_NAME = "bench-topic";
    /** A topic whose subscriptions hold at most 10,000 messages, which only Weir supports. */
    static final String LIMITED_NAME = "limited-topic";

    static final String FACTORY = "ConnectionFactory";
    private static final int BYTES = 1024;
    private static final int EIGHT = 8;

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
            case CASE_STUDY -> flow(TOPIC_NAME, 1, 1, false, false, seconds);
        };
    }

    /**
     * One subscriber, and the given number of slow ones beside it.
     *
     * @param rate messages a second, 0 for as fast as possible
     */
    static Turn beside(int slow, double rate, int seconds) {
        return new Turn("flow", FACTORY, LIMITED_NAME, 1, 1, slow, false, true, false, BYTES, rate, seconds * 1000L);
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
                persistent,
                listening,
                false,
                BYTES,
                0,
                seconds * 1000L);
    }

    private static Turn trips(String kind, double rate, int seconds) {
        return new Turn(kind, FACTORY, QUEUE_NAME, EIGHT, 1, 0, false, true, false, BYTES, rate, seconds * 1000L);
    }
}
