package io.weir.lab.bench.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of the benchmark that takes orders: it prints {@code ready}, and then a line for each line that it reads. It stays
 * warm between them. Lives until closed; confined to its thread.
 */
public final class LineProcess implements AutoCloseable {
    private static final int STOP_SECONDS = 5;
    private final Process process;
    private final BufferedReader lines;
    private final BufferedWriter orders;

    private LineProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param name for messages
     * @param prefix the command that pins it to a processor
     */
    public static LineProcess start(String name, List<String> prefix, Class<?> main, String... arguments)
            throws IOException, BenchFailure {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JmsJvm.command(System.getProperty("java.class.path", ""), main.getName(), arguments));
        LineProcess started = new LineProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        String first = started.line();
        if (!"ready".equals(first)) {
            started.close();
            throw new BenchFailure(name + " does not start: " + first);
        }
        return started;
    }

    /** Starts another command, which may print more than a line for an order; what it writes to standard error goes to a file. */
    public static LineProcess start(List<String> command, Path errors) throws IOException {
        return new LineProcess(
                new ProcessBuilder(command).redirectError(errors.toFile()).start());
    }

    public long pid() {
        return process.pid();
    }

    /** Its answer to an order; {@code nothing} if it has ended. */
    public String order(String line) throws IOException {
        send(line);
        String answer = line();
        return answer == null ? "nothing" : answer;
    }

    /** Sends an order. */
    public void send(String line) throws IOException {
        orders.write(line + "\n");
        orders.flush();
    }

    /** The next line that it prints; null if it has ended. */
    public @Nullable String line() throws IOException {
        return lines.readLine();
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
