package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir jms} as a process against a server as a process. */
@Tag("slow")
final class LauncherJmsTest {
    @TempDir
    private Path dir = Path.of("");

    private Launched weir = new Launched(dir);

    @BeforeEach
    void prepare() {
        weir = new Launched(dir);
    }

    @AfterEach
    void stop() throws Exception {
        weir.killServer();
    }

    private Launched.Result run(String... words) throws Exception {
        return weir.call(words);
    }

    private void start() throws Exception {
        Launched.Result start = run(
                "run",
                "--background",
                "--set",
                "listeners.http.port=0",
                "--set",
                "listeners.messaging.port=0",
                "--set",
                "messaging.queues.other.jndi-name=",
                "--set",
                "admin.port=0");
        assertThat(start.code()).as(start.toString()).isZero();
        assertThat(start.out())
                .as("what ends it ends this one")
                .contains("; ./weir stop --set server.data-dir=" + weir.data() + " ends it.")
                .containsPattern(
                        "Channel \"messaging\" is now listening on 127\\.0\\.0\\.1:\\d+ for protocols weir\\.");
    }

    @Test
    void wrongUsageIsTold() throws Exception {
        assertThat(run("jms")).satisfies(Launched.Result::isUsage);
        Launched.Result dance = run("jms", "dance");
        assertThat(dance.code()).isEqualTo(2);
        assertThat(dance.err())
                .contains("jms has no verb dance; it has ")
                .contains("send")
                .contains("resume");
        Launched.Result property = run("jms", "send", "queue/demo", "x", "--property", "colour");
        assertThat(property.code()).isEqualTo(2);
        assertThat(property.err()).contains("option '--property'").doesNotContain("option option");
        assertThat(run("jms", "send")).satisfies(Launched.Result::isUsage);
        Launched.Result kindless = run("jms", "send", "demo", "x");
        assertThat(kindless).satisfies(Launched.Result::isUsage);
        assertThat(kindless.err()).contains("demo names no destination: write queue/NAME or topic/NAME");
        assertThat(run("jms", "receive", "queue/")).satisfies(Launched.Result::isUsage);
        assertThat(run("jms", "browse", "/demo")).satisfies(Launched.Result::isUsage);
        assertThat(run("jms", "receive", "topic/news", "--durable", "d").err()).contains("--durable needs --client-id");
        Launched.Result nobody = run("jms", "send", "queue/demo", "x");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("no server is running");
        Launched.Result nothing = run("jms", "damage", "--set", "server.data-dir=" + dir.resolve("none"));
        assertThat(nothing.code()).isEqualTo(1);
        assertThat(nothing.err()).contains("there is no data directory " + dir.resolve("none"));
    }

    @Test
    void messagesAreSentBrowsedReceivedMovedAndDeleted() throws Exception {
        start();
        Launched.Result sent =
                run("jms", "send", "queue/demo", "text", "--property", "colour=red", "--property", "size:=3");
        assertThat(sent.code()).as(sent.toString()).isZero();
        assertThat(sent.out()).startsWith("ID:weir-");
        assertThat(sent.err()).as("nor does a library print").isEmpty();
        assertThat(weir.callWithInput("one\ntwo\n", "jms", "send", "queue/demo").code())
                .isZero();
        assertThat(run("jms", "browse", "queue/demo", "--headers").out())
                .contains("colour: red\n")
                .contains("\ntext\n")
                .contains("\none\n")
                .contains("\ntwo\n");
        assertThat(run("jms", "subscriptions").out())
                .containsPattern("^subscription +messages +pending +high +received");
        assertThat(run("jms", "stats").out()).containsPattern("queue/demo +3 +0 +3 +3 ");
        assertThat(run("jms", "receive", "queue/demo", "--selector", "colour = 'red' AND size > 2")
                        .out())
                .isEqualTo("text\n");
        String body = "a\r\n\u001b[31mb\u0007";
        assertThat(run("jms", "send", "queue/demo", body, "--priority", "9").code())
                .isZero();
        assertThat(run("jms", "browse", "queue/demo", "--max", "1").out())
                .as("this is no terminal")
                .isEqualTo(body + "\n");
        assertThat(run("jms", "receive", "queue/demo").out()).isEqualTo(body + "\n");
        Launched.Result nowhere = run("jms", "move", "queue/demo", "topic/news", "--max", "1");
        assertThat(nowhere.code()).as("nobody subscribed: it would be lost").isEqualTo(1);
        assertThat(nowhere.err()).contains("topic/news has no subscription");
        Launched.Result elsewhere = run(
                "jms",
                "move",
                "queue/demo",
                "queue/other",
                "--max",
                "1",
                "--admin",
                weir.admin(),
                "--token-file",
                weir.data().resolve("admin.token").toString());
        assertThat(elsewhere.out()).as(elsewhere.toString()).isEqualTo("moved 1\n");
        assertThat(run("jms", "delete", "queue/demo").out()).isEqualTo("deleted 1\n");
        assertThat(run("jms", "stats", "--admin", weir.admin()).err()).contains("--admin needs --token-file");
        Launched.Result none = run("jms", "receive", "queue/demo", "--timeout", "1");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("no message came within 1 s");
        assertThat(run("stop").code()).isZero();
    }

