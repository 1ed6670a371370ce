package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/messaging.md: its program runs, its configuration is correct. */
@Tag("slow")
final class MessagingDocumentTest {
    @TempDir
    private Path dir = Path.of("");

    /** The block of a language that has a text. */
    private static String block(String language, String text) throws Exception {
        String document = Files.readString(Path.of("../docs/messaging.md"));
        String start = "```" + language + "\n";
        for (int at = document.indexOf(start); at >= 0; at = document.indexOf(start, at + 1)) {
            int from = at + start.length();
            String block = document.substring(from, document.indexOf("```", from));
            if (block.contains(text)) {
                return block;
            }
        }
        throw new AssertionError("no " + language + " with " + text);
    }

    @Test
    void theProgramRunsAsItStands() throws Exception {
        List<String> sets = List.of(
                "listeners.http.port=0", "listeners.messaging.port=0", "admin.enabled=off", "server.data-dir=" + dir);
        LoadedConfig loaded = new ConfigLoader(null, sets, null).load();
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Server server = Server.start(new ServerParts(loaded, dir, SystemClock.INSTANCE, nowhere, "test"));
        try {
            int port = server.listeners().getLast().address().getPort();
            Path source = Files.writeString(dir.resolve("Hello.java"), block("java", "class Hello"));
            Path out = dir.resolve("out");
            Process program = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            source.toString(),
                            "weir://127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            assertThat(program.waitFor(300, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(out)).endsWith("hello\n");
            assertThat(program.exitValue()).isZero();
        } finally {
            server.stop();
        }
    }

    @Test
    void theConfigurationIsCorrect() throws Exception {
        Path file = Files.writeString(dir.resolve("weir.yaml"), block("yaml", "connection-factories:"));
        assertThat(new ConfigLoader(file, List.of(), null).load().problems()).isEmpty();
    }
}
