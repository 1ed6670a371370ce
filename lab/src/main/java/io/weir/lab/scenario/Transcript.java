package io.weir.lab.scenario;

import io.weir.base.Clock;
import java.util.ArrayList;
import java.util.List;

/** The events of a run, in order, for diagnosing failures. Shared by all actors of one scenario; bounded. */
final class Transcript {
    private static final int MAX_EVENTS = 4000;
    private static final int MAX_SHOWN = 2000;
    private final Clock clock;
    private final long start;
    private final List<String> events = new ArrayList<>();

    Transcript(Clock clock) {
        this.clock = clock;
        this.start = clock.nanos();
    }

    void add(String who, String what) {
        long micros = (clock.nanos() - start) / 1000;
        synchronized (events) {
            if (events.size() < MAX_EVENTS) {
                events.add(String.format("%5d.%03d %-10s %s", micros / 1000, micros % 1000, who, what));
            }
        }
    }

    void bytes(String who, String direction, byte[] bytes, int from, int length) {
        add(who, direction + " " + Text.show(bytes, from, length, MAX_SHOWN));
    }

    @Override
    public String toString() {
        synchronized (events) {
            return String.join("\n", events);
        }
    }
}
