package io.weir.broker.store;

import io.netty.util.internal.PlatformDependent;

/**
 * The memory that a start can use for the store's contents, and the memory settings that a virtual machine needs for
 * them. A quarter of the heap, and at least the server's own use, stays free for the work: a server that starts with a
 * full heap cannot work. Immutable.
 *
 * @param maxHeap bytes
 * @param maxDirect bytes
 */
public record StartRoom(long maxHeap, long maxDirect) {
    /** Heap bytes of the server itself, without messages. */
    public static final long SERVER = 20L << 20;
    /** Direct memory of the server itself, in bytes. */
    private static final long SERVER_DIRECT = 8L << 20;
    /** The fraction (1/n) of either that stays free. */
    private static final int LEFT = 4;

    /** Heap bytes of a small persistent message that waits in one queue, as measured, with a margin. */
    public static final int PER_MESSAGE = 576;
    /** The same for each further queue or subscription that refers to it. */
    public static final int PER_REFERENCE = 192;
    /**
     * The fraction (1/n) of the heap beyond the server's own use, and of the direct memory, that producers can fill.
     */
    public static final int FILLED_PART = 2;
    /** The room for new messages after a start: this fraction (1/n) of the existing ones. */
    private static final int MORE = 8;

    private static final long MIB = 1 << 20;

    /** The room of this virtual machine. */
    public static StartRoom ofThisJvm() {
        return new StartRoom(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());
    }

    long heap() {
        return room(maxHeap, SERVER);
    }

    long direct() {
        return room(maxDirect, SERVER_DIRECT);
    }

    boolean holds(long heap, long direct) {
        return heap <= heap() && direct <= direct();
    }

    private static long room(long most, long server) {
        return Math.max(0, most - Math.max(most / LEFT, server));
    }

    /** The command line options of a virtual machine with enough memory. */
    String enoughFor(long heap, long direct) {
        String more = heap <= heap() ? "" : "-Xmx" + mebibytes(most(heap, SERVER)) + "m";
        if (direct <= direct()) {
            return more;
        }
        String off = "-XX:MaxDirectMemorySize=" + mebibytes(most(direct, SERVER_DIRECT)) + "m";
        return more.isEmpty() ? off : more + " " + off;
    }

    /**
     * The options with which producers are not refused at once, provided that limits.messages-in-memory and
     * bytes-in-memory are automatic.
     */
    String enoughToSend(long messages, long references, long bytes) {
        long heap = (messages * PER_MESSAGE + references * PER_REFERENCE) * FILLED_PART;
        long most = heap + heap / MORE + SERVER;
        long direct = bytes * FILLED_PART;
        long mostDirect = direct + direct / MORE;
        String on = "-Xmx" + mebibytes(Math.max(maxHeap, most + most / 16)) + "m";
        return mostDirect <= maxDirect ? on : on + " -XX:MaxDirectMemorySize=" + mebibytes(mostDirect) + "m";
    }

    /**
     * The maximum size needed for this much room. A virtual machine may exclude a part of its heap, a survivor space.
     */
    static long most(long need, long server) {
        long most = Math.max(need + need / (LEFT - 1) + 1, need + server);
        return most + most / 16;
    }

    private static long mebibytes(long bytes) {
        return (bytes + MIB - 1) / MIB;
    }
}
