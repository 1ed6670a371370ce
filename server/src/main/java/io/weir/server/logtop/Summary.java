package io.weir.server.logtop;

import io.weir.proxy.accesslog.ReadRecord;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The aggregate of the records read: sums, sketches and the last minutes. Its memory does not grow with the logs.
 * Confined to its caller.
 */
final class Summary {
    static final int KEYS = 8192;
    static final int SLOWEST = 100;
    static final int MINUTES = 1440;
    /** Longer keys are truncated; otherwise a few of them would fill the memory. */
    private static final int KEY_CHARS = 512;

    private static final int CLASSES = 6;

    private final boolean queries;
    private final SpaceSaving clients = new SpaceSaving(KEYS);
    private final SpaceSaving urls = new SpaceSaving(KEYS);
    private final SpaceSaving time = new SpaceSaving(KEYS);
    private final Slowest slowest = new Slowest(SLOWEST);
    private final long[] classes = new long[CLASSES];
    /** Minutes since the epoch: answers by the status's first digit, 0 for none. */
    private final TreeMap<Long, long[]> minutes = new TreeMap<>();

    private long records;
    private long bytes;
    private long unread;
    private long timed;

    /** @param queries whether URLs that differ in their query are different */
    Summary(boolean queries) {
        this.queries = queries;
    }

    void add(ReadRecord r) {
        records++;
        bytes += r.bytes();
        int kind = r.status() / 100;
        kind = kind < CLASSES ? kind : 0;
        classes[kind]++;
        if (!r.client().isEmpty()) {
            clients.add(key(r.client()), 1);
        }
        String url = key(url(r.url()));
        if (!url.isEmpty()) {
            urls.add(url, 1);
            if (r.micros() >= 0) {
                timed++;
                time.add(url, r.micros());
                slowest.add(url, r.micros());
            }
        }
        if (r.millis() >= 0) {
            minutes.computeIfAbsent(r.millis() / 60_000, _ -> new long[CLASSES])[kind]++;
            if (minutes.size() > MINUTES) {
                minutes.pollFirstEntry();
            }
        }
    }

    private String url(String url) {
        int query = queries ? -1 : url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }

    private static String key(String text) {
        return text.length() <= KEY_CHARS ? text : text.substring(0, KEY_CHARS) + "...";
    }

    /** Counts a line that is not a record. */
    void unread() {
        unread++;
    }

    long records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    long unreadLines() {
        return unread;
    }

    /** Whether any record has a duration. */
    boolean timed() {
        return timed > 0;
    }

    SpaceSaving clients() {
        return clients;
    }

    SpaceSaving urls() {
        return urls;
    }

    /** URLs by the microseconds spent on them. */
    SpaceSaving time() {
        return time;
    }

    Slowest slowest() {
        return slowest;
    }

    long[] classes() {
        return classes.clone();
    }

    NavigableMap<Long, long[]> minutes() {
        return minutes;
    }
}
