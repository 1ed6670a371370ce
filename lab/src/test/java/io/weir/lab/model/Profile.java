package io.weir.lab.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What a run stresses. Immutable.
 *
 * @param shortQueue the journal's queue is so short that it refuses work
 */
record Profile(Kind kind, boolean shortQueue, String policy) {
    /** What is done most. */
    enum Kind {
        MIXED,
        SUBSCRIPTIONS,
        TRANSACTIONS,
        DISK,
        BULK,
        TIME
    }

    /** Queues, by what is special with them. */
    static final String PLAIN = "q";

    static final String STRICT = "strict";
    static final String NARROW = "narrow";
    static final String RESTING = "resting";
    static final String ERRORS = "errors";
    static final String GOING = "going";
    static final List<String> QUEUES = List.of(PLAIN, STRICT, NARROW, RESTING, ERRORS, GOING);
    static final List<String> TOPICS = List.of("news", "weather");
    /** Deliveries of {@link #STRICT} before it gives up. */
    static final int LIMIT = 2;

    static Profile of(RandomGenerator random, Sabotage sabotage) {
        Kind[] kinds = Kind.values();
        Kind kind = kinds[random.nextInt(kinds.length)];
        boolean shortQueue = random.nextInt(kind == Kind.BULK ? 2 : 6) == 0 && Feature.SHORT_QUEUE.isOn();
        String policy = random.nextInt(3) == 0 ? "cache-flush" : "direct-write";
        return new Profile(kind, shortQueue, sabotage == Sabotage.FORGETFUL_DISK ? "disabled" : policy);
    }

    /** A queue as it is configured. */
    static Place place(String name) {
        Place p = Place.queue(name);
        if (name.equals(STRICT)) {
            p.limit = LIMIT;
            p.errors = "queue/" + ERRORS;
        }
        return p;
    }

    List<String> settings() {
        List<String> all = new ArrayList<>();
        QUEUES.forEach(q -> all.add("queues." + q + ".jndi-name="));
        TOPICS.forEach(t -> all.add("topics." + t + ".jndi-name="));
        all.add("queues." + STRICT + ".delivery-failure.redelivery-limit=" + LIMIT);
        all.add("queues." + STRICT + ".delivery-failure.error-destination=queue/" + ERRORS);
        all.add("queues." + STRICT + ".delivery-failure.expiration-policy=redirect");
        all.add("queues." + NARROW + ".quota=narrow");
        all.add("quotas.narrow.messages-maximum=6");
        all.add("queues." + RESTING + ".delivery-failure.redelivery-delay=40");
        all.add("jms-server.expiration-scan-interval=500ms");
        all.add("journal.synchronous-write-policy=" + policy);
        all.add("journal.max-file-size=64KiB");
        all.add("journal.io-buffer-size=16KiB");
        all.add("journal.compaction-step=4KiB");
        all.add("journal.max-total-size=8MiB");
        if (shortQueue) {
            all.add("journal.queue-groups=12");
        }
        return all;
    }
}
