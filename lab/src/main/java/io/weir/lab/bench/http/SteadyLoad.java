package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.JmsJvm;
import io.weir.lab.load.OpenLoopCommand;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

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
    private static final int STOP_SECONDS = 5;
    private final Process process;
    private final BufferedReader lines;
    private final BufferedWriter orders;

    private SteadyLoad(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param prefix the command that pins it to a processor
     */
    static SteadyLoad start(List<String> prefix) throws IOException, BenchFailure {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JmsJvm.command(System.getProperty("java.class.path", ""), OpenLoopCommand.class.getName()));
        SteadyLoad load = new SteadyLoad(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        if (!"ready".equals(load.lines.readLine())) {
            load.close();
            throw new BenchFailure("the steady load does not start");
        }
        return load;
    }

    Tail turn(int port, String path, double perSecond, int seconds) throws IOException, BenchFailure {
        orders.write(String.format(Locale.ROOT, "%d %s %.3f %d %d%n", port, path, perSecond, seconds, CONNECTIONS));
        orders.flush();
        String line = lines.readLine();
        return Tail.parse(line == null ? "nothing" : line);
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
