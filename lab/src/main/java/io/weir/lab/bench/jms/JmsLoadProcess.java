package io.weir.lab.bench.jms;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.JmsJvm;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.jmsload.LoadCommand;
import io.weir.lab.jmsload.Measured;
import io.weir.lab.jmsload.Turn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The load's JVM with one provider's client on its class path, kept for the whole run so that it stays warm. Confined
 * to its thread; lives until closed.
 */
final class JmsLoadProcess implements AutoCloseable {
    private final String name;
    private final LineProcess process;
    private final Path output;

    private JmsLoadProcess(String name, LineProcess process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /**
     * Starts it.
     *
     * @param prefix the command that pins it to a processor
     * @param options of the JVM
     * @param classPath of the load and the provider's client
     * @param environment of JNDI
     */
    static JmsLoadProcess start(
            String name,
            List<String> prefix,
            List<String> options,
            String classPath,
            Map<String, String> environment,
            Path folder)
            throws IOException, BenchFailure {
        StringBuilder text = new StringBuilder();
        environment.forEach((k, v) -> text.append(k).append('=').append(v).append('\n'));
        Path file = Files.writeString(folder.resolve("jndi.properties"), text);
        Path output = folder.resolve("load.output");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JmsJvm.command(options, classPath, LoadCommand.class.getName(), file.toString()));
        JmsLoadProcess load = new JmsLoadProcess(name, LineProcess.start(command, output), output);
        load.expect("ready");
        return load;
    }

    long pid() {
        return process.pid();
    }

    /** Runs a turn; calls {@code steady} when measuring begins, {@code over} when it ends. */
    Measured turn(Turn turn, Contender.Step steady, Contender.Step over) throws Exception {
        process.send(turn.line());
        expect("measuring");
        steady.run();
        Measured measured = Measured.parse(expect(Measured.WORD));
        over.run();
        expect("ready");
        return measured;
    }

    private String expect(String word) throws IOException, BenchFailure {
        String line = process.line();
        if (line == null || !line.startsWith(word)) {
            throw new BenchFailure("the load of " + name + " says: " + line + "\n"
                    + Files.readString(output).strip());
        }
        return line;
    }

    @Override
    public void close() {
        process.close();
    }
}
