package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns of {@code h2load}. A turn has as many requests as a server answered in this time before; in the first turn this
 * is tried out. With a given time instead, h2load leaves its last requests, whose work would count without them, and may
 * not end. Lives for one run; confined to its thread.
 */
public final class H2loadTurns implements LoadRun {
    private static final int CONNECTIONS = 8;
    private static final int STREAMS = 32;

    /** One thread, several connections with several streams each. */
    public static final List<String> MANY = List.of("-t1", "-c" + CONNECTIONS, "-m" + STREAMS);

    /** Further runs of h2load in a turn that was too short. */
    private static final int TRIES = 4;

    private final Bed bed;
    private final List<String> options;
    private final Map<String, Double> perSecond = new HashMap<>();

    /** @param options besides the number of requests and the URL */
    public H2loadTurns(Bed bed, List<String> options) {
        this.bed = bed;
        this.options = List.copyOf(options);
    }

    @Override
    public Counts run(Contender contender, int seconds) throws Exception {
        Counts counts = once(contender, seconds);
        for (int i = 0; i < TRIES && counts.seconds() < seconds / 2.0 && counts.requests() > 0; i++) {
            Counts more = once(contender, seconds);
            counts = new Counts(
                    counts.requests() + more.requests(),
                    counts.seconds() + more.seconds(),
                    counts.disturbed() + more.disturbed(),
                    counts.refused() + more.refused());
        }
        return counts;
    }

    private Counts once(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
        double before = perSecond.getOrDefault(contender.name(), 0.0);
        List<String> words = new ArrayList<>(options);
        words.add("-n" + Math.max(CONNECTIONS * STREAMS, Math.round(before * seconds)));
        words.add(contender.url());
        Counts counts = bed.h2load(seconds, words);
        perSecond.put(contender.name(), counts.requests() / counts.seconds());
        return counts;
    }
}
