package io.weir.server.logtop;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.accesslog.ReadRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class LogTopTest {
    private static final String COMMON =
            "format=%Ses->client.ip% - %Req->vars.auth-user% [%SYSDATE%] \"%Req->reqpb.clf-request%\""
                    + " %Req->srvhdrs.clf-status% %Req->srvhdrs.content-length%\n";

    @TempDir
    private Path folder;

    private static String common(String client, String minute, String target, int status) {
        return client + " - - [22/Nov/2026:06:" + minute + ":30 +0000] \"GET " + target + " HTTP/1.1\" " + status
                + " 100\n";
    }

    private static String json(String client, String uri, int status, long micros) {
        return "{\"time\":\"2026-11-22T06:02:00.000Z\",\"client_ip\":\"" + client + "\",\"status\":" + status
                + ",\"content_length\":7,\"duration_us\":" + micros + ",\"host\":\"shop\",\"uri\":\"" + uri
                + "\",\"query\":null}\n";
    }

    private static LogTop top(long since, boolean asJson) {
        return new LogTop(new LogTop.Question(since, 3, false, asJson), ZoneOffset.UTC);
    }

    private String read(LogTop top, Path... files) throws IOException {
        StringWriter out = new StringWriter();
        top.read(List.of(files), new PrintWriter(out));
        return out.toString();
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("", lines));
    }

    @Test
    void pageTellsHostsUrlsAndMinutesOfACommonLog() throws IOException {
        Path log = file(
                "access",
                COMMON,
                common("10.0.0.1", "01", "/a?x=1", 200),
                common("10.0.0.1", "01", "/a?x=2", 200),
                common("10.0.0.2", "02", "/b", 500),
                "garbage\n");
        assertThat(read(top(0, false), log)).isEqualTo("""
                3 records, 300 bytes of content
                1 lines are not records of the file's format

                Busiest hosts:
                Requests  Share  Host
                       2  66.7%  10.0.0.1
                       1  33.3%  10.0.0.2

                Busiest URLs:
                Requests  Share  URL
                       2  66.7%  /a
                       1  33.3%  /b

                Status by minute:
                Minute                 2xx      3xx      4xx      5xx    other
                2026-11-22 06:01         2        0        0        0        0
                2026-11-22 06:02         0        0        0        1        0
                """);
    }

    @Test
    void rotatedCompressedAndJsonFilesAreReadTogether() throws IOException {
        Path old = folder.resolve("access.20261122-060000.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(old))) {
            out.write((COMMON + common("10.0.0.1", "01", "/a", 200)).getBytes(StandardCharsets.UTF_8));
        }
        Path log = file("access", json("10.0.0.1", "/slow", 503, 2_500_000), json("10.0.0.9", "/a", 200, 1000));
        JsonNode report = new ObjectMapper().readTree(read(top(0, true), old, log));
        assertThat(report.at("/records").asInt()).isEqualTo(3);
        assertThat(report.at("/hosts/0/host").asString()).isEqualTo("10.0.0.1");
        assertThat(report.at("/hosts/0/requests").asInt()).isEqualTo(2);
        assertThat(report.at("/slowest/0/url").asString()).isEqualTo("shop/slow");
        assertThat(report.at("/slowest/0/micros").asInt()).isEqualTo(2_500_000);
        assertThat(report.at("/time/0/micros").asInt()).isEqualTo(2_500_000);
        assertThat(report.at("/status/5xx").asInt()).isEqualTo(1);
        assertThat(report.at("/minutes/1/status/5xx").asInt()).isEqualTo(1);
        assertThat(report.at("/minutes").size()).isEqualTo(2);
    }

    @Test
    void recordsBeforeSinceAreLeftOut() throws IOException {
        Path log = file("access", COMMON, common("10.0.0.1", "01", "/a", 200), common("10.0.0.2", "05", "/b", 200));
        String page = read(top(Instant.parse("2026-11-22T06:05:00Z").toEpochMilli(), false), log);
        assertThat(page).contains("1 records").contains("/b").doesNotContain("/a");
    }

    @Test
    void whatClientsSentDoesNotSteerTheTerminal() throws IOException {
        Path log = file("access", COMMON, common("10.0.0.1", "01", "/\\x1b[2J\\x0d\\x0a", 200));
        assertThat(read(top(0, false), log)).contains("/\\x1b[2J\\x0d\\x0a").doesNotContain("\u001b");
    }

    @Test
    void followingGoesOnThroughARotation() throws IOException {
        Path log = file("access", COMMON, common("10.0.0.1", "01", "/a", 200));
        // that of another process
        Path other = file("other", COMMON, common("10.0.0.9", "01", "/other", 200));
        StringWriter out = new StringWriter();
        AtomicInteger round = new AtomicInteger();
        List<String> pages = new ArrayList<>();
        top(0, true).follow(List.of(log, other), Duration.ofMillis(1), new PrintWriter(out), () -> {
            pages.add(out.toString());
            out.getBuffer().setLength(0);
            try {
                switch (round.incrementAndGet()) {
                    case 1 -> Files.writeString(log, common("10.0.0.1", "02", "/b", 200), StandardOpenOption.APPEND);
                    case 2 -> {
                        Files.writeString(log, common("10.0.0.1", "03", "/c", 200), StandardOpenOption.APPEND);
                        Files.move(log, folder.resolve("access.20261122-060300"));
                        file("access", COMMON, common("10.0.0.1", "04", "/d", 200));
                    }
                    default -> {
                        return false;
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return true;
        });
        assertThat(pages).hasSize(3);
        assertThat(pages.get(0)).contains("\"records\":2,");
        assertThat(pages.get(1)).contains("\"records\":3,");
        assertThat(pages.get(2)).contains("\"records\":5,").contains("\"/c\"").contains("06:04:00Z");
    }

    @Test
    void memoryIsBoundedHoweverLargeTheLog() {
        Summary summary = new Summary(true);
        for (int i = 0; i < 200_000; i++) {
            summary.add(new ReadRecord(i * 60_000L, "10." + i, "/" + i, 200, i, 1));
        }
        assertThat(summary.clients().size()).isEqualTo(Summary.KEYS);
        assertThat(summary.urls().size()).isEqualTo(Summary.KEYS);
        assertThat(summary.minutes()).hasSize(Summary.MINUTES);
        assertThat(summary.slowest().first(1000)).hasSize(Summary.SLOWEST);
        assertThat(summary.slowest().first(1).getFirst().getKey()).isEqualTo("/199999");
    }

    @Test
    void lineLongerThanAnyRecordIsPassedOver() throws IOException {
        Path log = file("access", COMMON, "x".repeat(300_000) + "\n", common("10.0.0.1", "01", "/a", 200));
        assertThat(read(top(0, false), log)).contains("1 records").contains("1 lines are not records");
    }
}
