package io.weir.cluster.sim;

import io.weir.base.LogMessage;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.stream.Collectors;

/** What happened, for the reader of a failed run: the last lines. Confined to the simulation's thread. */
final class EventLog {
    private static final int LINES = 4_000;

    private record Line(long at, String who, Object what) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%11.6f %-5s %s", at / 1e9, who, what);
        }
    }

    /** A message of the catalogue with what fills its places. Immutable but for the arguments, which nobody changes. */
    static final class Said {
        private final LogMessage message;
        private final Object[] arguments;

        Said(LogMessage message, Object[] arguments) {
            this.message = message;
            this.arguments = arguments;
        }

        @Override
        public String toString() {
            return "  " + message + " " + Arrays.toString(arguments);
        }
    }

    private final VirtualTime time;
    private final Deque<Line> lines = new ArrayDeque<>();

    EventLog(VirtualTime time) {
        this.time = time;
    }

    /** @param what is made a text only when somebody reads it */
    void add(String who, Object what) {
        if (lines.size() >= LINES) {
            lines.removeFirst();
        }
        lines.addLast(new Line(time.now(), who, what));
    }

    String last(int many) {
        return lines.stream()
                .skip(Math.max(0, lines.size() - many))
                .map(Line::toString)
                .collect(Collectors.joining("\n"));
    }
}
