package io.weir.proxy.cache.disk.files;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends parts of files to sockets without copying them (sendfile, Linux), and tells which parts the page cache has, so
 * that nobody waits for a disk in it: by cachestat (Linux 6.5), which counts pages without a walk over them, otherwise by
 * mincore of a mapping that is never touched, for ten times the processor time. Stateless: descriptors are the callers'.
 */
// The calls are restricted operations; native access is granted to Weir for epoll anyway.
@SuppressWarnings("restricted")
final class SendFile {
    /** Bytes of a page where the system does not tell. */
    private static final int USUAL_PAGE = 4096;
    /** Longest part that is looked at in one call. */
    private static final int MOST_PAGES = 1024;

    /** Of the system call, on all platforms that have a JDK. */
    private static final long CACHESTAT_NUMBER = 451;

    private static final int READ = 1;
    private static final int SHARED = 1;
    private static final long FAILED = -1;
    private static final int INTERRUPTED = 4;
    private static final int TRY_AGAIN = 11;

    private static final StructLayout ERROR = Linker.Option.captureStateLayout();
    private static final VarHandle NUMBER = ERROR.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final @Nullable MethodHandle SENDFILE = PageCache.function(
            "sendfile",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_LONG),
            Linker.Option.captureCallState("errno"));
    private static final @Nullable MethodHandle CACHESTAT = PageCache.function(
            "syscall",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(1));
    private static final @Nullable MethodHandle MMAP = PageCache.function(
            "mmap",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG));
    private static final @Nullable MethodHandle MINCORE = PageCache.function(
            "mincore",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    private static final @Nullable MethodHandle MUNMAP = PageCache.function(
            "munmap", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

    private static final long PAGE = page();

    /** What the calls of one thread need. */
    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private static final class Scratch {
        final MemorySegment error = Arena.ofAuto().allocate(ERROR);
        final MemorySegment offset = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        final MemorySegment pages = Arena.ofAuto().allocate(MOST_PAGES);
        final MemorySegment range = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);
        final MemorySegment counts = Arena.ofAuto().allocate(5 * Long.BYTES, Long.BYTES);
    }

    private SendFile() {}

    private static int page() {
        MethodHandle size = PageCache.function("getpagesize", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        try {
            return size == null ? USUAL_PAGE : (int) size.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(PageCache.NO_CALL, e);
        }
    }

    /** Ways to look, the best one first. */
    static List<Look> looks() {
        return SENDFILE == null ? List.of() : List.of(SendFile::counted, SendFile::mapped);
    }

    /** A way to look into the page cache. */
    interface Look {
        /** Whether the page cache has a part of a file; false also if that is not known. */
        boolean cached(int descriptor, long position, long length);
    }

    private static boolean counted(int descriptor, long position, long length) {
        MethodHandle cachestat = CACHESTAT;
        if (cachestat == null) {
            return false;
        }
        Scratch scratch = SCRATCH.get();
        scratch.range.set(ValueLayout.JAVA_LONG, 0, position);
        scratch.range.set(ValueLayout.JAVA_LONG, Long.BYTES, length);
        try {
            long known = (long) cachestat.invokeExact(CACHESTAT_NUMBER, descriptor, scratch.range, scratch.counts, 0);
            return known == 0
                    && scratch.counts.get(ValueLayout.JAVA_LONG, 0)
                            == (position + length - 1) / PAGE - position / PAGE + 1;
        } catch (Throwable e) {
            throw new IllegalStateException(PageCache.NO_CALL, e);
        }
    }

    private static boolean mapped(int descriptor, long position, long length) {
        MethodHandle mmap = MMAP;
        MethodHandle mincore = MINCORE;
        MethodHandle munmap = MUNMAP;
        long first = position / PAGE * PAGE;
        long bytes = position - first + length;
        int count = (int) ((bytes + PAGE - 1) / PAGE);
        if (mmap == null || mincore == null || munmap == null || count > MOST_PAGES) {
            return false;
        }
        MemorySegment pages = SCRATCH.get().pages;
        try {
            long at = (long) mmap.invokeExact(0L, bytes, READ, SHARED, descriptor, first);
            if (at == FAILED) {
                return false;
            }
            int known = (int) mincore.invokeExact(at, bytes, pages);
            int _ = (int) munmap.invokeExact(at, bytes);
            return known == 0 && all(pages, count);
        } catch (Throwable e) {
            throw new IllegalStateException(PageCache.NO_CALL, e);
        }
    }

    private static boolean all(MemorySegment pages, int count) {
        for (int i = 0; i < count; i++) {
            if ((pages.get(ValueLayout.JAVA_BYTE, i) & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Sends a part of a file.
     *
     * @return the number of bytes; 0 if the socket takes none at present; -1 if it cannot be done
     */
    static long send(int socket, int descriptor, long position, long most) {
        MethodHandle sendfile = SENDFILE;
        if (sendfile == null) {
            return FAILED;
        }
        Scratch scratch = SCRATCH.get();
        scratch.offset.set(ValueLayout.JAVA_LONG, 0, position);
        try {
            long n = (long) sendfile.invokeExact(scratch.error, socket, descriptor, scratch.offset, most);
            if (n > 0) {
                return n;
            }
            int error = n == 0 ? 0 : (int) NUMBER.get(scratch.error, 0L);
            // none sent without an error: the file is shorter
            return error == TRY_AGAIN || error == INTERRUPTED ? 0 : FAILED;
        } catch (Throwable e) {
            throw new IllegalStateException(PageCache.NO_CALL, e);
        }
    }
}
