package io.weir.lab.hostile;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Connects from many loopback addresses and drops what it has, with bare system calls: six for each connection, none of
 * which waits. Linux only. Threads of its own; lives until closed.
 */
final class ConnectFlood implements AutoCloseable {
    private static final int ADDRESSES = 64;
    private static final int SOL_SOCKET = 1;
    private static final int SO_LINGER = 13;
    private static final int IP_BIND_ADDRESS_NO_PORT = 24;
    private static final int AF_INET = 2;
    private static final int STREAM_NONBLOCK = 1 | 2048;
    private static final int EISCONN = 106;
    private static final int EALREADY = 114;
    private static final int EINPROGRESS = 115;

    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt HOST = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int ADDRESS_BYTES = 16;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MethodHandle socket = call("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private final MethodHandle option = call("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private final MethodHandle bind = call("bind", JAVA_INT, ADDRESS, JAVA_INT);
    private final MethodHandle connect = call("connect", JAVA_INT, ADDRESS, JAVA_INT);
    private final MethodHandle close = call("close", JAVA_INT);

    private final int port;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    /** Connections that were made, as this side sees it. */
    final LongAdder connected = new LongAdder();

    /** Attempts whose SYN nobody answered: the backlog was full. */
    final LongAdder unanswered = new LongAdder();

    /** Attempts that failed on this side. */
    final LongAdder failed = new LongAdder();

    ConnectFlood(int port, int threads) {
        this.port = port;
        for (int i = 0; i < threads; i++) {
            int base = 0x7F010001 + (i << 8);
            this.threads.add(Thread.ofPlatform().daemon().start(() -> run(base)));
        }
    }

    long attempts() {
        return connected.sum() + unanswered.sum();
    }

    // Calling the system is a restricted operation by nature.
    @SuppressWarnings("restricted")
    private static MethodHandle call(String name, MemoryLayout... parameters) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, parameters),
                Linker.Option.captureCallState("errno"));
    }

    private void run(int base) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment to = address(arena, 0x7F000001, port);
            MemorySegment from = address(arena, base, 0);
            MemorySegment one = arena.allocateFrom(JAVA_INT, 1);
            // a reset leaves no port in TIME_WAIT
            MemorySegment linger = arena.allocateFrom(JAVA_INT, 1, 0);
            for (int i = 0; !ended; i++) {
                from.set(HOST, 4, base + i % ADDRESSES);
                int s = (int) socket.invokeExact(state, AF_INET, STREAM_NONBLOCK, 0);
                int wrong = (int) option.invokeExact(state, s, SOL_SOCKET, SO_LINGER, linger, 8)
                        | (int) option.invokeExact(state, s, 0, IP_BIND_ADDRESS_NO_PORT, one, 4)
                        | (int) bind.invokeExact(state, s, from, ADDRESS_BYTES);
                count(wrong == 0 ? connect(state, s, to) : -1);
                var _ = (int) close.invokeExact(state, s);
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The second call tells what became of the first: on loopback an answer has come when it returns. */
    private int connect(MemorySegment state, int s, MemorySegment to) throws Throwable {
        int done = (int) connect.invokeExact(state, s, to, ADDRESS_BYTES);
        if (done != 0 && (int) ERRNO.get(state, 0L) == EINPROGRESS) {
            done = (int) connect.invokeExact(state, s, to, ADDRESS_BYTES);
        }
        return done == 0 ? EISCONN : (int) ERRNO.get(state, 0L);
    }

    private void count(int error) {
        (error == EISCONN ? connected : error == EALREADY ? unanswered : failed).increment();
    }

    /** {@code struct sockaddr_in}. */
    private static MemorySegment address(Arena arena, int host, int port) {
        MemorySegment address = arena.allocate(ADDRESS_BYTES, 4);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
        address.set(PORT, 2, (short) port);
        address.set(HOST, 4, host);
        return address;
    }

    @Override
    public void close() {
        ended = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the test was ended", e);
            }
        }
    }
}
