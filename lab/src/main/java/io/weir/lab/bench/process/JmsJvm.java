package io.weir.lab.bench.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Starts the programs of the messaging benchmark: all in the same way, with the JVM that runs this. Stateless. */
public final class JmsJvm {
    /** Collector and heap of the peer's broker and of all clients, as printed. */
    public static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xms512m", "-Xmx512m");

    private JmsJvm() {}

    public static List<String> command(String classPath, String main, String... arguments) {
        return command(List.of(), classPath, main, arguments);
    }

    /** The same with more options of the JVM. */
    public static List<String> command(List<String> options, String classPath, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(options);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp", classPath, main));
        command.addAll(Arrays.asList(arguments));
        return command;
    }
}
