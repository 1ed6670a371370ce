package io.weir.broker;

import io.netty.util.internal.PlatformDependent;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.config.BrokerLimitsConfig;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bound on what the messages of all destinations take together, whatever their quotas, so that producers without
 * consumers are refused instead of ending the process. A message counts as long as it counts against its quota. Shared by
 * all loops; lives as long as the broker.
 */
final class Memory {
    /** What a small persistent message was measured to take of the heap, with room to spare. */
    private static final int HEAP_PER_MESSAGE = 576;
    /** The part of the heap, and of the direct memory, that messages may take. */
    private static final int PART = 2;
    /** Sends that wait hold their messages too; all of them together may hold this part of the bytes. */
    private static final int WAITING_PART = 8;

    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicBoolean said = new AtomicBoolean();
    private final Log log;
    private final Runnable wake;
    private volatile long mostMessages;
    private volatile long mostBytes;
    private volatile boolean starved;

    /** @param wake has those look again who were refused and wait */
    Memory(BrokerLimitsConfig config, Stats stats, Log log, Runnable wake) {
        this.log = log;
        this.wake = wake;
        stats.gauge(BrokerStats.MEMORY_MESSAGES, messages::get);
        stats.gauge(BrokerStats.MEMORY_BYTES, bytes::get);
        configure(config);
    }

    /** Takes bounds over, those in force at once. */
    void configure(BrokerLimitsConfig config) {
        mostMessages = config.messagesInMemory() >= 0
                ? config.messagesInMemory()
                : Runtime.getRuntime().maxMemory() / PART / HEAP_PER_MESSAGE;
        mostBytes = config.bytesInMemory() >= 0 ? config.bytesInMemory() : PlatformDependent.maxDirectMemory() / PART;
        log.log(BrokerMessages.MEMORY, mostMessages, mostBytes);
        wake.run();
    }

    /** Takes room for a message; false when there is none. */
    boolean take(long size) {
        if (add(size)) {
            return true;
        }
        starved = true;
        // Room that came free before starved was seen wakes nobody.
        if (add(size)) {
            return true;
        }
        if (said.compareAndSet(false, true)) {
            log.log(BrokerMessages.MEMORY_FULL, messages.get(), mostMessages, bytes.get(), mostBytes);
        }
        return false;
    }

    private boolean add(long size) {
        if (messages.incrementAndGet() > mostMessages) {
            messages.decrementAndGet();
            return false;
        }
        if (bytes.addAndGet(size) > mostBytes) {
            bytes.addAndGet(-size);
            messages.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Counts a message that exists already. */
    void force(long size) {
        messages.incrementAndGet();
        bytes.addAndGet(size);
    }

    void release(long size) {
        long left = messages.decrementAndGet();
        long leftBytes = bytes.addAndGet(-size);
        if (starved) {
            starved = false;
            wake.run();
        } else if (said.getPlain() && left < mostMessages / PART && leftBytes < mostBytes / PART) {
            // The next time that it fills is news again.
            said.set(false);
        }
    }

    /** Whether a message of this size would find no room even if there were no other. */
    boolean never(long size) {
        return size > mostBytes || mostMessages == 0;
    }

    /** Takes a part in what sends that wait for room may hold; false when they hold enough. */
    boolean startWaiting(long size) {
        if (waitingBytes.addAndGet(size) > mostBytes / WAITING_PART) {
            waitingBytes.addAndGet(-size);
            return false;
        }
        return true;
    }

    void stopWaiting(long size) {
        waitingBytes.addAndGet(-size);
    }

    /** For refusals. */
    String text() {
        return "all destinations together hold " + messages.get() + " of " + mostMessages + " messages and "
                + bytes.get() + " of " + mostBytes + " bytes in memory";
    }
}
