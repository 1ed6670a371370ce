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
    /** Causes tracked at a time. */
    static final int MAX_CAUSES = 1024;

    /** A message and its first argument. */
    private record Cause(int id, String first) {}

    /** A cause's repetitions since it was last written. */
    private static final class Entry {
        final long since;
        final LogMessage message;
        final AtomicLong count = new AtomicLong();

        Entry(long since, LogMessage message) {
            this.since = since;
            this.message = message;
        }
    }

    /** Receives the repetitions of a cause when its interval is over. */
    interface Report {
        void repeated(LogMessage message, long count, String cause);
    }

    private final Map<Cause, Entry> causes = new ConcurrentHashMap<>();

    /** The result of {@link #admit} for a repetition. */
    static final long SUPPRESS = -1;

    /**
     * Decides whether to write the message now.
     *
     * @return {@link #SUPPRESS}: it was counted; otherwise the number of repetitions in the previous interval, to be
     * reported before it is written
     */
    long admit(LogMessage message, long now, long interval, Object... arguments) {
        Cause cause = cause(message, arguments);
        Entry fresh = new Entry(now, message);
        Entry entry = causes.computeIfAbsent(cause, _ -> fresh);
        if (entry == fresh) {
            return 0;
        }
        if (now - entry.since >= interval && causes.replace(cause, entry, fresh)) {
            return entry.count.get();
        }
        entry.count.incrementAndGet();
        return SUPPRESS;
    }

    private Cause cause(LogMessage message, Object... arguments) {
        Cause cause = new Cause(message.id(), arguments.length == 0 ? "" : String.valueOf(arguments[0]));
        return causes.size() >= MAX_CAUSES && !causes.containsKey(cause)
                ? new Cause(message.id(), "(many causes)")
                : cause;
    }

    /** Removes causes whose interval is over and reports those that were repeated. */
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
