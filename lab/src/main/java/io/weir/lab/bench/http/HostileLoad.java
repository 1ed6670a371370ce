package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.JmsJvm;
import io.weir.lab.slow.SlowCommand;
import io.weir.lab.slow.SlowPorts;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

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

    private static final int STOP_SECONDS = 5;
    private final Process process;
    private final BufferedReader lines;
    private final BufferedWriter orders;

    private HostileLoad(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param prefix the command that pins it to a processor
     */
    static HostileLoad start(List<String> prefix) throws IOException, BenchFailure {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JmsJvm.command(System.getProperty("java.class.path", ""), SlowCommand.class.getName()));
        HostileLoad load = new HostileLoad(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        String first = load.lines.readLine();
        if (!"ready".equals(first)) {
            load.close();
            throw new BenchFailure("the clients do not start: " + first);
        }
        return load;
    }

    long pid() {
        return process.pid();
    }

    private String order(String line) throws IOException {
        orders.write(line + "\n");
        orders.flush();
        String answer = lines.readLine();
        return answer == null ? "nothing" : answer;
    }

    Turn quick(SlowPorts ports, double perSecond, int seconds) throws IOException, BenchFailure {
        return Turn.parse(order(
                String.format(Locale.ROOT, "quick %d %d %.3f %d", ports.plain(), ports.admin(), perSecond, seconds)));
    }

    /** Starts the slow ones; returns the process's report: how many are connected, and how many never were. */
    String begin(SlowPorts ports) throws IOException {
        return order("slow " + ports.words());
    }

    /** Ends the slow ones; returns the outcome of each kind. */
    String end() throws IOException {
        return order("end");
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
    }
}
