package io.weir.kernel.listen;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Linux's scheduling policy SCHED_BATCH for acceptors: such a thread gets its share of the processors, but does not
 * interrupt another one when it wakes. Otherwise each new connection interrupts a muxer that shares its processor, so
 * that connections are accepted one by one with two switches of threads each. Stateless.
 */
final class BatchScheduling {
    private static final Path THREAD = Path.of("/proc/thread-self");
    private static final int SCHED_BATCH = 3;

    private BatchScheduling() {}

    /**
     * Requests the policy for the calling thread. A thread of its own sets it, because the first call of a foreign
     * function takes tens of milliseconds. Without effect where the system has no such policy, or does not permit it:
     * only speed depends on it.
     */
    static void request() {
        int thread;
        try {
            thread = Integer.parseInt(
                    Files.readSymbolicLink(THREAD).getFileName().toString());
        } catch (IOException | RuntimeException e) {
            // not Linux
            return;
        }
        var _ = Thread.ofPlatform().daemon().name("weir.scheduling").start(() -> set(thread));
    }

    // sched_setscheduler is a restricted operation; native access is granted to Weir for epoll anyway
    @SuppressWarnings("restricted")
    private static void set(int thread) {
        try (Arena arena = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            MemorySegment priority = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
            var _ = (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("sched_setscheduler"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS))
                    .invokeExact(thread, SCHED_BATCH, priority);
        } catch (Throwable e) {
            // the thread stays as it is
        }
    }
}
