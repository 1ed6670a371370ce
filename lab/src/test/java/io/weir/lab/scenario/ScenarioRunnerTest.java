package io.weir.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runner itself: what holds passes, and what does not hold fails, saying where and why. */
@Tag("slow")
class ScenarioRunnerTest {
    private static final int PATIENCE_MILLIS = 400;

    @TempDir
    static Path work = Path.of("");

    private void run(String script) throws Exception {
        Weir.Launcher none = (config, data, sets) -> {
            throw new AssertionError("no server is needed");
        };
        Scenario scenario = ScenarioParser.parse(work, "test", "about A test.\ntags serverless\n" + script);
        new ScenarioRunner(none, work, SystemClock.INSTANCE, PATIENCE_MILLIS).run(scenario);
    }

    private void fails(String script, String why) {
        assertThatThrownBy(() -> run(script))
                .isInstanceOf(ScenarioFailure.class)
                .hasMessageContaining(why);
    }

    private static String exchange(String answer, String expectation) {
        return """
                origin o:
                    accept
                    request GET / HTTP/1.1
                    %s
                    close
                client c:
                    connect ${o}
                    head GET / HTTP/1.1 | Host: a
                    %s
                """.formatted(answer, expectation.replace("\n", "\n    "));
    }

    private void answered(String answer, String expectation) throws Exception {
        run(exchange(answer, expectation));
    }

    private void refused(String answer, String expectation, String why) {
        fails(exchange(answer, expectation), why);
    }

    @Test
    void expectationsThatHoldPass() throws Exception {
        answered(
                "answer 200 OK | X: 1 | X: 2 || hello",
                "response 200\nstart = HTTP/1.1 200 OK\nheader X = 1, 2\nheader X count 2\nheader Y absent\nheader X ~ ^1"
                        + "\nbody = hello\nbody size 5\nbody ~ l+\nframing length\neof");
    }

    @Test
    void eachWrongExpectationFails() {
        String answer = "answer 200 OK | X: 1 || hello";
        refused(answer, "response 404", "status is `200`");
        refused(answer, "response 200\nheader X = 2", "header X is `1`");
        refused(answer, "response 200\nheader X absent", "header X is there");
        refused(answer, "response 200\nheader Y = 1", "header Y is absent");
        refused(answer, "response 200\nheader X count 2", "1 times");
        refused(answer, "response 200\nheader X >= 2", "header X is `1`");
        refused(answer, "response 200\nbody = Hello", "body is `hello`");
        refused(answer, "response 200\nbody size 4", "5 bytes");
        refused(answer, "response 200\nbody fill 5", "not the fill pattern");
        refused(answer, "response 200\nbody empty", "5 bytes");
        refused(answer, "response 200\nbody ~ x", "body is `hello`");
        refused(answer, "response 200\nframing chunked", "framing is `length`");
        refused(answer, "response 200\nstart = HTTP/1.0 200 OK", "start line is");
        refused(answer, "response 200\nbody = hello\nraw x", "came ``");
        refused(answer, "raw HTTP/1.0", "came `HTTP/1.1`");
        refused(answer, "eof", "a byte: H");
    }

    @Test
    void wrongRequestAtAnOriginFailsTheScenario() {
        fails(
                exchange("answer 200 OK", "response 200").replace("request GET / ", "request GET /x "),
                "request line is");
    }

    @Test
    void failureShowsTheTranscript() {
        refused("answer 200 OK || hello", "response 404", "> GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n");
    }

    @Test
    void chunkedBodiesAndTrailersAreRead() throws Exception {
        answered(
                "send HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\n    chunk-fill 10k 999\n    last-chunk T: 1",
                "response 200\nframing chunked\nbody fill 10k\ntrailer T = 1");
        refused(
                "send HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\nabcd\\r\\n",
                "response 200\nbody size 3",
                "no CRLF after a chunk");
        refused(
                "send HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nx\\r\\n",
                "response 200\nbody size 3",
                "not a chunk size");
    }

    @Test
    void cutBodyFails() {
        refused(
                "send HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc",
                "response 200\nbody size 10",
                "ended 7 bytes before the end");
    }

