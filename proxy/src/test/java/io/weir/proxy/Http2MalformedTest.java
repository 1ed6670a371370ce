package io.weir.proxy;

import static io.weir.proxy.FrameClient.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Fault;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.http2.Malformed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9113 section 8: a malformed request is reset, counted by reason, and never reaches an origin. */
@ExtendWith(LeakCheck.class)
class Http2MalformedTest {
    private static final Set<Malformed> SEEN = EnumSet.noneOf(Malformed.class);
    private static TestOrigin origin;
    private static TestProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        // one that answers before a body's end lets NO_ERROR overtake what is tested
        origin = TestOrigin.whole("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        proxy = TestProxy.reverse(origin.port());
    }

    @AfterAll
    static void stop() throws Exception {
        proxy.close();
        origin.close();
        // the body's and the trailers' reasons have tests of their own below
        assertThat(SEEN).isEqualTo(EnumSet.allOf(Malformed.class));
    }

    private static void refused(Malformed why, FrameClient client) throws Exception {
        assertThat(client.next(FrameClient.RST_STREAM).error()).isEqualTo(1);
        assertThat(proxy.value(Http2Stats.MALFORMED, why.label())).isPositive();
        SEEN.add(why);
        // the connection lives on
        assertThat(client.get(9, "/x").answer(9).text()).isEqualTo("ok");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "FIELD_NAME|:method: GET;:scheme: http;:authority: a;:path: /;X-Upper: 1",
                "FIELD_NAME|:method: GET;:scheme: http;:authority: a;:path: /;a b: 1",
                "FIELD_VALUE|:method: GET;:scheme: http;:authority: a;:path: /;x: a^b",
                "FIELD_VALUE|:method: GET;:scheme: http;:authority: a;:path: /;x: a~b: c",
                "FIELD_VALUE|:method: GET;:scheme: http;:authority: a;:path: /;x:  a",
                "FIELD_VALUE|:method: GET;:scheme: http;:authority: a;:path: /;x: a_",
                "CONNECTION_FIELD|:method: GET;:scheme: http;:authority: a;:path: /;connection: close",
                "CONNECTION_FIELD|:method: GET;:scheme: http;:authority: a;:path: /;keep-alive: 1",
                "CONNECTION_FIELD|:method: GET;:scheme: http;:authority: a;:path: /;proxy-connection: close",
                "CONNECTION_FIELD|:method: GET;:scheme: http;:authority: a;:path: /;transfer-encoding: chunked",
                "CONNECTION_FIELD|:method: GET;:scheme: http;:authority: a;:path: /;upgrade: websocket",
                "TE|:method: GET;:scheme: http;:authority: a;:path: /;te: trailers, deflate",
                "PSEUDO_ORDER|:method: GET;:scheme: http;:authority: a;x: 1;:path: /",
                "PSEUDO_UNKNOWN|:method: GET;:scheme: http;:authority: a;:path: /;:status: 200",
                "PSEUDO_DUPLICATE|:method: CONNECT;:protocol: a;:protocol: a;:scheme: http;:authority: a;:path: /",
                "PSEUDO_MISSING|:method: CONNECT;:protocol: websocket;:scheme: http;:authority: a",
                "CONNECT|:method: GET;:protocol: websocket;:scheme: http;:authority: a;:path: /",
                "CONNECT|:method: CONNECT;:protocol: web socket;:scheme: http;:authority: a;:path: /",
                "CONNECT|:method: CONNECT;:protocol: websocket;:scheme: http;:path: /;host: a",
                "CONNECT|:method: CONNECT;:protocol: b;:scheme: http;:authority: a;:path: /;content-length: 1",
                "PSEUDO_DUPLICATE|:method: GET;:method: GET;:scheme: http;:authority: a;:path: /",
                "PSEUDO_DUPLICATE|:method: GET;:scheme: http;:authority: a;:authority: a;:path: /",
                "PSEUDO_MISSING|:scheme: http;:authority: a;:path: /",
                "PSEUDO_MISSING|:method: GET;:authority: a;:path: /",
                "PSEUDO_MISSING|:method: GET;:scheme: http;:authority: a",
                "METHOD|:method: GET /x HTTP/1.1;:scheme: http;:authority: a;:path: /",
                "METHOD|:method: ;:scheme: http;:authority: a;:path: /",
                "SCHEME|:method: GET;:scheme: ftp;:authority: a;:path: /",
                "PATH|:method: GET;:scheme: http;:authority: a;:path: ",
                "PATH|:method: GET;:scheme: http;:authority: a;:path: x",
                "PATH|:method: GET;:scheme: http;:authority: a;:path: *",
                "PATH|:method: GET;:scheme: http;:authority: a;:path: http://b/",
                "PATH|:method: GET;:scheme: http;:authority: a;:path: / HTTP/1.1^~x: y",
                "AUTHORITY|:method: GET;:scheme: http;:authority: a;:path: /;host: b",
                "AUTHORITY|:method: GET;:scheme: http;:path: /;host: b;host: b",
                "AUTHORITY|:method: GET;:scheme: http;:authority: a^~x: y;:path: /",
                "CONNECT|:method: CONNECT;:scheme: http;:authority: a:1;:path: /",
                "CONNECT|:method: CONNECT;host: a:1",
                "CONTENT_LENGTH|:method: POST;:scheme: http;:authority: a;:path: /;content-length: 1"
            })
    void aHead(Malformed why, String fields) throws Exception {
        int before = origin.heads.size();
        try (FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, true, bytes(fields).split(";"));
            refused(why, client);
            assertThat(origin.heads).hasSize(before + 1);
        }
    }

    /** What would end a row of the table has a stand-in. */
    private static String bytes(String fields) {
        return fields.replace('^', '\r').replace('~', '\n').replace('_', '\t');
    }

    @Test
    void aBodyThatIsLongerOrShorterThanItsHeadSays() throws Exception {
        for (String body : new String[] {"abcd", "ab"}) {
            try (FrameClient client = new FrameClient(proxy.port())) {
                client.request(1, false, lines("POST", "/", "content-length: 3"));
                client.data(1, true, body);
                refused(Malformed.CONTENT_LENGTH, client);
            }
        }
    }

    @Test
    void trailersThatAreNone() throws Exception {
        trailers(Malformed.PSEUDO_IN_TRAILERS, ":path: /");
        trailers(Malformed.TRAILER, "content-length: 3");
        trailers(Malformed.FIELD_NAME, "X-Upper: 1");
        trailers(Malformed.FIELD_VALUE, "x: a\0b");
    }

    private static void trailers(Malformed why, String line) throws Exception {
        try (FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/")).data(1, false, "abc");
            client.frame(
                    FrameClient.HEADERS, FrameClient.END_HEADERS | FrameClient.END_STREAM, 1, FrameClient.block(line));
            refused(why, client);
        }
    }

    /** What is in one packet is read at once: the client's own reset must not hide that Weir's came first (RFC 9113 section 5.1). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dataThatCrossedAResetHarmsNoOtherStream(boolean resets) throws Exception {
        try (FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/", "content-length: 1")).data(1, false, "xx");
            assertThat(client.next(FrameClient.RST_STREAM).stream()).isEqualTo(1);
            ByteArrayOutputStream late = new ByteArrayOutputStream();
            byte[] text = "late".getBytes(StandardCharsets.US_ASCII);
            late.writeBytes(FrameClient.bytes(FrameClient.DATA, 0, 1, text));
            late.writeBytes(FrameClient.bytes(FrameClient.DATA, resets ? 0 : FrameClient.END_STREAM, 1, text));
            if (resets) {
                late.writeBytes(FrameClient.bytes(FrameClient.RST_STREAM, 0, 1, FrameClient.number(8)));
            }
            client.raw(late.toByteArray());
            assertThat(client.get(3, "/x").answer(3).text()).isEqualTo("ok");
        }
    }

    @Test
    void whatHttp1RefusesIsRefusedUnderTheSameName() throws Exception {
        try (FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, true, lines("GET", "/a#b"));
            assertThat(client.next(FrameClient.RST_STREAM).error()).isEqualTo(1);
            assertThat(proxy.value(EngineStats.FAULTS, "request", Fault.TARGET_FRAGMENT.label()))
                    .isEqualTo(1);
            client.request(3, true, lines("POST", "/", "content-length: +3"));
            assertThat(client.next(FrameClient.RST_STREAM).stream()).isEqualTo(3);
            assertThat(proxy.value(EngineStats.FAULTS, "request", Fault.CONTENT_LENGTH_MALFORMED.label()))
                    .isEqualTo(1);
            client.request(5, true, lines("A".repeat(40), "/"));
            assertThat(client.answer(5).status()).isEqualTo("501");
            client.get(7, "/" + "a".repeat(9000));
            assertThat(client.answer(7).status()).isEqualTo("414");
        }
    }
}
