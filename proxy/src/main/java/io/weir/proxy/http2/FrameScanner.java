package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of all frames that a client sends, before they are decoded and however they are fragmented, and
 * counts frames that are limited. It sees the frames that the codec hides: those of closed streams, and each
 * CONTINUATION. Owned by one connection, confined to its muxer.
 */
final class FrameScanner {
    /** The client's preface, before its first frame (RFC 9113 section 3.4). */
    static final int PREFACE = 24;

    private static final int HEADER = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PUSH_PROMISE = 5;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private final Http2Config bounds;
    private final LongSupplier clock;
    private long skip = PREFACE;
    private int at;
    private int length;
    private int type = -1;
    private int flags;
    private boolean blockOpen;
    private int continuations;
    private long blockBytes;
    private long windowStart;
    private int resets;
    private int faults;
    private int pings;
    private int settings;
    private int priorities;
    private int emptyFrames;
    private long windowUpdates;

    /** @param clock nanoseconds */
    FrameScanner(Http2Config bounds, LongSupplier clock) {
        this.bounds = bounds;
        this.clock = clock;
        this.windowStart = clock.getAsLong();
    }

    /** Scans the received bytes without consuming them; returns the first bound that is exceeded, or null. */
    @Nullable
    Flood scan(ByteBuf in) {
        int i = in.readerIndex();
        int end = in.writerIndex();
        while (i < end) {
            if (skip > 0) {
                int n = (int) Math.min(skip, end - i);
                skip -= n;
                i += n;
                continue;
            }
            if (header(in.getByte(i++))) {
                Flood flood = frame();
                if (flood != null) {
                    return flood;
                }
            }
        }
        return null;
    }

    /** Consumes a byte of a frame's header; returns true when it is complete. */
    private boolean header(byte b) {
        int octet = b & 0xFF;
        switch (at++) {
            case 0 -> length = octet;
            case 1, 2 -> length = length << 8 | octet;
            case 3 -> type = octet;
            case 4 -> flags = octet;
            default -> {
                // the stream identifier is not needed here
            }
        }
        if (at < HEADER) {
            return false;
        }
        at = 0;
        skip = length;
        return true;
    }

    private @Nullable Flood frame() {
        return switch (type) {
            case DATA -> length == 0 && (flags & END_STREAM) == 0 ? empty() : null;
            case HEADERS -> {
                blockOpen = (flags & END_HEADERS) == 0;
                continuations = 0;
                blockBytes = length;
                yield null;
            }
            case CONTINUATION -> continuation();
            case RST_STREAM -> over(++resets, bounds.resets(), Flood.RESETS);
            case SETTINGS -> (flags & ACK) != 0 ? null : settings();
            case PING -> (flags & ACK) != 0 ? empty() : pings();
            case WINDOW_UPDATE -> windowUpdate();
            case PUSH_PROMISE, GOAWAY -> null;
            default -> over(++priorities, bounds.priorities(), Flood.PRIORITIES);
        };
    }

    private @Nullable Flood continuation() {
        continuations++;
        blockBytes += length;
        blockOpen = (flags & END_HEADERS) == 0;
        if (continuations > bounds.continuations()) {
            return Flood.CONTINUATIONS;
        }
        if (blockBytes > bounds.headerList().bytes()) {
            return Flood.HEADER_BYTES;
        }
        return length == 0 ? empty() : null;
    }

    private @Nullable Flood empty() {
        return over(++emptyFrames, bounds.emptyFrames(), Flood.EMPTY_FRAMES);
    }

    private @Nullable Flood settings() {
        return over(++settings, bounds.settings(), Flood.SETTINGS);
    }

    private @Nullable Flood pings() {
        return over(++pings, bounds.pings(), Flood.PINGS);
    }

    private @Nullable Flood windowUpdate() {
        windowUpdates++;
        return over(windowUpdates, bounds.windowUpdates(), Flood.WINDOW_UPDATES);
    }

    /** The client caused Weir to reset one of its requests. */
    @Nullable
    Flood fault() {
        return over(++faults, bounds.faults(), Flood.FAULTS);
    }

    /** The given number of bytes of answers was sent: the client may acknowledge them. */
    void sent(long bytes) {
        windowUpdates = Math.max(-bounds.windowUpdates(), windowUpdates - (bytes >> 10) - 1);
    }

    /** The clock is only read when a bound seems to be exceeded. */
    private @Nullable Flood over(long count, int bound, Flood flood) {
        if (count <= bound) {
            return null;
        }
        long now = clock.getAsLong();
        if (now - windowStart < bounds.floodWindow().toNanos()) {
            return flood;
        }
        windowStart = now;
        resets = 0;
        faults = 0;
        pings = 0;
        settings = 0;
        priorities = 0;
        emptyFrames = 0;
        windowUpdates = 0;
        return null;
    }

    /** Whether a head is incomplete, or a frame's header. */
    boolean inHead() {
        boolean payload = skip > 0 && (type == HEADERS || type == CONTINUATION || type < 0);
        return blockOpen || at > 0 || payload;
    }
}