    @Test
    void damageIsListedWithAndWithoutAServerAndAcknowledged() throws Exception {
        start();
        assertThat(weir.callWithInput("one\nxyzzy-damaged\nthree\n", "jms", "send", "queue/demo")
                        .code())
                .isZero();
        weir.killServer();
        flip("xyzzy-damaged");
        start();
        weir.killServer();
        String lost = "(?m)^ +entry \\d+: message ID:\\S+ for queue/demo, sent \\S+ is lost$";
        assertThat(run("jms", "damage").out())
                .as("without a server")
                .containsPattern("(?m)^1 +messages +\\S+ +start +messages-\\d+\\.journal +\\d+ +\\d+ +the checksum")
                .containsPattern(lost);
        Launched.Result early = run("jms", "damage", "--acknowledge");
        assertThat(early.code()).isEqualTo(1);
        assertThat(early.err()).contains("no server is running on").contains("start it, then acknowledge");
        start();
        assertThat(run("jms", "damage", "--json").out()).contains("\"number\":1,");
        Launched.Result seen = run("jms", "damage", "--acknowledge");
        assertThat(seen.code()).as(seen.toString()).isZero();
        assertThat(seen.out()).containsPattern(lost).endsWith("acknowledged: 1 of journal messages\n");
        Launched.Result again = run("jms", "damage", "--acknowledge");
        assertThat(again.code()).as("once more is no fault").isZero();
        assertThat(again.out()).isEqualTo("there is no damage that is not acknowledged\n");
    }

    private void flip(String text) throws IOException {
        try (Stream<Path> all = Files.list(weir.data().resolve("messaging"))) {
            for (Path f : all.filter(f -> f.toString().endsWith(".journal")).toList()) {
                byte[] bytes = Files.readAllBytes(f);
                int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
                if (at >= 0) {
                    bytes[at] ^= 1;
                    Files.write(f, bytes);
                    return;
                }
            }
        }
        throw new AssertionError("no file has " + text);
    }

    @Test
    void aPausedQueueDeliversNothingAndWhatDoesNotExistIsNamed() throws Exception {
        start();
        assertThat(run("jms", "pause", "queue/demo").out()).isEqualTo("paused consumption\n");
        assertThat(run("jms", "send", "queue/demo", "held").code()).isZero();
        assertThat(run("jms", "stats").out()).containsPattern("queue/demo +1 .* consumption\n");
        assertThat(run("jms", "receive", "queue/demo", "--timeout", "1").code()).isEqualTo(1);
        assertThat(run("jms", "resume", "queue/demo").code()).isZero();
        assertThat(run("jms", "receive", "queue/demo").out()).isEqualTo("held\n");
        assertThat(run("jms", "pause", "queue/demo", "--stage", "production").code())
                .isZero();
        assertThat(run("jms", "pause", "queue/demo", "--stage", "insertion").code())
                .isZero();
        assertThat(run("jms", "resume", "queue/demo", "--stage", "insertion").out())
                .isEqualTo("resumed insertion\n");
        assertThat(run("jms", "resume", "queue/demo", "--stage", "insertion").out())
                .as("once more")
                .isEqualTo("resumed nothing, insertion was not paused\n");
        assertThat(run("jms", "send", "queue/demo", "x").err()).contains("production of queue/demo is paused");
        assertThat(run("jms", "resume", "queue/demo").out()).isEqualTo("resumed production\n");
        assertThat(run("jms", "send", "queue/demo", "held").code()).isZero();
        assertThat(run("jms", "resume", "queue/demo").out()).isEqualTo("resumed nothing, it was not paused\n");
        assertThat(run("jms", "browse", "queue/demo", "--selector", "a = = b").err())
                .contains("does not parse: at character 4: ");
        assertThat(run("jms", "pause", "queue/demo", "--stage", "nonsense").err())
                .contains("stage is production, insertion or consumption, not nonsense");
        assertThat(run("jms", "send", "queue/none", "x").err())
                .isEqualTo("weir: queue/none does not exist: configure it under messaging.queues\n");
        assertThat(run("jms", "send", "queue/demo", "x", "--property", "size:=big"))
                .satisfies(Launched.Result::isUsage);
        assertThat(run("jms", "delete", "queue/none").err())
                .contains("queue/none does not exist: configure it under messaging.queues");
        assertThat(run("jms", "browse", "topic/news").err()).contains("only queues are browsed");
        assertThat(run("jms", "send", "queue/demo", "x", "--url", "http://a").err())
                .contains("not a URL like weir://host:7001");
    }
}
