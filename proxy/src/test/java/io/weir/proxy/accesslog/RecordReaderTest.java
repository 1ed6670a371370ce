package io.weir.proxy.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {
    private final LogClock times = new LogClock(new SteppedClock(1_163_116_800_000L), ZoneOffset.ofHours(1));

    private String line(RecordFormat format, LogSource source) {
        RecordText text = new RecordText(64 * 1024);
        format.write(source, times, text);
        return new String(text.bytes(), 0, text.length(), StandardCharsets.ISO_8859_1);
    }

    private @Nullable ReadRecord read(RecordFormat format, LogSource source) {
        String line = line(format, source);
        String first = format.firstLine().isEmpty() ? line : format.firstLine();
        return Objects.requireNonNull(RecordReader.of(first)).read(line);
    }

    private static FakeExchange exchange(String target, String micros) {
        int query = target.indexOf('?');
        return new FakeExchange()
                .with(LogVariable.CLIENT_IP, "192.0.2.7")
                .with(LogVariable.METHOD, "GET")
                .with(LogVariable.REQUEST_LINE, "GET " + target + " HTTP/1.1")
                .with(LogVariable.URI, query < 0 ? target : target.substring(0, query))
                .with(LogVariable.QUERY, query < 0 ? "" : target.substring(query + 1))
                .with(LogVariable.STATUS, "404")
                .with(LogVariable.CONTENT_LENGTH, "12")
                .with(LogVariable.XFER_TIME, "3")
                .with(LogVariable.DURATION, micros)
                .with("request host", "shop");
    }

    @Test
    void everyFormatOfOursIsReadBack() {
        FakeExchange e = exchange("/a b?x=\"1\"", "1500");
        String custom = "%TIME% $method %Req->headers.host% %Req->reqpb.uri% %Req->reqpb.query% %duration%us"
                + " %Ses->client.ip% %Req->srvhdrs.clf-status.code%/%Req->srvhdrs.content-length%";
        assertThat(read(LogFormat.parse(LogFormat.COMMON), e))
                .isEqualTo(new ReadRecord(1_163_116_800_000L, "192.0.2.7", "/a b?x=\"1\"", 404, -1, 12));
        assertThat(read(LogFormat.parse(LogFormat.EXTENDED), e))
                .isEqualTo(new ReadRecord(1_163_116_800_000L, "192.0.2.7", "/a b?x=\"1\"", 404, 3_000_000, 12));
        assertThat(read(LogFormat.parse(LogFormat.EXTENDED_2), e))
                .isEqualTo(new ReadRecord(1_163_116_800_000L, "192.0.2.7", "/a b?x=\"1\"", 404, 3_000_000, 12));
        assertThat(read(LogFormat.parse(custom), e))
                .isEqualTo(new ReadRecord(1_163_116_800_000L, "192.0.2.7", "shop/a b?x=\"1\"", 404, 1500, 12));
        assertThat(read(JsonRecords.INSTANCE, e))
                .isEqualTo(new ReadRecord(1_163_116_800_000L, "192.0.2.7", "shop/a b?x=\"1\"", 404, 1500, 12));
    }

    @Test
    void whatIsMissingIsEmpty() {
        assertThat(read(LogFormat.parse("%Ses->client.ip% %Req->srvhdrs.clf-status%"), new FakeExchange()))
                .isEqualTo(new ReadRecord(-1, "", "", 0, -1, 0));
        assertThat(read(JsonRecords.INSTANCE, new FakeExchange()))
                .isEqualTo(new ReadRecord(1_163_116_800_000L, "", "", 0, -1, 0));
    }

    @Test
    void lineThatTheFormatDoesNotFitIsNoRecord() {
        RecordReader common = Objects.requireNonNull(RecordReader.of("format=" + LogFormat.COMMON));
        for (String line : List.of("", "garbage", "1.1.1.1 - - [10/Nov/2006:01:00:00 +0100] \"GET / HT")) {
            assertThat(common.read(line)).as(line).isNull();
        }
        RecordReader json = Objects.requireNonNull(RecordReader.of("{"));
        for (String line : List.of("", "{", "{}x", "{\"a\":}", "{\"a\":1,", "{\"a", "{\"a\":\"b")) {
            assertThat(json.read(line)).as(line).isNull();
        }
        assertThat(RecordReader.of("127.0.0.1 - -")).isNull();
        assertThat(RecordReader.of("format=%nonsense%")).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyTargetIsReadBackAsItWasSent(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        for (int i = 0; i < 1000; i++) {
            String target = "/" + JsonRecordsTest.text(r, "a\"\\\n\r\u0000{}:,é x-", r.nextInt(40));
            FakeExchange e = exchange(target, "7");
            for (RecordFormat format : List.of(LogFormat.parse(LogFormat.EXTENDED_2), JsonRecords.INSTANCE)) {
                ReadRecord read = Objects.requireNonNull(read(format, e), target);
                assertThat(read.url()).endsWith(target);
                assertThat(read.status()).isEqualTo(404);
            }
        }
    }
}
