package io.weir.kernel.tls;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The command {@code openssl} as a client that is not ours. Confined to the test's thread. */
public final class Openssl {
    private Openssl() {}

    /** Connects, sends a line, waits for the answer that ends in its text, leaves; returns all that was printed. */
    public static String client(InetSocketAddress to, String... more) throws Exception {
        return talk(to, "hello", "hello", more);
    }

    /** The same with what is sent, and what must come for it; without an answer it ends when the server closes. */
    public static String talk(InetSocketAddress to, String line, String answer, String... more) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("openssl", "s_client", "-connect", to.getAddress().getHostAddress() + ":" + to.getPort()));
        command.addAll(List.of(more));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        // where no answer comes and nobody closes, reading ends all the same
        Thread watch = Thread.ofVirtual().start(() -> endAfter(p, 15));
        try {
            p.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            p.getOutputStream().flush();
            String said = readUntil(p, l -> l.endsWith(answer));
            p.getOutputStream().close();
            return said + readUntil(p, _ -> false);
        } catch (IOException e) {
            // it ended before it read the line: its output shows why
            return p.isAlive() ? readUntil(p, _ -> false) : "";
        } finally {
            watch.interrupt();
            p.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static void endAfter(Process p, int seconds) {
        try {
            if (!p.waitFor(seconds, TimeUnit.SECONDS)) {
                p.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a command of it in a folder and returns what it prints; it must succeed. */
    static String run(Path folder, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Process p = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        p.getOutputStream().close();
        String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (p.waitFor() != 0) {
            throw new IOException("openssl " + String.join(" ", arguments) + ": " + said);
        }
        return said;
    }

    /** Reads lines to the one that is looked for, or to the end. */
    static String readUntil(Process p, Predicate<String> last) throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader in = p.inputReader(StandardCharsets.UTF_8);
        for (String l = in.readLine(); l != null; l = in.readLine()) {
            said.append(l).append('\n');
            if (last.test(l)) {
                break;
            }
        }
        return said.toString();
    }
}
