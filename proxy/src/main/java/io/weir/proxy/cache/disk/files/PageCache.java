package io.weir.proxy.cache.disk.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads of files that never wait for a disk: what the system has in its page cache is copied, anything else is not
 * read (preadv2 with RWF_NOWAIT, Linux). On tmpfs, which does not know the flag, every read is of this kind. Stateless:
 * descriptors are the callers'.
 */
// The calls are restricted operations; native access is granted to Weir for epoll anyway.
@SuppressWarnings("restricted")
public final class PageCache {
    /** No descriptor. */
    static final int NONE = -1;

    private static final int READ_ONLY_CLOSE_ON_EXEC = 0x80000;
    private static final int NO_WAIT = 8;
    private static final int VECTOR = 2 * Long.BYTES;
    static final String NO_CALL = "a call of the system failed";

    private static final @Nullable MethodHandle PREADV2 = function(
            "preadv2",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT));
    private static final @Nullable MethodHandle OPEN =
            function("open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final @Nullable MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    /** One iovec for each thread. */
    private static final ThreadLocal<MemorySegment> VECTORS =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(VECTOR, Long.BYTES));

    private final int flags;
    /** Null: parts of files are not sent from the page cache. */
    private final SendFile.@Nullable Look look;

    private PageCache(int flags, SendFile.@Nullable Look look) {
        this.flags = flags;
        this.look = look;
    }

    static @Nullable MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        if (!System.getProperty("os.name").startsWith("Linux")) {
            // flags and values are Linux's
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(address -> linker.downcallHandle(address, descriptor, options))
                .orElse(null);
    }

    /**
     * How files of a file system are read; null if it cannot be done there.
     *
     * @param probe a file that was just read, and is not empty
     * @param inMemory whether the file system is memory
     */
    public static @Nullable PageCache of(Path probe, boolean inMemory) {
        if (PREADV2 == null || OPEN == null || CLOSE == null) {
            return null;
        }
        PageCache reads = new PageCache(inMemory ? 0 : NO_WAIT, null);
        int descriptor = open(probe);
        try {
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            if (descriptor == NONE || reads.read(descriptor, one, 0) != 1) {
                return null;
            }
            // what was just read is there: the first way that sees it can be trusted
            return SendFile.looks().stream()
                    .filter(look -> look.cached(descriptor, 0, 1))
                    .findFirst()
                    .map(look -> new PageCache(reads.flags, look))
                    .orElse(reads);
        } finally {
            close(descriptor);
        }
    }

    /** Whether a file system is memory, so that no read of it waits. */
    public static boolean isMemory(Path path) throws IOException {
        return Files.getFileStore(path).type().equals("tmpfs");
    }

    /** A descriptor to read a file; {@link #NONE} if it cannot be opened. */
    static int open(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            int descriptor = OPEN == null ? NONE : (int) OPEN.invokeExact(path, READ_ONLY_CLOSE_ON_EXEC);
            return Math.max(NONE, descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(NO_CALL, e);
        }
    }

    static void close(int descriptor) {
        try {
            if (descriptor != NONE && CLOSE != null) {
                int _ = (int) CLOSE.invokeExact(descriptor);
            }
        } catch (Throwable e) {
            throw new IllegalStateException(NO_CALL, e);
        }
    }

    /** Whether a part of a file is there, and can be sent from there; false also if that is not known. */
    boolean cached(int descriptor, long position, long length) {
        SendFile.Look known = look;
        return known != null && known.cached(descriptor, position, length);
    }

    /**
     * Reads into a direct buffer what needs no wait, and advances it.
     *
     * @return the number of bytes; 0 at the end of the file, and if it needs a wait or fails
     */
    int read(int descriptor, ByteBuffer into, long position) {
        MethodHandle preadv2 = PREADV2;
        if (preadv2 == null) {
            return 0;
        }
        MemorySegment vector = VECTORS.get();
        vector.set(ValueLayout.JAVA_LONG, 0, MemorySegment.ofBuffer(into).address());
        vector.set(ValueLayout.JAVA_LONG, Long.BYTES, into.remaining());
        try {
            long n = (long) preadv2.invokeExact(descriptor, vector, 1, position, flags);
            if (n <= 0) {
                return 0;
            }
            into.position(into.position() + (int) n);
            return (int) n;
        } catch (Throwable e) {
            throw new IllegalStateException(NO_CALL, e);
        } finally {
            Reference.reachabilityFence(into);
        }
    }
}
