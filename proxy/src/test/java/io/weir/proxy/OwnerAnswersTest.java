package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The owner of a key answers another member as it would answer that member's client. */
@ExtendWith(LeakCheck.class)
class OwnerAnswersTest {
    private static final String STORED = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok";

    @TempDir
    Path folder = Path.of("");

    private static TestProxy start(int origin, Path folder, String... knobs) throws Exception {
        TestProxy proxy = TestProxy.reversing(origin, knobs)
                .listener("port=0", "protocol=cache")
                .data(folder)
                .start();
        proxy.proxy.owners().join(new TestPeers());
        return proxy;
    }

    private static String[] fields(TestProxy proxy, String path, String client, String scheme) {
        KeyBuilder key = proxy.proxy
                .cache()
                .newKey()
                .start(scheme.equals("https"))
                .host("example.com", scheme.equals("https") ? 443 : 80)
                .path(path);
        return new String[] {
            "Weir-Member-Client: " + client,
            "Weir-Member-Scheme: " + scheme,
            "Weir-Member-Listener: web",
            "Weir-Member-Key: " + Long.toHexString(CacheOwners.hash(key.copy())),
            "Weir-Member-Purges: 1-5"
        };
    }

    @Test
    void itIsTheAnswerForThatClientWithAMarkAndWithoutOutputFunctionsAndLog() throws Exception {
        try (TestOrigin origin = TestOrigin.always(STORED);
                TestProxy proxy = start(
                        origin.port(),
                        folder,
                        "forwarded=x-forwarded",
                        "routes.0.set-response-headers.X-Route=1",
                        "routes.0.functions.0.name=set-variable",
                        "routes.0.functions.0.stage=output",
                        "routes.0.functions.0.parameters.insert-srvhdrs=X-Out: 1");
                RawClient member = new RawClient(proxy.port())) {
            assertThat(member.get("/a", fields(proxy, "/a", "192.0.2.9", "https"))
                            .answer())
                    .contains("Weir-Member-From: configured\r\n", "; stored", "X-Route: 1\r\n")
                    .doesNotContain("X-Out")
                    .endsWith("ok");
            assertThat(origin.heads)
                    .singleElement()
                    .asString()
                    .contains("X-Forwarded-For: 192.0.2.9\r\n", "X-Forwarded-Proto: https\r\n")
                    .doesNotContain("Weir-Member");
            assertThat(member.get("/a", fields(proxy, "/a", "192.0.2.9", "https"))
                            .answer())
                    .contains("Weir-Member-From: configured\r\n", "; hit")
                    .doesNotContain("X-Out");
            assertThat(proxy.value(MemberStats.SERVED)).isEqualTo(2);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile))
                    .as("the other member logs it")
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("/a"));
        }
    }

    @Test
    void aRangeAndAHeadAreAnsweredFromWhatIsStoredOnly() throws Exception {
        try (TestOrigin origin = TestOrigin.always(STORED);
                TestProxy proxy = start(origin.port(), folder);
                RawClient member = new RawClient(proxy.port())) {
            String[] fields = fields(proxy, "/a", "192.0.2.9", "http");
            String[] range = Stream.concat(Stream.of("Range: bytes=1-1"), Stream.of(fields))
                    .toArray(String[]::new);
            String head = "HEAD /a HTTP/1.1\r\nHost: example.com\r\n" + String.join("\r\n", fields) + "\r\n\r\n";
            assertThat(member.get("/a", range).answer()).doesNotContain("Weir-Member-From", " 206 ");
            assertThat(member.send(head).head()).doesNotContain("Weir-Member-From", " 200 ");
            assertThat(origin.heads).isEmpty();
            member.get("/a", fields).answer();
            assertThat(member.get("/a", range).answer())
                    .startsWith("HTTP/1.1 206 ")
                    .contains("Weir-Member-From: configured\r\n", "Content-Range: bytes 1-1/2\r\n")
                    .endsWith("\r\n\r\nk");
            range[0] = "Range: bytes=9-";
            assertThat(member.get("/a", range).answer())
                    .startsWith("HTTP/1.1 416 ")
                    .contains("Weir-Member-From: configured\r\n", "Content-Range: bytes */2\r\n");
            assertThat(member.send(head).head())
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Weir-Member-From: configured\r\n");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Weir-Member-Client: nobody",
                "Weir-Member-Key: x",
            })
    void whatIsMalformedIsRefused(String line) throws Exception {
        try (TestOrigin origin = TestOrigin.always(STORED);
                TestProxy proxy = start(origin.port(), folder);
                RawClient member = new RawClient(proxy.port())) {
            String[] fields = fields(proxy, "/a", "192.0.2.9", "http");
            String name = line.substring(0, line.indexOf(':'));
            for (int i = 0; i < fields.length; i++) {
                fields[i] = fields[i].startsWith(name) ? line : fields[i];
            }
            assertThat(member.get("/a", fields).answer())
                    .startsWith("HTTP/1.1 400 ")
                    .doesNotContain("Weir-Member-From");
            assertThat(member.get("/a").answer()).startsWith("HTTP/1.1 400 ");
            assertThat(origin.heads).isEmpty();
        }
    }

    @Test
    void whoHasNotAppliedThePurgesOrHasAnotherKeyOrStoresNothingRefuses() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                TestProxy proxy = start(origin.port(), folder);
                RawClient member = new RawClient(proxy.port())) {
            String[] behind = fields(proxy, "/a", "192.0.2.9", "http");
            behind[4] = "Weir-Member-Purges: 1-6";
            assertThat(member.get("/a", behind).answer()).startsWith("HTTP/1.1 503 ");
            assertThat(member.get("/a", fields(proxy, "/b", "192.0.2.9", "http"))
                            .answer())
                    .startsWith("HTTP/1.1 503 ");
            assertThat(origin.heads).isEmpty();
            assertThat(member.get("/a", fields(proxy, "/a", "192.0.2.9", "http"))
                            .answer())
                    .as("not storable: relayed the first time")
                    .contains("Weir-Member-From: configured\r\n");
            assertThat(member.get("/a", fields(proxy, "/a", "192.0.2.9", "http"))
                            .answer())
                    .as("then the other member relays it")
                    .startsWith("HTTP/1.1 503 ");
        }
    }

    @Test
    void theCookieOfA304IsForTheClientThatAskedAlone() throws Exception {
        try (TestOrigin origin = TestOrigin.inTurn(
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"t\"\r\nContent-Length: 2\r\n\r\nok",
                        "HTTP/1.1 304 Not Modified\r\nETag: \"t\"\r\nSet-Cookie: id=1\r\n\r\n");
                TestProxy proxy = start(origin.port(), folder);
                RawClient member = new RawClient(proxy.port())) {
            member.get("/a", fields(proxy, "/a", "192.0.2.9", "http")).answer();
            String[] fields = fields(proxy, "/a", "192.0.2.9", "http");
            String[] fresh = Arrays.copyOf(fields, fields.length + 1);
            fresh[fields.length] = "Cache-Control: no-cache";
            assertThat(member.get("/a", fresh).answer())
                    .contains("Set-Cookie: id=1\r\n", "Weir-Member-Withheld: set-cookie\r\n")
                    .endsWith("ok");
            assertThat(member.get("/a", fields).answer()).contains("; hit").doesNotContain("Set-Cookie", "Withheld");
        }
    }

    @Test
    void aRateLimitCountsAtTheMemberThatTheClientUses() throws Exception {
        try (TestOrigin origin = TestOrigin.always(STORED);
                TestProxy proxy =
                        start(origin.port(), folder, "routes.0.request-rate=0.01", "routes.0.request-burst=1");
                RawClient member = new RawClient(proxy.port())) {
            for (int i = 0; i < 5; i++) {
                assertThat(member.get("/a", fields(proxy, "/a", "192.0.2.9", "http"))
                                .answer())
                        .startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void onlyGetIsAnswered() throws Exception {
        try (TestOrigin origin = TestOrigin.always(STORED);
                TestProxy proxy = start(origin.port(), folder);
                RawClient member = new RawClient(proxy.port())) {
            String lines = String.join("\r\n", fields(proxy, "/a", "192.0.2.9", "http"));
            assertThat(member.send("DELETE /a HTTP/1.1\r\nHost: example.com\r\n" + lines + "\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 400 ");
            assertThat(origin.heads).isEmpty();
        }
    }
}
