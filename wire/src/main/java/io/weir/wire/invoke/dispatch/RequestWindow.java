package io.weir.wire.invoke.dispatch;

import io.weir.wire.invoke.CallHead;
import io.weir.wire.invoke.InvocationFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Stores the requests begun here and their responses, so that a repeated request is not executed again. A caller that
 * has its response confirms that with its next request; otherwise the oldest responses are evicted when there are too
 * many. Shared; its lock is held briefly.
 */
final class RequestWindow {
    /** Maximum size of a kept response, and of all of them together, in bytes. */
    static final int LONGEST_KEPT = 64 * 1024;

    static final long MOST_BYTES = 32L << 20;

    /** Maximum of callers that are remembered. */
    static final int MOST_ORIGINS = 10_000;

    /**
     * The source of a request: the user is part of it, so that no user gets another's responses by using its origin
     * number.
     */
    record Origin(String user, long number) {}

    /** What is known about a request. */
    sealed interface Known {}

    /** Not seen before: it is begun now, with this entry. */
    record New(Entry entry) implements Known {}

    /** It is running; the response will be sent to this receiver, too. */
    record Running() implements Known {}

    /** It has a response. */
    record Answered(Reply reply) implements Known {}

    /** It was settled or evicted, or may have been. */
    record Forgotten() implements Known {}

    /** Receives a response. */
    interface Receiver {
        void answer(Reply reply);
    }

    /** A request that was begun. Guarded by the window's lock. */
    static final class Entry {
        private final Origin origin;
        private final long request;
        private final List<Receiver> receivers = new ArrayList<>();
        private @Nullable Reply reply;

        Entry(Origin origin, long request, Receiver first) {
            this.origin = origin;
            this.request = request;
            receivers.add(first);
        }
    }

    /** One caller's requests. */
    private static final class Requests {
        private final TreeMap<Long, Entry> entries = new TreeMap<>();
        /** Requests below this number are settled or evicted. */
        private long floor;
    }

    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Origin, Requests> origins = new LinkedHashMap<>(16, 0.75f, true);
    /** Kept responses in the order in which they arrived. */
    private final Map<Entry, Integer> kept = new LinkedHashMap<>();

    private long bytes;
    private boolean originsForgotten;

    /** A window that keeps at most this many responses. */
    RequestWindow(int most) {
        this.most = most;
    }

    /** Registers an incoming request. */
    Known begin(Origin origin, CallHead head, Receiver receiver) {
        lock.lock();
        try {
            Requests requests = origins.get(origin);
            if (requests == null) {
                if (head.resent() && originsForgotten) {
                    return new Forgotten();
                }
                requests = new Requests();
                origins.put(origin, requests);
                trimOrigins();
            }
            settle(requests, head.settled());
            Entry known = requests.entries.get(head.request());
            if (known == null) {
                if (head.request() < requests.floor) {
                    return new Forgotten();
                }
                Entry entry = new Entry(origin, head.request(), receiver);
                requests.entries.put(head.request(), entry);
                return new New(entry);
            }
            Reply reply = known.reply;
            if (reply == null) {
                known.receivers.add(receiver);
                return new Running();
            }
            return new Answered(reply);
        } finally {
            lock.unlock();
        }
    }

    private void settle(Requests requests, long below) {
        Iterator<Entry> done = requests.entries.headMap(below).values().iterator();
        while (done.hasNext()) {
            Entry e = done.next();
            if (e.reply != null) {
                drop(e);
                done.remove();
            }
        }
        requests.floor = Math.max(requests.floor, below);
    }

    private void trimOrigins() {
        Iterator<Requests> eldest = origins.values().iterator();
        while (origins.size() > MOST_ORIGINS && eldest.hasNext()) {
            Requests r = eldest.next();
            if (r.entries.values().stream().allMatch(e -> e.reply != null)) {
                r.entries.values().forEach(this::drop);
                eldest.remove();
                originsForgotten = true;
            }
        }
    }

    private void drop(Entry entry) {
        Integer size = kept.remove(entry);
        bytes -= size == null ? 0 : size;
    }

    /** Records the response of a request that was executed, or whose execution began, and sends it to all receivers. */
    void answered(Entry entry, Reply reply) {
        for (Receiver r : keep(entry, reply)) {
            r.answer(reply);
        }
    }

    private List<Receiver> keep(Entry entry, Reply reply) {
        lock.lock();
        try {
            boolean small = reply.size() <= LONGEST_KEPT;
            entry.reply =
                    small ? reply : Reply.failed(InvocationFault.Code.REPEATED, "the response was too long to keep");
            kept.put(entry, small ? reply.size() : 0);
            bytes += small ? reply.size() : 0;
            Iterator<Entry> eldest = List.copyOf(excess()).iterator();
            while (eldest.hasNext()) {
                forget(eldest.next());
            }
            List<Receiver> receivers = List.copyOf(entry.receivers);
            entry.receivers.clear();
            return receivers;
        } finally {
            lock.unlock();
        }
    }

    /** The oldest responses beyond the limits. */
    private List<Entry> excess() {
        List<Entry> over = new ArrayList<>();
        long left = bytes;
        int n = kept.size();
        for (Map.Entry<Entry, Integer> e : kept.entrySet()) {
            if (n <= most && left <= MOST_BYTES) {
                break;
            }
            over.add(e.getKey());
            n--;
            left -= e.getValue();
        }
        return over;
    }

    private void forget(Entry entry) {
        drop(entry);
        Requests requests = origins.get(entry.origin);
        if (requests != null && requests.entries.remove(entry.request, entry)) {
            requests.floor = Math.max(requests.floor, entry.request + 1);
        }
    }

    /** Removes a request that was certainly not executed, so that it may be sent again. */
    void refused(Entry entry, @Nullable Reply reply) {
        List<Receiver> receivers;
        lock.lock();
        try {
            Requests requests = origins.get(entry.origin);
            if (requests != null) {
                requests.entries.remove(entry.request, entry);
            }
            receivers = List.copyOf(entry.receivers);
            entry.receivers.clear();
        } finally {
            lock.unlock();
        }
        if (reply != null) {
            receivers.forEach(r -> r.answer(reply));
        }
    }

    /** Number of kept responses. */
    int remembered() {
        lock.lock();
        try {
            return kept.size();
        } finally {
            lock.unlock();
        }
    }

    /** For tests: the number of known requests per caller. */
    Map<Origin, Integer> known() {
        lock.lock();
        try {
            Map<Origin, Integer> known = new HashMap<>();
            origins.forEach((o, r) -> known.put(o, r.entries.size()));
            return known;
        } finally {
            lock.unlock();
        }
    }
}
