package io.weir.proxy.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFormatTest {
    private final SteppedClock clock = new SteppedClock(1_163_116_800_000L);
    private final LogClock times = new LogClock(clock, ZoneOffset.ofHours(1));

    private String record(String format, LogSource source) {
        return record(format, source, 4096);
    }

    private String record(String format, LogSource source, int limit) {
        RecordText text = new RecordText(limit);
        LogFormat.parse(format).write(source, times, text);
        text.endLine();
        return new String(text.bytes(), 0, text.length(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void commonFormatIsThatOfTheSeed() {
        FakeExchange exchange = new FakeExchange()
                .with(LogVariable.CLIENT_IP, "192.0.2.7")
                .with(LogVariable.REQUEST_LINE, "GET /a HTTP/1.1")
                .with(LogVariable.STATUS, "200")
                .with(LogVariable.CONTENT_LENGTH, "1024");
        assertThat(record(LogFormat.COMMON, exchange))
                .isEqualTo("192.0.2.7 - - [10/Nov/2006:01:00:00 +0100] \"GET /a HTTP/1.1\" 200 1024\n");
    }

    @Test
    void extendedFormatsHaveTheirTokensInOrder() {
        FakeExchange exchange = new FakeExchange().with("request content-length", "5");
        int n = 1;
        for (LogVariable v : new LogVariable[] {
            LogVariable.REMOTE_STATUS,
            LogVariable.R2P_CL,
            LogVariable.P2R_CL,
            LogVariable.C2P_HL,
            LogVariable.P2C_HL,
            LogVariable.P2R_HL,
            LogVariable.R2P_HL,
            LogVariable.XFER_TIME,
            LogVariable.ACTUAL_ROUTE,
            LogVariable.CLI_STATUS,
            LogVariable.SVR_STATUS,
            LogVariable.CCH_STATUS
        }) {
            exchange.with(v, "v" + n++);
        }
        assertThat(record(LogFormat.EXTENDED_2, exchange))
                .endsWith("\"-\" - - v1 v2 5 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12\n");
        assertThat(record(LogFormat.EXTENDED, exchange)).endsWith("v7 v8\n");
    }

    @Test
    void everyTokenIsLookedUp() {
        for (LogVariable v : LogVariable.values()) {
            assertThat(record("<%" + v.token() + "%>", new FakeExchange().with(v, "x")))
                    .isEqualTo("<x>\n");
            assertThat(record("<%" + v.token() + "%>", new FakeExchange())).isEqualTo("<->\n");
        }
        FakeExchange named = new FakeExchange()
                .with("request user-agent", "ua")
                .with("response etag", "e")
                .with("variable mine", "m");
        assertThat(record("%Req->headers.User-Agent% %Req->srvhdrs.etag% %Req->vars.mine% %TIME% 100%%", named))
                .isEqualTo("ua e m 1163116800 100%\n");
    }

    @Test
    void partsOfTheRequestLineCookiesAndNumbersHaveTheirTokens() {
        FakeExchange e = new FakeExchange()
                .with(LogVariable.METHOD, "GET")
                .with(LogVariable.TARGET, "/p?q")
                .with(LogVariable.URI, "/p")
                .with(LogVariable.QUERY, "q")
                .with(LogVariable.PROTOCOL, "HTTP/1.1")
                .with(LogVariable.PROTOCOL_NAME, "HTTP")
                .with(LogVariable.PROTOCOL_VERSION, "1.1")
                .with(LogVariable.METHOD_NUM, "1")
                .with(LogVariable.PROTV_NUM, "101")
                .with(LogVariable.STATUS, "200")
                .with(LogVariable.STATUS_REASON, "OK")
                .with("cookie Sid", "s");
        String clf = "Req->reqpb.clf-request.";
        assertThat(record(
                        "%" + clf + "method% %" + clf + "uri% %" + clf + "uri.abs_path% %" + clf + "uri.query% %" + clf
                                + "protocol% %" + clf + "protocol.name% %" + clf + "protocol.version%"
                                + " %Req->method_num% %Req->protv_num% %Req->srvhdrs.clf-status.code%"
                                + " %Req->srvhdrs.clf-status.reason% %Req->headers.cookie.Sid%"
                                + " %Req->headers.cookie.sid%",
                        e))
                .isEqualTo("GET /p?q /p q HTTP/1.1 HTTP 1.1 1 101 200 OK s -\n");
    }

    @Test
    void timesAndTheRecordsSizeHaveTheirTokens() {
        clock.step(Duration.ofSeconds(5));
        assertThat(record("%LOCALEDATE% %RELATIVETIME%", new FakeExchange())).isEqualTo("Fri Nov 10 01:00:05 2006 5\n");
        assertThat(record("%RECORD_SIZE% %Req->vars.n%", new FakeExchange().with("variable n", "abc")))
                .isEqualTo("00010 abc\n");
    }

    @Test
    void variablesOfWebServer7AreKnownAndADollarSignIsEscapedByAnother() {
        FakeExchange e = new FakeExchange()
                .with(LogVariable.CLIENT_IP, "192.0.2.7")
                .with(LogVariable.METHOD, "GET")
                .with("request referer", "r")
                .with("cookie c", "v");
        assertThat(record("$ip:$method $headers{Referer} $cookie{c} $$5 $5 $auth_user", e))
                .isEqualTo("192.0.2.7:GET r v $5 $5 -\n");
        assertThatThrownBy(() -> LogFormat.parse("a $nothing")).hasMessageContaining("\"$nothing\" at 2");
    }

    @Test
    void timeIsWrittenAnewEachSecond() {
        assertThat(record("%SYSDATE%", new FakeExchange())).isEqualTo("10/Nov/2006:01:00:00 +0100\n");
        clock.step(Duration.ofMillis(999));
        assertThat(record("%SYSDATE%", new FakeExchange())).isEqualTo("10/Nov/2006:01:00:00 +0100\n");
        clock.step(Duration.ofMillis(1));
        assertThat(record("%SYSDATE%", new FakeExchange())).isEqualTo("10/Nov/2006:01:00:01 +0100\n");
    }

    @Test
    void noValueCanEndItsQuotesItsFieldOrTheRecord() {
        String nasty = "a\" 200 1\r\nfake\\ \u001b[2J\u007f\u00e9\u20ac\t";
        FakeExchange exchange =
                new FakeExchange().with(LogVariable.REQUEST_LINE, nasty).with("request referer", nasty);
        assertThat(record("\"%Req->reqpb.clf-request%\" %Req->headers.referer%", exchange))
                .isEqualTo("\"a\\\" 200 1\\x0d\\x0afake\\\\ \\x1b[2J\\x7f\\xe9?\\x09\""
                        + " a\\\"\\x20200\\x201\\x0d\\x0afake\\\\\\x20\\x1b[2J\\x7f\\xe9?\\x09\n");
    }

    @Test
    void longRecordsAreCutBetweenEscapes() {
        RecordText text = new RecordText(16);
        text.append("0123456789abc\u0001\u0001");
        text.endLine();
        assertThat(text.wasCut()).isTrue();
        assertThat(new String(text.bytes(), 0, text.length(), StandardCharsets.ISO_8859_1))
                .isEqualTo("0123456789abc\n");
        text.clear();
        text.append("0123456789abcde");
        text.endLine();
        assertThat(text.wasCut()).isFalse();
        assertThat(text.length()).isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 10, 99, 100, -1, -120, Long.MAX_VALUE, Long.MIN_VALUE})
    void numbersAreDecimal(long number) {
        RecordText text = new RecordText(64);
        text.append(number);
        assertThat(new String(text.bytes(), 0, text.length(), StandardCharsets.ISO_8859_1))
                .isEqualTo(Long.toString(number));
    }

    @Test
    void wrongFormatsAreRefusedWithPlaceAndNearestToken() {
        assertThatThrownBy(() -> LogFormat.parse("%Req->vars.xfer-tim"))
                .hasMessageContaining("at 0")
                .hasMessageContaining("not closed");
        assertThatThrownBy(() -> LogFormat.parse("a %Ses->client.ipp%"))
                .hasMessageContaining("at 2")
                .hasMessageContaining("did you mean \"%Ses->client.ip%\"?");
        assertThatThrownBy(() -> LogFormat.parse("a\nb")).hasMessageContaining("at 1");
        assertThatThrownBy(() -> LogFormat.parse("%Req->headers.a b%")).hasMessageContaining("unknown token");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20_061_110, 987_654_321})
    void anyFormatCompilesOrSaysWhy(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        String[] pieces = {
            "%", "%%", "\"", " ", "Req->", "headers.", "vars.", "SYSDATE", "srvhdrs.", "x", "-", "[", "\\", "\t", "é"
        };
        for (int i = 0; i < 2000; i++) {
            StringBuilder format = new StringBuilder();
            for (int n = r.nextInt(12); n >= 0; n--) {
                format.append(pieces[r.nextInt(pieces.length)]);
            }
            try {
                String record = record(format.toString(), new FakeExchange().with("request x", "\n\"\\"));
                assertThat(record.indexOf('\n')).as("seed %d, %s", seed, format).isEqualTo(record.length() - 1);
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).as("seed %d, %s", seed, format).isNotBlank();
            }
        }
    }
}
