package io.weir.lab.bench.rules;

import io.weir.base.Clock;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.process.BenchFailure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Requests one after the other on one connection: the response time of a single request. Confined to its thread. */
final class SingleRequests {
    private static final int TIME_OUT_MILLIS = 30_000;

    private final Clock clock;

    SingleRequests(Clock clock) {
        this.clock = clock;
    }

    /** The median response time, in milliseconds. */
    double millis(URI url, int requests) throws IOException, BenchFailure {
        byte[] request =
                ("GET " + url.getPath() + " HTTP/1.1\r\nHost: bench.test\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        double[] millis = new double[requests];
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIME_OUT_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < requests; i++) {
                long begin = clock.nanos();
                socket.getOutputStream().write(request);
                answer(in);
                millis[i] = (clock.nanos() - begin) / (double) TimeUnit.MILLISECONDS.toNanos(1);
            }
        }
        return PairedRatio.median(millis);
    }

    private static void answer(InputStream in) throws IOException, BenchFailure {
        String status = line(in);
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new BenchFailure("a request was answered with " + status);
        }
        long length = -1;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Long.parseLong(line.substring(15).strip());
            }
        }
        if (length < 0) {
            throw new BenchFailure("an answer has no Content-Length");
        }
        in.skipNBytes(length);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the connection was closed within an answer");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }
}
