package io.weir.lab.cluster.service;

import io.weir.base.Fence;
import io.weir.base.SystemClock;
import io.weir.cluster.SingletonService;
import io.weir.cluster.singleton.Activation;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Adds one, again and again, to a number that another process keeps: reads it, adds, writes it back, with its fence. It looks at
 * no lease: whatever protects the number is the fence. It tells when it was activated and when it was to let go, on the
 * machine's monotonic clock, which the keeper shares.
 */
public final class Counting implements SingletonService {
    /** What it says to the keeper: active, read, write, inactive. */
    public static final int ACTIVE = 1;

    public static final int READ = 2;
    public static final int WRITE = 3;
    public static final int INACTIVE = 4;

    private static final int PATIENCE_SECONDS = 5;

    /** Since when this process may have asked for what comes: it began, or let go of what it had. */
    private static volatile long free = now()
            - TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getRuntimeMXBean().getUptime());

    private final String host;
    private final int port;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long told;
    private volatile long left;
    private volatile boolean on;

    public Counting(Map<String, String> properties) {
        host = properties.getOrDefault("host", "127.0.0.1");
        port = Integer.parseInt(properties.getOrDefault("port", "0"));
    }

    /** A fence as a number: the epoch, then the counter. */
    public static long number(Fence fence) {
        return (fence.epoch() << 40) | fence.counter();
    }

    private static long now() {
        return SystemClock.INSTANCE.nanos();
    }

    @Override
    public void activate(Fence fence) throws IOException {
        long at = now();
        Socket s = new Socket(host, port);
        s.setTcpNoDelay(true);
        on = true;
        DataOutputStream out = new DataOutputStream(s.getOutputStream());
        DataInputStream in = new DataInputStream(s.getInputStream());
        out.writeByte(ACTIVE);
        out.writeUTF(System.getProperty("weir.test.member", "nobody"));
        out.writeLong(number(fence));
        out.writeLong(free);
        out.writeLong(at);
        out.flush();
        var _ = in.readLong();
        Thread thread = new Thread(() -> count(s, fence, in, out), "counting");
        thread.setDaemon(true);
        thread.start();
    }

    private void count(Socket connection, Fence fence, DataInputStream in, DataOutputStream out) {
        try (connection) {
            while (on) {
                long value = ask(READ, fence, now(), in, out);
                // so that two who count at once would lose something
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                if (ask(WRITE, fence, value + 1, in, out) == 0) {
                    return;
                }
            }
            letGo(fence, in, out);
        } catch (IOException e) {
            System.out.println("counting with fence " + fence + " ends: " + e);
        } finally {
            ended.countDown();
        }
    }

    /** Its last word: when it was told to let go, and what was left of its lease then. */
    private void letGo(Fence fence, DataInputStream in, DataOutputStream out) throws IOException {
        out.writeByte(INACTIVE);
        out.writeLong(number(fence));
        out.writeLong(told);
        out.writeLong(left);
        out.flush();
        var _ = in.readLong();
    }

    private static long ask(int what, Fence fence, long value, DataInputStream in, DataOutputStream out)
            throws IOException {
        out.writeByte(what);
        out.writeLong(number(fence));
        out.writeLong(value);
        out.flush();
        return in.readLong();
    }

    @Override
    public void deactivate() throws InterruptedException {
        left = Objects.requireNonNull(Activation.current()).remaining();
        told = now();
        on = false;
        // whoever comes next must not find it at work
        boolean done = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        free = now();
        if (!done) {
            throw new IllegalStateException("it counts on");
        }
    }
}
