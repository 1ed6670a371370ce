package io.weir.broker.store;

import io.netty.util.internal.PlatformDependent;

/**
 * The memory that a start may give to what the store holds, and how much a virtual machine needs for it. A quarter of the heap, and not
 * less than the server itself takes, is left for the work: a server that starts with a full heap is of no use. Immutable.
 *
 * @param maxHeap bytes
 * @param maxDirect bytes
 */
public record StartRoom(long maxHeap, long maxDirect) {
    /** What a server takes of the heap for itself, messages or not. */
    public static final long SERVER = 20L << 20;
    /** The same of direct memory. */
    private static final long SERVER_DIRECT = 8L << 20;
    /** The part of either that is left. */
    private static final int LEFT = 4;

    /** What a small persistent message in one queue was measured to take of the heap, with room to spare, while it waits. */
    public static final int PER_MESSAGE = 576;
    /** The same for each further queue or subscription that refers to it. */
    public static final int PER_REFERENCE = 192;
    /** The part of the heap beyond the server's own, and of the direct memory, that producers may fill. */
    public static final int FILLED_PART = 2;
    /** Who may send at once finds so much room: this part of what is there already. */
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

    /** The options of a virtual machine that has room, as they are given on its command line. */
    String enoughFor(long heap, long direct) {
        String more = heap <= heap() ? "" : "-Xmx" + mebibytes(most(heap, SERVER)) + "m";
        if (direct <= direct()) {
            return more;
        }
        String off = "-XX:MaxDirectMemorySize=" + mebibytes(most(direct, SERVER_DIRECT)) + "m";
        return more.isEmpty() ? off : more + " " + off;
    }

    /**
     * The options with which producers are not refused at once, as long as limits.messages-in-memory and bytes-in-memory are
     * automatic.
     */
    String enoughToSend(long messages, long references, long bytes) {
        long heap = (messages * PER_MESSAGE + references * PER_REFERENCE) * FILLED_PART;
        long most = heap + heap / MORE + SERVER;
        long direct = bytes * FILLED_PART;
        long mostDirect = direct + direct / MORE;
        String on = "-Xmx" + mebibytes(Math.max(maxHeap, most + most / 16)) + "m";
        return mostDirect <= maxDirect ? on : on + " -XX:MaxDirectMemorySize=" + mebibytes(mostDirect) + "m";
    }

    /** How much there must be so that there is room. A virtual machine may count a part of its heap, a survivor space, out. */
    static long most(long need, long server) {
        long most = Math.max(need + need / (LEFT - 1) + 1, need + server);
        return most + most / 16;
    }

    private static long mebibytes(long bytes) {
        return (bytes + MIB - 1) / MIB;
    }
}
