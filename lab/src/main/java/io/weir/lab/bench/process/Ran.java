package io.weir.lab.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A program that ran to its end. Immutable.
 *
 * @param printed what it wrote to both outputs
 */
public record Ran(int exit, String printed) {
    public static Ran of(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), printed);
    }

    /** The same for at most so many seconds; then it is ended, and what it wrote until then is all. */
    public static Ran within(int seconds, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS).execute(process::destroyForcibly);
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), printed);
    }

    /** Runs all concurrently and waits for all. They must not print more than a pipe holds. */
    public static List<Ran> all(List<List<String>> commands) throws IOException, InterruptedException {
        List<Process> started = new ArrayList<>();
        try {
            for (List<String> command : commands) {
                Process process =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                started.add(process);
                process.getOutputStream().close();
            }
            List<Ran> ended = new ArrayList<>();
            for (Process process : started) {
                String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                ended.add(new Ran(process.waitFor(), printed));
            }
            return ended;
        } finally {
            started.forEach(Process::destroy);
        }
    }

    String firstLine() {
        return printed.lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty())
                .findFirst()
                .orElse("");
    }
}
