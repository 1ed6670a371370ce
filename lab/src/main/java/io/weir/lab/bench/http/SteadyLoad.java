package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.load.OpenLoopCommand;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * A process that sends requests at a steady rate, kept for the whole run. Lives until closed; confined to its thread.
 */
final class SteadyLoad implements AutoCloseable {
    /**
     * Times of a turn's answers, microseconds from when their requests were due.
     *
     * @param unanswered requests without an answer
     * @param late the load's own delay: how late it sent requests that could be sent, 99.9th percentile
     * @param busy the share of the time in which the load, and what shares its processor, had something to do
     */
    record Tail(long unanswered, double p50, double p99, double p999, double most, double late, double busy) {
        /** Delays of the load below this are never held against a turn. */
        private static final double NO_MATTER = 200;

        static Tail parse(String line) throws BenchFailure {
            String[] words = line.split(" ", -1);
            if (words.length != 8 || !words[0].equals("found")) {
                throw new BenchFailure("the steady load says: " + line);
            }
            return new Tail(
                    Long.parseLong(words[1]),
                    Double.parseDouble(words[2]),
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[4]),
                    Double.parseDouble(words[5]),
                    Double.parseDouble(words[6]),
                    Double.parseDouble(words[7]));
        }

        /** Above this share what is late is late because its processor has too much to do. */
        private static final double SATURATED = 0.7;

        /** The same with the share of another program on the load's processor. */
        Tail beside(double share) {
            return new Tail(unanswered, p50, p99, p999, most, late, busy + share);
        }

        /** Whether the load's processor had too much to do; otherwise only other programs can have made it late. */
        boolean saturated() {
            return busy > SATURATED;
        }

        /** Whether the load's own delay is more than half of what was measured: then it measured itself. */
        boolean ofTheLoad() {
            return late > Math.max(NO_MATTER, p999 / 2);
        }
    }

    private static final int CONNECTIONS = 32;
    private static final int HTTP2_CONNECTIONS = 8;
    private static final int HTTP2_STREAMS = 32;
    private final LineProcess process;
    private final boolean http2;

    private SteadyLoad(LineProcess process, boolean http2) {
        this.process = process;
        this.http2 = http2;
    }

    /**
     * Starts it.
     *
     * @param prefix the command that pins it to a processor
     * @param http2 whether it speaks HTTP/2 under TLS
     */
    static SteadyLoad start(List<String> prefix, boolean http2) throws IOException, BenchFailure {
        return new SteadyLoad(LineProcess.start("the steady load", prefix, OpenLoopCommand.class), http2);
    }

    Tail turn(Contender contender, double perSecond, int seconds) throws IOException, BenchFailure {
        URI url = URI.create(contender.url());
        return Tail.parse(process.order(order(url.getPort(), url.getPath(), perSecond, seconds)));
    }

    private String order(int port, String path, double perSecond, int seconds) {
        return String.format(
                Locale.ROOT,
                "%d %s %.3f %d %d %d",
                port,
                path,
                perSecond,
                seconds,
                http2 ? HTTP2_CONNECTIONS : CONNECTIONS,
                http2 ? HTTP2_STREAMS : 0);
    }

    @Override
    public void close() {
        process.close();
    }
}
