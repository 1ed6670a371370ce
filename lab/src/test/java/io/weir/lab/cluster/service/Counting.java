package io.weir.lab.cluster.service;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Adds one, again and again, to a number that another process keeps: reads it, adds, writes it back, with its fence. It looks at
 * no lease: whatever protects the number is the fence.
 */
public final class Counting implements SingletonService {
    /** What it says to the keeper: active, read, write, inactive. */
    public static final int ACTIVE = 1;

    public static final int READ = 2;
    public static final int WRITE = 3;
    public static final int INACTIVE = 4;

    private final String host;
    private final int port;
    private volatile boolean on;

    public Counting(Map<String, String> properties) {
        host = properties.getOrDefault("host", "127.0.0.1");
        port = Integer.parseInt(properties.getOrDefault("port", "0"));
    }

    @Override
    public void activate(Fence fence) throws IOException {
        Socket s = new Socket(host, port);
        s.setTcpNoDelay(true);
        on = true;
        DataOutputStream out = new DataOutputStream(s.getOutputStream());
        DataInputStream in = new DataInputStream(s.getInputStream());
        out.writeByte(ACTIVE);
        out.writeUTF(System.getProperty("weir.test.member", "nobody"));
        out.writeLong(fence.counter());
        out.flush();
        var _ = in.readLong();
        Thread thread = new Thread(() -> count(s, fence, in, out), "counting");
        thread.setDaemon(true);
        thread.start();
    }

    private void count(Socket connection, Fence fence, DataInputStream in, DataOutputStream out) {
        try (connection) {
            while (on) {
                long value = ask(READ, fence, 0, in, out);
                // so that two who count at once would lose something
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                if (ask(WRITE, fence, value + 1, in, out) == 0) {
                    return;
                }
            }
            ask(INACTIVE, fence, 0, in, out);
        } catch (IOException e) {
            System.out.println("counting with fence " + fence + " ends: " + e);
        }
    }

    private static long ask(int what, Fence fence, long value, DataInputStream in, DataOutputStream out)
            throws IOException {
        out.writeByte(what);
        out.writeLong(fence.counter());
        out.writeLong(value);
        out.flush();
        return in.readLong();
    }

    @Override
    public void deactivate() {
        on = false;
    }
}
