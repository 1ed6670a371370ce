package io.weir.server.log;

import io.weir.base.LogMessage;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets a message through once per cause and interval and counts the others. The number of causes is bounded: beyond it
 * all causes of one message share an entry. Shared.
 */
final class Repeats {
    /** Causes that are told apart at a time. */
    static final int MAX_CAUSES = 1024;

    /** A message and its first argument. */
    private record Cause(int id, String first) {}

    /** One cause's repetitions since it was written. */
    private static final class Entry {
        final long since;
        final LogMessage message;
        final AtomicLong count = new AtomicLong();

        Entry(long since, LogMessage message) {
            this.since = since;
            this.message = message;
        }
    }

    /** Takes what was repeated when its interval is over. */
    interface Report {
        void repeated(LogMessage message, long count, String cause);
    }

    private final Map<Cause, Entry> causes = new ConcurrentHashMap<>();

    /** Whether to write the message now; false counts it. */
    boolean first(LogMessage message, long now, Object... arguments) {
        String argument = arguments.length == 0 ? "" : String.valueOf(arguments[0]);
        Cause cause = new Cause(message.id(), argument);
        if (causes.size() >= MAX_CAUSES && !causes.containsKey(cause)) {
            cause = new Cause(message.id(), "(many causes)");
        }
        Entry fresh = new Entry(now, message);
        Entry entry = causes.computeIfAbsent(cause, _ -> fresh);
        if (entry == fresh) {
            return true;
        }
        entry.count.incrementAndGet();
        return false;
    }

    /** Forgets causes whose interval is over and reports those that were repeated. */
    void sweep(long now, long interval, Report report) {
        for (Iterator<Map.Entry<Cause, Entry>> it = causes.entrySet().iterator(); it.hasNext(); ) {
            Map.Entry<Cause, Entry> e = it.next();
            if (now - e.getValue().since >= interval) {
                it.remove();
                long count = e.getValue().count.get();
                if (count > 0) {
                    report.repeated(e.getValue().message, count, e.getKey().first());
                }
            }
        }
    }
}
