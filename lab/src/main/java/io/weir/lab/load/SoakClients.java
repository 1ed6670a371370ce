package io.weir.lab.load;

import io.weir.base.Chance;
import io.weir.base.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Many clients at once on one listener, each on a virtual thread, each with a random generator derived from one seed:
 * fast ones, slow ones, and rude ones of several kinds. Lives for one run.
 */
public final class SoakClients {
    /** How a client behaves on one connection. */
    public enum Manner {
        FAST,
        PIPELINING,
        POSTING,
        SLOW_WRITER,
        SLOW_READER,
        SILENT,
        CUT_IN_HEAD,
        CUT_IN_BODY,
        RESET_IN_ANSWER,
        HALF_CLOSING,
        GARBAGE,
        SMUGGLER
    }

    private static final int TIME_OUT_MILLIS = 10_000;
    private final int port;
    private final Clock clock;
    private final long deadline;
    private final Map<Manner, LongAdder> done = new EnumMap<>(Manner.class);
    private final LongAdder answers = new LongAdder();
    private final LongAdder disturbed = new LongAdder();

    private SoakClients(int port, Clock clock, long millis) {
        this.port = port;
        this.clock = clock;
        this.deadline = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (Manner manner : Manner.values()) {
            done.put(manner, new LongAdder());
        }
    }

    /**
     * Runs the given number of clients for the given time and waits for the last of them.
     *
     * @param seed reproduces the same choices; print it
     */
    public static SoakClients run(int port, int clients, long millis, long seed, Clock clock)
            throws InterruptedException {
        SoakClients soak = new SoakClients(port, clock, millis);
        Chance chance = Chance.seeded(seed);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            RandomGenerator random = chance.split().random();
            threads.add(Thread.ofVirtual().name("client " + i).start(() -> soak.live(random)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return soak;
    }

    /** Complete answers that were read. */
    public long answers() {
        return answers.sum();
    }

    /** Connections of a manner that were completed. */
    public long done(Manner manner) {
        LongAdder count = done.get(manner);
        return count == null ? 0 : count.sum();
    }

    @Override
    public String toString() {
        return "answers=" + answers + " disturbed=" + disturbed + " " + done;
    }

    private void live(RandomGenerator random) {
        Manner[] manners = Manner.values();
        while (clock.nanos() - deadline < 0) {
            Manner manner = manners[random.nextInt(manners.length)];
            try (Socket socket = new Socket()) {
                if (manner == Manner.SLOW_READER) {
                    socket.setReceiveBufferSize(4096);
                }
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIME_OUT_MILLIS);
                socket.setSoTimeout(TIME_OUT_MILLIS);
                socket.setTcpNoDelay(true);
                play(manner, socket, random);
            } catch (IOException e) {
                // the server may close connections of rude clients at any time; that is counted, not judged
                disturbed.increment();
            }
            LongAdder count = done.get(manner);
            if (count != null) {
                count.increment();
            }
        }
    }

    private void play(Manner manner, Socket socket, RandomGenerator random) throws IOException {
        switch (manner) {
            case FAST -> exchanges(socket, random, 1 + random.nextInt(20));
            case PIPELINING -> pipeline(socket, random);
            case POSTING -> post(socket, random);
            case SLOW_WRITER -> slowly(socket, get(random), random);
            case SLOW_READER -> readSlowly(socket, random);
            case SILENT -> pause(random, 500);
            case CUT_IN_HEAD -> {
                byte[] request = get(random);
                socket.getOutputStream().write(request, 0, 1 + random.nextInt(request.length - 1));
            }
            case CUT_IN_BODY -> {
                send(socket, "POST /p HTTP/1.1\r\nHost: soak\r\nContent-Length: 100000\r\n\r\nsome of it");
                pause(random, 20);
            }
            case RESET_IN_ANSWER -> {
                send(socket, "GET /bytes/500000 HTTP/1.1\r\nHost: soak\r\n\r\n");
                pause(random, 20);
                socket.setSoLinger(true, 0);
            }
            case HALF_CLOSING -> {
                socket.getOutputStream().write(get(random));
                socket.shutdownOutput();
                drain(socket);
            }
            case GARBAGE -> {
                byte[] noise = new byte[1 + random.nextInt(4000)];
                random.nextBytes(noise);
                socket.getOutputStream().write(noise);
                drain(socket);
            }
            case SMUGGLER -> {
                send(
                        socket,
                        "POST /p HTTP/1.1\r\nHost: soak\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET");
                drain(socket);
            }
        }
    }

    private byte[] get(RandomGenerator random) {
        String query = switch (random.nextInt(4)) {
            case 0 -> "?cache=" + random.nextInt(100);
            case 1 -> "?chunked";
            case 2 -> "?chunked&cache=" + random.nextInt(100);
            default -> "";
        };
        String path = "/bytes/" + random.nextInt(1 << random.nextInt(1, 17)) + query;
        return ("GET " + path + " HTTP/1.1\r\nHost: soak\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private void exchanges(Socket socket, RandomGenerator random, int count) throws IOException {
        InputStream in = new java.io.BufferedInputStream(socket.getInputStream(), 16384);
        for (int i = 0; i < count && clock.nanos() - deadline < 0; i++) {
            socket.getOutputStream().write(get(random));
            if (!Answers.readOne(in)) {
                return;
            }
            answers.increment();
        }
    }

    private void pipeline(Socket socket, RandomGenerator random) throws IOException {
        int count = 2 + random.nextInt(10);
        for (int i = 0; i < count; i++) {
            socket.getOutputStream().write(get(random));
        }
        InputStream in = new java.io.BufferedInputStream(socket.getInputStream(), 16384);
        int wanted = random.nextInt(count + 1);
        for (int i = 0; i < wanted && Answers.readOne(in); i++) {
            answers.increment();
        }
    }

    private void post(Socket socket, RandomGenerator random) throws IOException {
        int length = random.nextInt(200_000);
        send(socket, "POST /p HTTP/1.1\r\nHost: soak\r\nContent-Length: " + length + "\r\n\r\n");
        socket.getOutputStream().write(new byte[length]);
        if (Answers.readOne(new java.io.BufferedInputStream(socket.getInputStream(), 16384))) {
            answers.increment();
        }
    }

    private void slowly(Socket socket, byte[] request, RandomGenerator random) throws IOException {
        for (byte b : request) {
            socket.getOutputStream().write(b);
            pause(random, 5);
        }
        if (Answers.readOne(new java.io.BufferedInputStream(socket.getInputStream(), 16384))) {
            answers.increment();
        }
    }

    private void readSlowly(Socket socket, RandomGenerator random) throws IOException {
        send(socket, "GET /bytes/300000?chunked HTTP/1.1\r\nHost: soak\r\n\r\n");
        byte[] little = new byte[2048];
        for (int i = 0; i < 50 && socket.getInputStream().read(little) > 0; i++) {
            pause(random, 20);
        }
    }

    private static void drain(Socket socket) throws IOException {
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void pause(RandomGenerator random, int mostMillis) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(mostMillis * 1000)));
    }
}
