package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.load.OpenLoopCommand;
import java.io.IOException;
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
     */
    record Tail(long unanswered, double p50, double p99, double p999, double most) {
        static Tail parse(String line) throws BenchFailure {
            String[] words = line.split(" ", -1);
            if (words.length != 6 || !words[0].equals("found")) {
                throw new BenchFailure("the steady load says: " + line);
            }
            return new Tail(
                    Long.parseLong(words[1]),
                    Double.parseDouble(words[2]),
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[4]),
                    Double.parseDouble(words[5]));
        }
    }

    private static final int CONNECTIONS = 32;
    private final LineProcess process;

    private SteadyLoad(LineProcess process) {
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param prefix the command that pins it to a processor
     */
    static SteadyLoad start(List<String> prefix) throws IOException, BenchFailure {
        return new SteadyLoad(LineProcess.start("the steady load", prefix, OpenLoopCommand.class));
    }

    Tail turn(int port, String path, double perSecond, int seconds) throws IOException, BenchFailure {
        return Tail.parse(process.order(
                String.format(Locale.ROOT, "%d %s %.3f %d %d", port, path, perSecond, seconds, CONNECTIONS)));
    }

    @Override
    public void close() {
        process.close();
    }
}
