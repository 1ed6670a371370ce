package io.weir.broker.quota;

import io.netty.util.internal.PlatformDependent;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.config.BrokerLimitsConfig;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.store.StartRoom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bound on the memory of the messages of all destinations together, regardless of their quotas, so that producers
 * without consumers are refused instead of exhausting the process's memory. A message counts as long as it counts
 * against its quota. Shared by all loops; lives as long as the broker.
 */
public final class MessageMemory {
    private static final int HEAP_PER_MESSAGE = StartRoom.PER_MESSAGE;
    private static final int HEAP_PER_REFERENCE = StartRoom.PER_REFERENCE;
    /** The fraction (1/n) of the heap, and of the direct memory, that messages can occupy. */
    private static final int PART = StartRoom.FILLED_PART;
    /** The fraction (1/n) of a heap that is hardly larger than the server's own use. */
    private static final int TINY = 8;
    /** The fraction (1/n) of the bytes that the messages of waiting sends together can hold. */
    private static final int WAITING_PART = 8;

    private final AtomicLong messages = new AtomicLong();
    /**
     * Heap bytes of messages and references, by the figures above. References are not counted beside it: one is released
     * for each delivery of a topic's message.
     */
    private final AtomicLong heap = new AtomicLong();

    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicBoolean logged = new AtomicBoolean();
    private final Log log;
    private final Runnable wake;
    private volatile long mostMessages;
    private volatile long mostBytes;
    private volatile boolean starved;

    /** @param wake makes the waiting sends that were refused try again */
    MessageMemory(BrokerLimitsConfig config, Stats stats, Log log, Runnable wake) {
        this.log = log;
        this.wake = wake;
        stats.gauge(BrokerStats.MEMORY_MESSAGES, messages::get);
        stats.gauge(BrokerStats.MEMORY_BYTES, bytes::get);
        stats.gauge(BrokerStats.MEMORY_REFERENCES, this::references);
        stats.gauge(BrokerStats.MEMORY_LIMIT, () -> mostMessages);
        stats.gauge(BrokerStats.MEMORY_BYTES_LIMIT, () -> mostBytes);
        configure(config);
    }

    /** Sets the bounds, effective at once. */
    void configure(BrokerLimitsConfig config) {
        mostMessages = config.messagesInMemory() >= 0
                ? config.messagesInMemory()
                : automatic(Runtime.getRuntime().maxMemory());
        mostBytes = config.bytesInMemory() >= 0 ? config.bytesInMemory() : PlatformDependent.maxDirectMemory() / PART;
        log.log(BrokerMessages.MEMORY, mostMessages, mostBytes);
        wake.run();
    }

    /** The number of messages that a heap can hold, such that a restart with the same heap can recover them. */
    static long automatic(long maxHeap) {
        return Math.max(maxHeap / TINY, maxHeap - StartRoom.SERVER) / PART / HEAP_PER_MESSAGE;
    }

    /**
     * Reserves room for a message; returns false if there is none.
     *
     * @param more queues and subscriptions that will refer to it in addition to the first
     */
    boolean take(long size, int more) {
        if (add(size, more)) {
            return true;
        }
        starved = true;
        // Check again: room freed before starved was visible causes no wake-up.
        if (add(size, more)) {
            return true;
        }
        if (logged.compareAndSet(false, true)) {
            log.log(BrokerMessages.MEMORY_FULL, messages.get(), references(), mostMessages, bytes.get(), mostBytes);
        }
        return false;
    }

    private boolean add(long size, int more) {
        long takes = heap(more);
        if (heap.addAndGet(takes) > mostHeap()) {
            heap.addAndGet(-takes);
            return false;
        }
        if (bytes.addAndGet(size) > mostBytes) {
            bytes.addAndGet(-size);
            heap.addAndGet(-takes);
            return false;
        }
        messages.incrementAndGet();
        return true;
    }

