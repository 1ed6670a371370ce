package io.weir.lab.cluster;

import io.weir.base.SystemClock;
import io.weir.lab.cluster.service.Counting;
import io.weir.lab.history.GuardedCounter;
import io.weir.lab.history.LeaseHistory;
import io.weir.lab.history.OperationHistory;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Keeps a number for whoever counts, refuses what carries a fence older than the highest it has seen, and records everything.
 * Shared: its methods are synchronized; lives as long as its test.
 */
final class Store implements AutoCloseable {
    /** Somebody became active, at this monotonic time. */
    record Active(String member, long fence, long at) {}

    private static final long PATIENCE_MILLIS = 60_000;

    private final ServerSocket socket;
    private final OperationHistory counter = new OperationHistory();
    private final LeaseHistory lease = new LeaseHistory();
    private final List<Active> active = new ArrayList<>();
    private final AtomicLong processes = new AtomicLong();
    private long highest;
    private long value;
    private long refused;
    private long ended;

    Store() throws IOException {
        this(InetAddress.getLoopbackAddress());
    }

    Store(InetAddress address) throws IOException {
        socket = new ServerSocket(0, 50, address);
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket s = socket.accept();
                s.setTcpNoDelay(true);
                Thread.startVirtualThread(() -> serve(s));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket s) {
        long process = processes.incrementAndGet();
        try (s) {
            DataInputStream in = new DataInputStream(s.getInputStream());
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(s.getOutputStream()));
            long call = -1;
            long answered = now();
            while (true) {
                int what = in.read();
                switch (what) {
                    case Counting.ACTIVE ->
                        out.writeLong(activated(process, in.readUTF(), in.readLong(), in.readLong(), in.readLong()));
                    case Counting.READ -> {
                        call = counter.invoke(process, "counter", "increment", 0, now());
                        out.writeLong(read(in.readLong()));
                        lease.clock(answered, in.readLong(), now());
                    }
                    case Counting.WRITE -> out.writeLong(write(process, call, in.readLong(), in.readLong()));
                    case Counting.INACTIVE -> {
                        lease.letGo(in.readLong(), in.readLong(), in.readLong());
                        inactive();
                        out.writeLong(0);
                    }
                    default -> {
                        return;
                    }
                }
                answered = now();
                out.flush();
            }
        } catch (IOException e) {
            // the process was killed: what it was doing stays of unknown outcome
            inactive();
        }
    }

    private static long now() {
        return SystemClock.INSTANCE.nanos();
    }

    private synchronized void inactive() {
        ended++;
        notifyAll();
    }

    private synchronized long activated(long process, String member, long fence, long asked, long at) {
        lease.acquired(process, fence, asked, at);
        highest = Math.max(highest, fence);
        active.add(new Active(member, fence, now()));
        notifyAll();
        return highest;
    }

    private synchronized long read(long fence) {
        highest = Math.max(highest, fence);
        return value;
    }

    private synchronized long write(long process, long call, long fence, long next) {
        boolean taken = fence >= highest;
        if (taken) {
            value = next;
            counter.ok(call, next, now());
        } else {
            refused++;
            // who is refused stops
            ended++;
            counter.fail(call, now());
        }
        lease.used(process, fence, taken, now());
        notifyAll();
        return taken ? 1 : 0;
    }

    /** Waits for the first activation that fits. */
    synchronized Active await(Predicate<Active> fits) throws InterruptedException {
        long deadline = SystemClock.INSTANCE.millis() + PATIENCE_MILLIS;
        while (true) {
            Optional<Active> found = active.stream().filter(fits).findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            long left = deadline - SystemClock.INSTANCE.millis();
            if (left <= 0) {
                throw new AssertionError("nobody became active; there were " + active);
            }
            wait(left);
        }
    }

    /** Waits until somebody counted further. */
    synchronized void awaitProgress(long than) throws InterruptedException {
        long deadline = SystemClock.INSTANCE.millis() + PATIENCE_MILLIS;
        while (value <= than) {
            long left = deadline - SystemClock.INSTANCE.millis();
            if (left <= 0) {
                throw new AssertionError("nobody counts on from " + value + "; active were " + active);
            }
            wait(left);
        }
    }

    /**
     * Waits until everybody who counted has stopped.
     *
     * @return how long that took, in milliseconds
     */
    synchronized long awaitEnded() throws InterruptedException {
        long begun = SystemClock.INSTANCE.millis();
        while (ended < active.size()) {
            if (SystemClock.INSTANCE.millis() - begun > PATIENCE_MILLIS) {
                throw new AssertionError(ended + " of " + active.size() + " have stopped: " + active);
            }
            wait(100);
        }
        return SystemClock.INSTANCE.millis() - begun;
    }

    /** Who became active last. */
    synchronized Active latest() {
        return active.getLast();
    }

    synchronized long value() {
        return value;
    }

    /** Writes with an older fence that were refused. */
    synchronized long refused() {
        return refused;
    }

    /** What was not as it must be: updates lost, or fences out of order. */
    synchronized Optional<String> violation() {
        return GuardedCounter.violation(counter.operations(), value).or(lease::violation);
    }

    /** The lease under which is counted, as all saw it. */
    LeaseHistory lease() {
        return lease;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
