package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.context.EngineStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every token of the Sun proxy has the value that a real exchange has. */
@ExtendWith(LeakCheck.class)
class LogTokensTest {
    private static final String HEAD = String.join(
            "\r\n",
            "HTTP/1.1 201 Made it",
            "Content-Type: text/x",
            "ETag: \"e\"",
            "Cache-Control: no-store",
            "Content-Length: 5",
            "",
            "");
    private static final String POST = String.join(
            "\r\n",
            "POST /p/q?a=1&b HTTP/1.1",
            "Host: www.example",
            "Referer: r e",
            "Cookie: other=1; Sid=s7",
            "Content-Length: 3",
            "",
            "");

    @TempDir
    Path folder;

    private static String tokens(List<String> names) {
        return names.stream().map(n -> "%" + n + "%").collect(Collectors.joining("|"));
    }

    private TestProxy.Made logging(int origin, String format) {
        List<String> lines = new ArrayList<>(TestProxy.reversing(origin).proxy());
        lines.add("access-log.format=custom");
        lines.add("access-log.custom=" + format);
        return TestProxy.Made.of(lines.toArray(String[]::new)).data(folder);
    }

    /** The records, their values one by one. */
    private List<List<String>> records() throws Exception {
        try (var files = Files.walk(folder)) {
            Path log = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            List<String> lines = Files.readAllLines(log);
            return lines.subList(1, lines.size()).stream()
                    .map(l -> List.of(l.split("[|]", -1)))
                    .toList();
        }
    }

    private static Map<LogVariable, String> ofThePost(int port, String up, String answer) {
        Map<LogVariable, String> v = new EnumMap<>(LogVariable.class);
        v.put(LogVariable.CLIENT_IP, "127\\.0\\.0\\.1");
        v.put(LogVariable.CLIENT_DNS, "-");
        v.put(LogVariable.AUTH_USER, "-");
        v.put(LogVariable.PAUTH_USER, "-");
        v.put(LogVariable.REQUEST_LINE, "POST\\\\x20/p/q\\?a=1&b\\\\x20HTTP/1\\.1");
        v.put(LogVariable.PROXY_REQUEST, v.get(LogVariable.REQUEST_LINE));
        v.put(LogVariable.METHOD, "POST");
        v.put(LogVariable.URI, "/p/q");
        v.put(LogVariable.QUERY, "a=1&b");
        v.put(LogVariable.TARGET, "/p/q\\?a=1&b");
        v.put(LogVariable.PROTOCOL, "HTTP/1\\.1");
        v.put(LogVariable.PROTOCOL_NAME, "HTTP");
        v.put(LogVariable.PROTOCOL_VERSION, "1\\.1");
        v.put(LogVariable.METHOD_NUM, "3");
        v.put(LogVariable.PROTV_NUM, "101");
        v.put(LogVariable.STATUS, "201");
        v.put(LogVariable.STATUS_REASON, "Created");
        v.put(LogVariable.CONTENT_LENGTH, "5");
        v.put(LogVariable.CONTENT_TYPE, "text/x");
        v.put(LogVariable.REMOTE_STATUS, "201");
        v.put(LogVariable.REMOTE_PROTOCOL, "HTTP/1\\.1");
        v.put(LogVariable.C2P_HL, Integer.toString(POST.length()));
        v.put(LogVariable.C2P_CL, "3");
        v.put(LogVariable.P2R_HL, Integer.toString(up.length()));
        v.put(LogVariable.P2R_CL, "3");
        v.put(LogVariable.R2P_HL, Integer.toString(HEAD.length()));
        v.put(LogVariable.R2P_CL, "5");
        v.put(LogVariable.P2C_HL, Integer.toString(answer.length() - 5));
        v.put(LogVariable.P2C_CL, "5");
        v.put(LogVariable.XFER_TIME, "\\d+");
        v.put(LogVariable.XFER_TIME_TOTAL, "\\d+");
        v.put(LogVariable.XFER_TIME_DNS, "-|\\d+");
        v.put(LogVariable.XFER_TIME_CWAIT, "\\d+");
        v.put(LogVariable.XFER_TIME_IWAIT, "\\d+");
        v.put(LogVariable.XFER_TIME_FWAIT, "\\d+");
        v.put(LogVariable.ACTUAL_ROUTE, "ORIGIN\\(http://127\\.0\\.0\\.1:" + port + "\\)");
        v.put(LogVariable.CLI_STATUS, "FIN");
        v.put(LogVariable.SVR_STATUS, "FIN");
        v.put(LogVariable.CCH_STATUS, "NO-CACHE");
        v.put(LogVariable.VSID, "default");
        v.put(LogVariable.DURATION, "[1-9]\\d*");
        v.put(LogVariable.SUBSYSTEM, "proxy");
        v.put(LogVariable.REQUEST_ID, "[0-9a-z]+-[0-9a-z]+");
        return v;
    }

    @Test
    void everyVariableHasTheValueOfTheExchange() throws Exception {
        List<LogVariable> all = Arrays.asList(LogVariable.values());
        String up;
        String answer;
        int port;
        try (TestOrigin origin = new TestOrigin((_, in, out) -> {
                    in.readNBytes(3);
                    TestOrigin.write(out, HEAD + "hello");
                    return true;
                });
                TestProxy proxy = logging(
                                origin.port(),
                                tokens(all.stream().map(LogVariable::token).toList()))
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            answer = client.send(POST + "abc").answer();
            up = origin.heads.getFirst();
            port = origin.port();
        }
        Map<LogVariable, String> expected = ofThePost(port, up, answer);
        assertThat(records()).hasSize(1);
        List<String> values = records().getFirst();
        assertThat(values).hasSameSizeAs(all);
        for (int i = 0; i < values.size(); i++) {
            assertThat(values.get(i))
                    .as(all.get(i).token())
                    .matches(Pattern.compile(expected.getOrDefault(all.get(i), "this test knows no value")));
        }
    }

