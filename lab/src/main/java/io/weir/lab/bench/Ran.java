package io.weir.lab.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A program that ran to its end. Immutable.
 *
 * @param printed what it wrote to both of its outputs
 */
record Ran(int exit, String printed) {
    static Ran of(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), printed);
    }

    String firstLine() {
        return printed.lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty())
                .findFirst()
                .orElse("");
    }
}