    /** References in addition to the first of each message; approximate while others take or release room. */
    private long references() {
        return Math.max(0, (heap.get() - messages.get() * HEAP_PER_MESSAGE) / HEAP_PER_REFERENCE);
    }

    private static long heap(int more) {
        return HEAP_PER_MESSAGE + (long) HEAP_PER_REFERENCE * more;
    }

    private long mostHeap() {
        long most = mostMessages;
        return most > Long.MAX_VALUE / HEAP_PER_MESSAGE ? Long.MAX_VALUE : most * HEAP_PER_MESSAGE;
    }

    /** Counts a message that exists already. */
    void force(long size) {
        messages.incrementAndGet();
        heap.addAndGet(HEAP_PER_MESSAGE);
        bytes.addAndGet(size);
    }

    /** Counts references that exist already; a negative number uncounts released ones. */
    void refer(int more) {
        long left = heap.addAndGet((long) HEAP_PER_REFERENCE * more);
        if (more < 0) {
            released(left, bytes.get());
        }
    }

    void release(long size) {
        messages.decrementAndGet();
        released(heap.addAndGet(-HEAP_PER_MESSAGE), bytes.addAndGet(-size));
    }

    private void released(long left, long leftBytes) {
        if (starved) {
            starved = false;
            wake.run();
        } else if (logged.getPlain() && left < mostHeap() / PART && leftBytes < mostBytes / PART) {
            // Log again the next time it fills.
            logged.set(false);
        }
    }

    /** Whether a message of this size would find no room even in empty memory. */
    public boolean never(long size, int more) {
        return size > mostBytes || heap(more) > mostHeap();
    }

    /** Reserves bytes for a send that waits for room; returns false if waiting sends are at their bound. */
    public boolean startWaiting(long size) {
        if (waitingBytes.addAndGet(size) > mostBytes / WAITING_PART) {
            waitingBytes.addAndGet(-size);
            return false;
        }
        return true;
    }

    public void stopWaiting(long size) {
        waitingBytes.addAndGet(-size);
    }

    /** Why there is no room for a message: the bound that is exceeded and how to raise it; null if there is room. */
    @Nullable
    String lacking(long size, int more) {
        return lacking(heap(more), size, Freed.NOTHING);
    }

    /** The memory that a move will free, which still counts until the new copies exist. Confined to one move. */
    public static final class Freed {
        static final Freed NOTHING = new Freed();

        private long heap;
        private long bytes;

        /** Adds a reference that will be released; with the last one, the message. */
        public void add(boolean last, long size) {
            heap += last ? HEAP_PER_MESSAGE : HEAP_PER_REFERENCE;
            bytes += last ? size : 0;
        }
    }

    /** Why there is no room for one more copy of an existing message, in the form of {@link #lacking(long, int)}. */
    @Nullable
    public String lackingCopy(long size, Freed freed) {
        return lacking(heap(0), size, freed);
    }

    /** The same for further references to an existing message. */
    @Nullable
    public String lackingReferences(int more, Freed freed) {
        return lacking((long) HEAP_PER_REFERENCE * more, 0, freed);
    }

    private @Nullable String lacking(long heapMore, long size, Freed freed) {
        boolean first = heap.get() + heapMore - freed.heap > mostHeap();
        if (!first && (size == 0 || bytes.get() + size - freed.bytes <= mostBytes)) {
            return null;
        }
        String held = "in memory: all destinations together hold ";
        return first
                ? held + messages.get() + " messages with " + references() + " further references, of "
                        + mostMessages
                        + " (a reference counts as a third): consume, give the JVM more memory (-Xmx) or raise"
                        + " messaging.limits.messages-in-memory"
                : held + bytes.get() + " of " + mostBytes
                        + " bytes: consume, give the JVM more memory (-XX:MaxDirectMemorySize) or raise"
                        + " messaging.limits.bytes-in-memory";
    }
}