    @Test
    void namedValuesTimesAndSizesAreThoseOfTheExchange() throws Exception {
        List<String> names = List.of(
                "Req->headers.referer",
                "Req->headers.Host",
                "Req->headers.absent",
                "Req->headers.cookie.Sid",
                "Req->headers.cookie.sid",
                "Req->srvhdrs.etag",
                "Req->srvhdrs.absent",
                "Req->vars.absent",
                "SYSDATE",
                "LOCALEDATE",
                "TIME",
                "RELATIVETIME",
                "RECORD_SIZE");
        String answer;
        try (TestOrigin origin = new TestOrigin((_, in, out) -> {
                    in.readNBytes(3);
                    TestOrigin.write(out, HEAD + "hello");
                    return true;
                });
                TestProxy proxy = logging(origin.port(), tokens(names)).start();
                RawClient client = new RawClient(proxy.port())) {
            answer = client.send(POST + "abc").answer();
        }
        List<String> values = records().getFirst();
        assertThat(answer).contains("ETag: \"e\"");
        assertThat(values.subList(0, 8))
                .containsExactly("r\\x20e", "www.example", "-", "s7", "-", "\\\"e\\\"", "-", "-");
        assertThat(values.get(8)).matches("\\d\\d/[A-Z][a-z]{2}/20\\d\\d:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}");
        assertThat(values.get(9)).matches("[A-Z][a-z]{2} [A-Z][a-z]{2} \\d\\d \\d\\d:\\d\\d:\\d\\d 20\\d\\d");
        assertThat(values.get(10)).matches("\\d{10,}");
        assertThat(values.get(11)).matches("\\d{1,3}");
        int size = values.stream().mapToInt(v -> v.length() + 1).sum();
        assertThat(values.get(12)).isEqualTo("%05d".formatted(size));
    }

    @Test
    void aHitIsOfTheCacheAndHasNoOriginsSide() throws Exception {
        List<String> names = List.of(
                "subsystem",
                "Req->vars.cch-status",
                "Req->vars.svr-status",
                "Req->vars.remote-status",
                "Req->vars.actual-route",
                "Req->vars.xfer-time-cwait",
                "Req->srvhdrs.content-type",
                "Req->method_num",
                "Req->protv_num");
        String stored =
                "HTTP/1.1 200 OK\r\nContent-Type: text/x\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\n";
        try (TestOrigin origin = TestOrigin.always(stored + "hello");
                TestProxy proxy = logging(origin.port(), tokens(names)).start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            client.get("/a").answer();
            client.send("GET /a HTTP/1.0\r\nHost: example.com\r\n\r\n").answer();
        }
        assertThat(records()).hasSize(3);
        assertThat(records().getFirst())
                .startsWith("proxy", "WRITTEN", "FIN", "200")
                .endsWith("text/x", "1", "101");
        assertThat(records().get(1)).containsExactly("cache", "HIT", "-", "-", "-", "-", "text/x", "1", "101");
        assertThat(records().getLast()).endsWith("1", "100");
    }

    @Test
    void sidesThatEndEarlyAreTold() throws Exception {
        List<String> names = List.of("Req->vars.cli-status", "Req->vars.svr-status", "Req->srvhdrs.clf-status");
        try (TestOrigin origin = new TestOrigin((_, _, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello");
                    return false;
                });
                TestProxy proxy = logging(origin.port(), tokens(names)).start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").head();
            assertThat(client.rest()).isEqualTo("hello");
        }
        assertThat(records()).containsExactly(List.of("INTR", "INTR", "200"));
    }

    @Test
    void theRequestOfAClientThatLeavesIsTold() throws Exception {
        List<String> names = List.of(
                "Req->reqpb.clf-request",
                "Req->reqpb.uri",
                "Req->headers.referer",
                "Req->vars.cli-status",
                "Req->vars.svr-status",
                "Req->srvhdrs.clf-status");
        CountDownLatch over = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((_, _, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello");
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return false;
                });
                TestProxy proxy = logging(origin.port(), tokens(names)).start()) {
            RawClient client = new RawClient(proxy.port());
            client.get("/left", "Referer: r").head();
            client.reset();
            Await.until("the client is missed", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
            over.countDown();
        }
        assertThat(records())
                .containsExactly(List.of("GET\\x20/left\\x20HTTP/1.1", "/left", "r", "INTR", "INTR", "200"));
    }

    @Test
    void clientsThatAreTooSlowAreTold() throws Exception {
        List<String> names = List.of("Req->reqpb.uri", "Req->vars.cli-status", "Req->srvhdrs.clf-status");
        byte[] much = new byte[1 << 16];
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("POST")) {
                        return in.readNBytes(9).length == 9;
                    }
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\n\r\n");
                    while (true) {
                        out.write(much);
                    }
                });
                TestProxy proxy = logging(origin.port(), tokens(names))
                        .kernel("time-outs.write=200ms", "time-outs.body=200ms")
                        .start();
                RawClient sender = new RawClient(proxy.port());
                RawClient taker = new RawClient(proxy.port())) {
            sender.send("POST /sends HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n");
            Await.until("the sender is given up", () -> proxy.value(EngineStats.BODY_TIMEOUTS) == 1);
            taker.get("/takes");
            Await.until("the taker is given up", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
        }
        assertThat(records()).containsExactly(List.of("/sends", "TIMEOUT", "408"), List.of("/takes", "TIMEOUT", "200"));
    }
}
