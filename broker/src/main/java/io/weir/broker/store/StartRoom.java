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

    /** How much there must be so that there is room. A virtual machine may count a part of its heap, a survivor space, out. */
    static long most(long need, long server) {
        long most = Math.max(need + need / (LEFT - 1) + 1, need + server);
        return most + most / 16;
    }

    private static long mebibytes(long bytes) {
        return (bytes + MIB - 1) / MIB;
    }
}
