package io.weir.server.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a worker: the virtual machine's options of this process, then the verb and its options.
 * Immutable.
 *
 * @param machine java, its options, and the jar or main class
 * @param options of {@code weir run} that select the configuration, without the file
 * @param config the configuration file; null for the embedded default
 */
public record WorkerWords(
        List<String> machine,
        List<String> options,
        @Nullable Path config) {
    /** System property of a supervisor: the file of the start-up cache that its first worker makes when it ends. */
    public static final String TRAINED = "weir.train.worker";

    private static final String MAIN = ".cli.Main";

    public WorkerWords {
        machine = List.copyOf(machine);
        options = List.copyOf(options);
    }

    /** From the command line of this process. */
    public static WorkerWords ofThisProcess() throws IOException {
        byte[] raw = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        List<String> words = new ArrayList<>(List.of(new String(raw, StandardCharsets.UTF_8).split("\0", -1)));
        words.removeLast();
        words.set(0, ProcessHandle.current().info().command().orElse(words.getFirst()));
        return of(words);
    }

    /**
     * From a command line.
     *
     * @throws IOException if it is not one of Weir's
     */
    static WorkerWords of(List<String> words) throws IOException {
        int verb = 1;
        while (verb < words.size() && !isVerb(words, verb)) {
            verb++;
        }
        if (verb >= words.size()) {
            throw new IOException("the command line names neither the jar nor the main class: " + words);
        }
        List<String> options = new ArrayList<>();
        Path config = null;
        for (int i = verb + 1; i < words.size(); i++) {
            String word = words.get(i);
            boolean apart = i + 1 < words.size();
            if (word.equals("--config") && apart) {
                config = Path.of(words.get(++i));
            } else if (word.startsWith("--config=")) {
                config = Path.of(word.substring("--config=".length()));
            } else if (word.equals("--set") && apart) {
                options.add("--set=" + words.get(++i));
            } else if (word.startsWith("--set=")) {
                options.add(word);
            }
        }
        return new WorkerWords(words.subList(0, verb), options, config);
    }

    /** The same configuration with another virtual machine and program. */
    WorkerWords on(List<String> otherMachine) {
        return new WorkerWords(otherMachine, options, config);
    }

    private static boolean isVerb(List<String> words, int i) {
        return words.get(i - 1).endsWith(MAIN) || (i > 1 && words.get(i - 2).equals("-jar"));
    }

    /**
     * The whole command of a worker.
     *
     * @param file its configuration; null for the embedded default
     * @param own options of this worker alone
     */
    List<String> command(@Nullable Path file, List<String> own) {
        List<String> all = new ArrayList<>(machine);
        all.add("worker");
        if (file != null) {
            all.addAll(List.of("--config", file.toString()));
        }
        all.addAll(options);
        all.addAll(own);
        return all;
    }
}
