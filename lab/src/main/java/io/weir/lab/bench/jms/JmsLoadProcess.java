package io.weir.lab.bench.jms;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.JmsJvm;
import io.weir.lab.jmsload.LoadCommand;
import io.weir.lab.jmsload.Measured;
import io.weir.lab.jmsload.Turn;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The load's JVM with one provider's client on its class path, kept for the whole run so that it stays warm. Confined
 * to its thread; lives until closed.
 */
final class JmsLoadProcess implements AutoCloseable {
    private static final int STOP_SECONDS = 5;
    private final String name;
    private final Process process;
    private final BufferedReader lines;
    private final BufferedWriter orders;
    private final Path output;

    private JmsLoadProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param prefix the command that pins it to a processor
     * @param classPath of the load and the provider's client
     * @param environment of JNDI
     */
    static JmsLoadProcess start(
            String name, List<String> prefix, String classPath, Map<String, String> environment, Path folder)
            throws IOException, BenchFailure {
        StringBuilder text = new StringBuilder();
        environment.forEach((k, v) -> text.append(k).append('=').append(v).append('\n'));
        Path file = Files.writeString(folder.resolve("jndi.properties"), text);
        Path output = folder.resolve("load.output");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JmsJvm.command(classPath, LoadCommand.class.getName(), file.toString()));
        Process process =
                new ProcessBuilder(command).redirectError(output.toFile()).start();
        JmsLoadProcess load = new JmsLoadProcess(name, process, output);
        load.expect("ready");
        return load;
    }

    long pid() {
        return process.pid();
    }

    /** Runs a turn; calls {@code steady} when measuring begins, {@code over} when it ends. */
    Measured turn(Turn turn, Contender.Step steady, Contender.Step over) throws Exception {
        orders.write(turn.line());
        orders.newLine();
        orders.flush();
        expect("measuring");
        steady.run();
        Measured measured = Measured.parse(expect(Measured.WORD));
        over.run();
        expect("ready");
        return measured;
    }

    private String expect(String word) throws IOException, BenchFailure {
        String line = lines.readLine();
        if (line == null || !line.startsWith(word)) {
            throw new BenchFailure("the load of " + name + " says: " + line + "\n"
                    + Files.readString(output).strip());
        }
        return line;
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