    @Test
    void silenceFailsAfterThePatience() {
        fails("""
                origin o:
                    accept
                client c:
                    connect ${o}
                    response 200
                """, "nothing came within");
    }

    @Test
    void resetIsToldFromAnOrderlyEnd() throws Exception {
        String script = """
                origin o:
                    accept
                    send x
                    await read
                    reset
                client c:
                    connect ${o}
                    raw x
                    signal read
                    %s
                """;
        run(script.formatted("closed"));
        fails(script.formatted("eof"), "end is `reset`");
    }

    @Test
    void unexpectedConnectionToAnOriginFails() {
        fails("""
                origin o:
                    signal unused
                client c:
                    connect ${o}
                """, "got a connection that its script does not accept");
    }

    @Test
    void tlsIsSpokenOnBothSides() throws Exception {
        run("""
                origin o:
                    accept tls alpn=http/1.1
                    request GET / HTTP/1.1
                    answer 200 OK || secret
                    close
                client c:
                    connect ${o} tls sni=www.example.com alpn=h2,http/1.1 version=TLSv1.3
                    peer alpn = http/1.1
                    peer version = TLSv1.3
                    head GET / HTTP/1.1 | Host: a
                    response 200
                    body = secret
                    eof
                """);
    }

    @Test
    void parallelClientsAndRepeatsPlay() throws Exception {
        run("""
                origin o:
                    repeat 20:
                        accept
                        request
                        answer 200 OK || ${i}
                        close
                client c x 20:
                    connect ${o}
                    head GET /${n} HTTP/1.1 | Host: a
                    response 200
                    eof
                """);
    }

    @Test
    void answersToHeadAndInformationalAnswersHaveNoBody() throws Exception {
        answered(
                "send HTTP/1.1 103 Early\\r\\n\\r\\nHTTP/1.1 304 No\\r\\nContent-Length: 5\\r\\n\\r\\n",
                "response 103\nbody empty\nresponse 304\nbody empty\neof");
    }

    @Test
    void unreadableScriptsAreRefusedWithTheirLine() {
        fails("clent c:\n    connect http\n", "test:3: unknown step `clent`");
        fails("client c:\n    conect http\n", "`conect http`: unknown command");
        fails("client c:\n    send ${nothing}\n", "unknown place ${nothing}");
        fails("client c:\n    send a\n       send b\n", "ends with a colon");
        assertThatThrownBy(() -> ScenarioParser.parse(work, "x", "client c:\n    send a\n"))
                .hasMessageContaining("an `about` line");
    }

    @Test
    void escapesMakeBytes() {
        assertThat(Text.bytes("a\\r\\n\\x00\\xff\\\\\\0\\t\\s")).containsExactly('a', 13, 10, 0, 0xff, '\\', 0, 9, 32);
        assertThat(Text.show(new byte[] {0, 13, 'a', (byte) 0xff}, 0, 4, 9)).isEqualTo("\\x00\\ra\\xff");
        assertThatThrownBy(() -> Text.bytes("\\q")).hasMessageContaining("unknown escape");
    }

    @Test
    void countersAreComparedWithTheirBaseLine() throws Exception {
        Counters.Reading before =
                Counters.parse("# HELP x\nx_total{a=\"1\",b=\"2\"} 3\nx_total{a=\"2\",b=\"2\"} 4\ny 1.5\n");
        assertThat(before.sum("x_total", "")).isEqualTo(7);
        assertThat(before.sum("x_total", "{a=\"2\"}")).isEqualTo(4);
        assertThat(before.sum("z", "")).isZero();
        assertThat(before.knows("y")).isTrue();
        try (FakeMetrics fake = new FakeMetrics("x_total 9\n")) {
            Counters counters = new Counters(fake.port(), SystemClock.INSTANCE);
            assertThatCode(() -> counters.await("x_total +2", before)).doesNotThrowAnyException();
            assertThatCode(() -> counters.await("x_total >= 9", before)).doesNotThrowAnyException();
            assertThatThrownBy(() -> counters.await("x_total +1", before)).hasMessageContaining("it is +2.0");
            assertThatThrownBy(() -> counters.await("x_total", before)).hasMessageContaining("not a condition");
        }
    }
}
