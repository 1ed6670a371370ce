package io.weir.lab.bench.process;

import io.weir.base.Clock;
import io.weir.base.KeptPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server started by the benchmark: a peer or the origin. Lives until closed; it and its descendants are ended by
 * their process ids.
 */
public final class Child implements AutoCloseable {
    private static final int START_SECONDS = 20;
    private static final int STOP_SECONDS = 5;
    private final String name;
    private final Process process;
    private final int port;

    private Child(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /** Starts it and waits until its port opens. */
    public static Child start(String name, List<String> command, Path folder, int port, Clock clock)
            throws IOException, InterruptedException, BenchFailure {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Child child = new Child(name, process, port);
        try {
            child.awaitPort(output, clock);
        } catch (BenchFailure e) {
            child.close();
            throw e;
        }
        return child;
    }

    public long pid() {
        return process.pid();
    }

    public int port() {
        return port;
    }

    private void awaitPort(Path output, Clock clock) throws IOException, BenchFailure {
        long deadline = clock.nanos() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!opens()) {
            if (!process.isAlive() || clock.nanos() - deadline > 0) {
                throw new BenchFailure(name + " does not start on port " + port + ":\n"
                        + Files.readString(output).strip());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private boolean opens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * A free port that stays free until its program listens there: systems do not assign it to a program that binds
     * port 0.
     */
    public static int freePort() throws IOException {
        return KeptPort.on(InetAddress.getLoopbackAddress());
    }

    @Override
    public void close() {
        List<ProcessHandle> family = process.descendants().toList();
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
                .join();
        if (process.isAlive()) {
            process.destroyForcibly().onExit().join();
        }
        family.stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroyForcibly);
    }
}
