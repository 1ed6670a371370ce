package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.admin.RawClient;
import io.weir.server.users.AdminToken;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache's views of a whole server, and what they change. */
@Tag("slow")
class MonitoredCacheTest {
    @TempDir
    Path dataDir;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void whatTheCacheHoldsIsListedAndForgottenOnRequest() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            for (int i = 0; i < 3; i++) {
                RawClient.get(weir.http(), "/");
            }
            Matcher row = Pattern.compile("(?m)^1 +(http://\\S+) +2 +IC +1 +\\d+ +- +\\d+ +\\[\\d+, 1\\]")
                    .matcher(weir.text("/nsc?list"));
            assertThat(row.find()).as(weir.text("/nsc?list")).isTrue();
            assertThat(weir.text("/nsc"))
                    .contains("Number of cached file entries = 1 (532 bytes each, 532 total bytes)");

            String forget = "/cache?url=" + URLEncoder.encode(row.group(1), StandardCharsets.UTF_8);
            String token = "Authorization: Bearer " + AdminToken.read(dataDir).text();
            assertThat(weir.ask("DELETE", forget, "").status()).isEqualTo(401);
            assertThat(weir.text("/nsc?list")).contains(row.group(1));
            assertThat(weir.ask("DELETE", "/cache", "", token).status()).isEqualTo(400);
            assertThat(weir.ask("DELETE", "/cache?url=nowhere", "", token).status())
                    .isEqualTo(400);
            // as long as a request's URL may be
            String longest = URLEncoder.encode("http://a/" + "%C3%BC".repeat(10_900), StandardCharsets.UTF_8);
            assertThat(weir.ask("DELETE", "/cache?url=" + longest, "", token).body())
                    .isEqualTo("{\"forgotten\":0}\n");
            assertThat(weir.ask("DELETE", "/cache?url=http%3A%2F%2Fa%2F%C3%BC", "", token)
                            .body())
                    .contains("encode them as clients do, such as %C3%BC for");
            String cut = "/cache?url=" + row.group(1) + "?a=1&b=2";
            for (String method : List.of("DELETE", "GET")) {
                assertThat(weir.ask(method, cut, "", token).body())
                        .contains("the query has 'b'", "& as %26", "./weir cache");
                assertThat(weir.ask(method, "/cache?url=ftp://a/b", "", token).body())
                        .contains("has the scheme ftp", "http or https");
            }
            assertThat(weir.text("/nsc?list")).contains(row.group(1));
            assertThat(weir.ask("DELETE", forget, "", token).body()).isEqualTo("{\"forgotten\":1}\n");
            assertThat(weir.text("/nsc?list")).contains("The store lists no entries.");
            RawClient.get(weir.http(), "/");
            assertThat(weir.ask("DELETE", "/cache?all", "", token).body()).isEqualTo("{\"forgotten\":1}\n");
            assertThat(weir.ask("DELETE", "/cache?all", "", token).body()).isEqualTo("{\"forgotten\":0}\n");
        }
    }

    @Test
    void whatIsStoredIsShownByItsUrlAndByItsHits() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            RawClient.get(weir.http(), "/");
            RawClient.get(weir.http(), "/");
            Matcher url = Pattern.compile("\"url\":\"([^\"]+)\"").matcher(weir.text("/cache/top"));
            assertThat(url.find()).isTrue();
            assertThat(weir.text("/cache?url=" + URLEncoder.encode(url.group(1), StandardCharsets.UTF_8)))
                    .startsWith("{\"processes\":[{\"pid\":"
                            + ProcessHandle.current().pid() + ",\"fetching\":false,")
                    .contains("\"tier\":\"memory\"", "\"selected\":true", "\"hits\":1,", "\"disk\":null");
            assertThat(weir.text("/cache?url=http://nowhere.test/")).contains("\"copies\":[]");
            for (String wrong : List.of(
                    "/cache",
                    "/cache?url=nowhere",
                    "/cache?url=http://a/&fields=x",
                    "/cache/top?n=0",
                    "/cache/top?n=1001",
                    "/cache/top?by=age")) {
                assertThat(weir.ask("GET", wrong, "").status()).as(wrong).isEqualTo(400);
            }
        }
    }

    @Test
    void theCacheIsStoppedStartedAndRestartedByPostWithCredentials() throws Exception {
        try (RunningServer weir = new RunningServer(dataDir, printed)) {
            String token = "Authorization: Bearer " + AdminToken.read(dataDir).text();
            RawClient.get(weir.http(), "/");
            for (String change : List.of("restart", "stop", "start")) {
                assertThat(weir.ask("POST", "/nsc?" + change, "").status()).isEqualTo(401);
                assertThat(weir.ask("GET", "/nsc?" + change, "", token).status())
                        .isEqualTo(405);
            }
            assertThat(weir.ask("POST", "/nsc", "", token).status()).isEqualTo(400);
            assertThat(weir.ask("POST", "/nsc?stop&start", "", token).status()).isEqualTo(400);
            assertThat(weir.ask("POST", "/nsc?stop=later", "", token).status()).isEqualTo(400);
            assertThat(weir.text("/nsc?list")).contains("The file cache is enabled.", "\n1  ");

            assertThat(weir.ask("POST", "/nsfc?restart", "", token).body()).isEqualTo("{\"forgotten\":1}\n");
            assertThat(weir.text("/nsc?list")).contains("The file cache is enabled.", "The store lists no entries.");
            RawClient.get(weir.http(), "/");
            assertThat(weir.ask("POST", "/nsc?stop", "", token).body()).contains("\"changed\":[\"cache.enabled\"]");
            RawClient.get(weir.http(), "/");
            assertThat(weir.text("/nsc")).contains("The file cache is disabled.");
            assertThat(weir.text("/knobs/cache.enabled")).contains("\"value\":\"off\"");
            assertThat(weir.ask("POST", "/nsc?start", "", token).status()).isEqualTo(200);
            assertThat(weir.text("/nsc?list")).contains("The file cache is enabled.", "The store lists no entries.");
            RawClient.get(weir.http(), "/");
            assertThat(weir.text("/nsc?list")).contains("\n1  ");
        }
    }
}
