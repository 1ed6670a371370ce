package io.weir.proxy.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRecordsTest {
    private static final Pattern NAME = Pattern.compile("[{,]\"([a-z0-9_]+)\":");

    private final LogClock times = new LogClock(new SteppedClock(1_163_116_800_042L), ZoneOffset.ofHours(1));

    private String record(LogSource source, int limit) {
        RecordText text = new RecordText(limit);
        JsonRecords.INSTANCE.write(source, times, text);
        text.endLine();
        return new String(text.bytes(), 0, text.length(), StandardCharsets.ISO_8859_1);
    }

    private static List<String> names(String record) {
        List<String> names = new ArrayList<>();
        // names stand outside of texts: those have no quotation mark that is not escaped
        Matcher m = NAME.matcher(record.replaceAll(":\"(?:[^\"\\\\]|\\\\.)*+\"", ":\"\""));
        while (m.find()) {
            names.add(m.group(1));
        }
        return names;
    }

    @Test
    void recordIsAnObjectWithAllMembersWhateverIsKnown() {
        FakeExchange known = new FakeExchange().with("request host", "h").with("request user-agent", "u");
        for (LogVariable v : LogVariable.values()) {
            known.with(v, "1");
        }
        String full = record(known, 4096);
        String empty = record(new FakeExchange(), 4096);
        assertThat(full)
                .startsWith(
                        "{\"time\":\"2006-11-10T00:00:00.042Z\",\"vsid\":\"1\",\"client_ip\":\"1\",\"method\":\"1\","
                                + "\"status\":1,\"content_length\":1,\"duration_us\":1,\"remote_status\":1,")
                .endsWith(",\"host\":\"h\",\"uri\":\"1\",\"query\":\"1\",\"referer\":null,\"user_agent\":\"u\"}\n");
        assertThat(names(full)).doesNotHaveDuplicates().isEqualTo(names(empty));
        assertThat(empty).contains("\"status\":null").contains("\"vsid\":null");
    }

    @Test
    void noValueCanEndItsTextOrTheLine() {
        FakeExchange nasty =
                new FakeExchange().with(LogVariable.URI, "/\",\"status\":200}\r\n{\\\u001b[2J\u007f\u00e9");
        assertThat(record(nasty, 4096))
                .contains("\"uri\":\"/\\\",\\\"status\\\":200}\\u000d\\u000a{\\\\\\u001b[2J\\u007f\\u00e9\"");
    }

    @Test
    void longValueIsCutAloneAndTheOthersStay() {
        FakeExchange exchange = new FakeExchange()
                .with(LogVariable.URI, "/" + "x".repeat(100_000))
                .with("request user-agent", "u");
        RecordText text = new RecordText(4096);
        JsonRecords.INSTANCE.write(exchange, times, text);
        assertThat(text.wasCut()).isTrue();
        assertThat(record(exchange, 4096)).contains("xxx\",\"query\":null").endsWith("\"user_agent\":\"u\"}\n");
    }

    @Test
    void recordThatIsTooShortForAllMembersKeepsTheFirstAndSaysSo() {
        String record = record(new FakeExchange().with(LogVariable.CLIENT_IP, "192.0.2.1"), 512);
        assertThat(record).contains("\"client_ip\":\"192.0.2.1\"").endsWith(",\"cut\":true}\n");
        assertThat(record.length()).isLessThanOrEqualTo(512);
        Map<String, String> read = new HashMap<>();
        assertThat(FlatJson.read(record.strip(), read)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anyExchangeIsOneObjectOnOneLine(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        String alphabet = "a\"\\\n\r\u0000\u0001{}:,é€\u007f- /";
        List<String> all = names(record(new FakeExchange(), 64 * 1024));
        for (int i = 0; i < 500; i++) {
            FakeExchange exchange = new FakeExchange();
            for (LogVariable v : List.of(LogVariable.URI, LogVariable.QUERY, LogVariable.METHOD)) {
                exchange.with(v, text(r, alphabet, r.nextInt(1, 2000)));
            }
            exchange.with("request referer", text(r, alphabet, r.nextInt(1, 2000)));
            String record = record(exchange, 512 << r.nextInt(6));
            Map<String, String> read = new HashMap<>();
            assertThat(record.indexOf('\n')).isEqualTo(record.length() - 1);
            assertThat(FlatJson.read(record.strip(), read))
                    .as("seed %d: %s", seed, record)
                    .isTrue();
            List<String> names = names(record);
            names.remove("cut");
            assertThat(all).startsWith(names.toArray(String[]::new));
        }
    }

    static String text(RandomGenerator r, String alphabet, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(r.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
