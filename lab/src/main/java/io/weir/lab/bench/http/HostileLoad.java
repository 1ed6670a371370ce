package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.slow.SlowCommand;
import io.weir.lab.slow.SlowPorts;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A process of quick or slow clients, kept for the whole run. Lives until closed; confined to its thread. */
final class HostileLoad implements AutoCloseable {
    /**
     * The results of quick clients in a turn; times in microseconds from when requests were due.
     *
     * @param health answers of {@code /health}
     * @param healthErrors answers that did not arrive
     * @param first of the errors; empty if there was none
     */
    record Turn(
            long answers,
            long errors,
            double p50,
            double p99,
            double most,
            long health,
            long healthErrors,
            double healthMost,
            String first) {
        static Turn parse(String line) throws BenchFailure {
            String[] words = line.split(" ", 10);
            if (words.length != 10 || !words[0].equals("found")) {
                throw new BenchFailure("the quick clients say: " + line);
            }
            return new Turn(
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[4]),
                    Double.parseDouble(words[5]),
                    Long.parseLong(words[6]),
                    Long.parseLong(words[7]),
                    Double.parseDouble(words[8]),
                    words[9]);
        }
    }

    private final LineProcess process;

    private HostileLoad(LineProcess process) {
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param prefix the command that pins it to a processor
     */
    static HostileLoad start(List<String> prefix) throws IOException, BenchFailure {
        return new HostileLoad(LineProcess.start("a process of clients", prefix, SlowCommand.class));
    }

    long pid() {
        return process.pid();
    }

    Turn quick(SlowPorts ports, double perSecond, int seconds) throws IOException, BenchFailure {
        return Turn.parse(process.order(
                String.format(Locale.ROOT, "quick %d %d %.3f %d", ports.plain(), ports.admin(), perSecond, seconds)));
    }

    /** Starts the slow ones; returns the process's report: how many are connected, and how many never were. */
    String begin(SlowPorts ports) throws IOException {
        return process.order("slow " + ports.words());
    }

    /** Ends the slow ones; returns the outcome of each kind. */
    String end() throws IOException {
        return process.order("end");
    }

    @Override
    public void close() {
        process.close();
    }
}
