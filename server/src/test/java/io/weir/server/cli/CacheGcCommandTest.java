package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.cli.text.CacheGcText;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code ./weir cachegc} against a server in this process. */
@Tag("slow")
final class CacheGcCommandTest {
    /** What one call gave. */
    private record Result(int code, String out, String err) {}

    @TempDir
    private Path dir = Path.of("");

    private Server start(String cache) throws Exception {
        Path file = Files.writeString(dir.resolve("weir.yaml"), """
                server: {data-dir: "%s"}
                admin: {port: 0}
                listeners: {http: {port: 0}}
                cache: {%s}
                proxy: {routes: [{path: /, respond: {status: 200, body: ok}}]}
                """.formatted(dir.resolve("data"), cache));
        LoadedConfig loaded = new ConfigLoader(file, List.of(), null).load();
        assertThat(loaded.problems()).isEmpty();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        return Server.start(new ServerParts(loaded, dir.resolve("data"), SystemClock.INSTANCE, nowhere, "test"));
    }

    private Result gc(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.line("cachegc").setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = new String[words.length + 3];
        all[0] = "cachegc";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "--config";
        all[words.length + 2] = dir.resolve("weir.yaml").toString();
        return new Result(line.execute(all), out.toString(), err.toString());
    }

    @Test
    void itTellsWhatWasCollectedOfEachPartition() throws Exception {
        Server server = start("disk: {partitions: {one: {path: a, size: 8MiB}, two: {path: b, size: 8MiB}}}");
        try {
            Result done = gc();
            assertThat(done.code()).as(done.err()).isZero();
            assertThat(done.out())
                    .startsWith("process  partition  bytes before")
                    .containsPattern("(?m)^1 +one +0 +0 +0 +0 +0 +\\d+$")
                    .containsPattern("(?m)^1 +two +0 +0 +0 +0 +0 +\\d+$");
            assertThat(gc("--json", "--to", "50").out())
                    .contains(
                            "{\"partition\":\"one\",\"reason\":\"command\",\"running\":false,\"failed\":false,\"before\":0");
            assertThat(gc("--to", "101").code()).isEqualTo(2);
        } finally {
            server.stop();
        }
        assertThat(gc().err()).contains("no server is running");
    }

    @Test
    void withoutADiskTierItSaysWhatToDo() throws Exception {
        Server server = start("enabled: on");
        try {
            assertThat(gc().err()).contains("no disk tier", "cache.disk.path");
        } finally {
            server.stop();
        }
    }

    @Test
    void thoseThatFailedAreNamed() {
        assertThat(CacheGcText.failed("""
                        {"partitions":[{"process":2,"partition":"one","failed":true},{"partition":"two","failed":true},
                        {"partition":"three","failed":false},{"partition":"four"}]}""")).containsExactly("one of process 2", "two");
    }

    @Test
    void partitionsOfSeveralProcessesHaveTheirNumber() {
        assertThat(CacheGcText.of(
                        "{\"partitions\":[{\"process\":2,\"partition\":\"one\",\"running\":false,\"before\":9,"
                                + "\"after\":8,\"segments\":1,\"carried\":3,\"removed\":4,\"milliseconds\":5}]}"))
                .contains("2        one        9             8      1         3        4        5");
    }
}
