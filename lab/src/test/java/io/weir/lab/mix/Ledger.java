package io.weir.lab.mix;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * All that was asked, answered, forgotten and found wrong in a run. Its time counts events: what stands before another thing
 * in it happened before. Thread-safe.
 */
final class Ledger {
    /** Of each feature that are told. */
    private static final int MOST_TOLD = 3;

    /** What was stored for a key before {@code begun} is gone for who asks after {@code done}. */
    record Forgotten(long begun, long done) {}

    private final AtomicLong time = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Ask> asks = new ConcurrentHashMap<>();
    private final Map<Long, Sent> sent = new ConcurrentHashMap<>();
    /** Answers by key with which something went wrong. */
    private final Map<String, ConcurrentLinkedQueue<Sent>> troubles = new ConcurrentHashMap<>();

    private final Map<String, ConcurrentLinkedQueue<Forgotten>> forgotten = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> versions = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> arrivals = new ConcurrentHashMap<>();
    private final Map<String, String> tags = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

    final Timeline<Boolean> outsidersMayPass = new Timeline<>(false);
    final Timeline<Integer> routes = new Timeline<>(0);
    final Timeline<List<String>> servers;

    Ledger(List<String> servers) {
        this.servers = new Timeline<>(servers);
    }

    /** A moment of its own, behind all before. */
    long now() {
        return time.incrementAndGet();
    }

    void asked(Ask ask) {
        asks.put(ask.id, ask);
        count(ask.target.place() + " " + ask.method);
    }

    @Nullable
    Ask ask(long id) {
        return asks.get(id);
    }

    /** A request reached an origin; how often it did. */
    int arrived(Ask ask) {
        return arrivals.computeIfAbsent(Long.toString(ask.id), _ -> new AtomicInteger())
                .incrementAndGet();
    }

    int arrivals(Ask ask) {
        AtomicInteger n = arrivals.get(Long.toString(ask.id));
        return n == null ? 0 : n.get();
    }

    long number() {
        return numbers.incrementAndGet();
    }

    void sent(Sent answer) {
        sent.put(answer.number(), answer);
        if (answer.trouble() != Plan.Trouble.NONE) {
            troubles.computeIfAbsent(answer.ask().target.key(), _ -> new ConcurrentLinkedQueue<>())
                    .add(answer);
        }
        count("origin: " + answer.trouble());
    }

    @Nullable
    Sent sent(long number) {
        return sent.get(number);
    }

    /** Whether something went wrong with a fetch for that key that was not known to be over when the request began. */
    boolean troubled(Ask ask) {
        for (Sent s : troubles.getOrDefault(ask.target.key(), new ConcurrentLinkedQueue<>())) {
            boolean over = s.ask().ended != 0 && s.ask().ended < ask.started && s.ask().whole;
            if (s.trouble().fault() && !over) {
                return true;
            }
        }
        return false;
    }

    void forgot(String key, long begun) {
        forgotten.computeIfAbsent(key, _ -> new ConcurrentLinkedQueue<>()).add(new Forgotten(begun, now()));
    }

    /** Why an answer that the origin was asked for at that time may not be given to a request; null when it may. */
    @Nullable
    Forgotten forgotten(Ask ask, long heard) {
        for (Forgotten f : forgotten.getOrDefault(ask.target.key(), new ConcurrentLinkedQueue<>())) {
            if (heard < f.begun() && f.done() < ask.started) {
                return f;
            }
        }
        return null;
    }

    int version(Target target) {
        return versions.computeIfAbsent(target.key(), _ -> new AtomicInteger()).get();
    }

    void changed(Target target) {
        versions.computeIfAbsent(target.key(), _ -> new AtomicInteger()).incrementAndGet();
    }

    /** A client learned this tag. */
    void learned(Target target, String tag) {
        tags.put(target.key(), tag);
    }

    @Nullable
    String knownTag(Target target) {
        return tags.get(target.key());
    }

    void count(String what) {
        counts.computeIfAbsent(what, _ -> new AtomicLong()).incrementAndGet();
    }

    long counted(String what) {
        AtomicLong n = counts.get(what);
        return n == null ? 0 : n.get();
    }

    /** All counts, for the report. */
    String counts() {
        StringBuilder out = new StringBuilder();
        counts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> out.append("    ")
                        .append(e.getKey())
                        .append(": ")
                        .append(e.getValue())
                        .append('\n'));
        return out.toString();
    }

    /** Something is wrong, where it is looked for. */
    void violation(Feature about, String what) {
        if (!about.isOn()) {
            return;
        }
        count("wrong: " + about);
        if (counted("wrong: " + about) <= MOST_TOLD) {
            violations.add("[" + about + "] " + what);
        }
    }

    /** What went wrong, the first of each kind. */
    List<String> violations() {
        return List.copyOf(violations);
    }
}
