package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FieldsTest {
    private final Fields fields = new Fields();

    @Test
    void fieldsKeepTheirOrderAndSpelling() {
        fields.add("hOST", "example.com");
        fields.add(FieldName.VIA, "1.1 a");
        fields.add("X-Mine", "");
        assertThat(fields.size()).isEqualTo(3);
        assertThat(fields.name(0)).isEqualTo("hOST");
        assertThat(fields.id(0)).isEqualTo(FieldName.HOST);
        assertThat(fields.name(1)).isEqualTo("Via");
        assertThat(fields.id(2)).isNull();
        assertThat(fields.value(2)).isEmpty();
    }

    @Test
    void linesOfOneNameAreCombinedInOrder() {
        fields.add(FieldName.VARY, "Accept");
        fields.add("x-a", "1");
        fields.add("vary", "Cookie, Host");
        fields.add("X-A", "2");
        assertThat(fields.combined(FieldName.VARY)).isEqualTo("Accept, Cookie, Host");
        assertThat(fields.combined("VARY")).isEqualTo("Accept, Cookie, Host");
        assertThat(fields.combined("X-a")).isEqualTo("1, 2");
        assertThat(fields.combined(FieldName.DATE)).isNull();
        assertThat(fields.combined("x-b")).isNull();
        assertThat(fields.first(FieldName.VARY)).isEqualTo("Accept");
    }

    @Test
    void tokensAreFoundInListsInAnyCaseButNotInsideOthers() {
        fields.add(FieldName.CONNECTION, "foo , Keep-Alive,,");
        fields.add(FieldName.CONNECTION, "Upgrade");
        assertThat(fields.hasToken(FieldName.CONNECTION, "keep-alive")).isTrue();
        assertThat(fields.hasToken(FieldName.CONNECTION, "upgrade")).isTrue();
        assertThat(fields.hasToken(FieldName.CONNECTION, "foo")).isTrue();
        assertThat(fields.hasToken(FieldName.CONNECTION, "alive")).isFalse();
        assertThat(fields.hasToken(FieldName.CONNECTION, "close")).isFalse();
        assertThat(fields.hasToken(FieldName.TE, "trailers")).isFalse();
    }

    @Test
    void commasInQuotedStringsSeparateNothing() {
        fields.add(FieldName.CACHE_CONTROL, "private=\"a, no-store, \\\", b\", max-age=5");
        assertThat(fields.hasToken(FieldName.CACHE_CONTROL, "no-store")).isFalse();
        assertThat(fields.hasToken(FieldName.CACHE_CONTROL, "max-age=5")).isTrue();
    }

    @Test
    void removedFieldsAreGoneAndOthersStay() {
        fields.add(FieldName.CONNECTION, "close");
        fields.add("X-A", "1");
        fields.add(FieldName.CONNECTION, "foo");
        fields.add("x-a", "2");
        fields.add(FieldName.DATE, "now");
        assertThat(fields.remove(FieldName.CONNECTION)).isEqualTo(2);
        assertThat(fields.has(FieldName.CONNECTION)).isFalse();
        assertThat(fields.removeAll("X-a")).isEqualTo(2);
        assertThat(fields.size()).isEqualTo(1);
        assertThat(fields.value(0)).isEqualTo("now");
        fields.removeAt(0);
        assertThat(fields.has(FieldName.DATE)).isFalse();
        assertThat(fields.remove(FieldName.CONNECTION)).isZero();
    }

    @Test
    void setReplacesAllLinesByOne() {
        fields.add(FieldName.AGE, "1");
        fields.add(FieldName.AGE, "2");
        fields.set(FieldName.AGE, "3");
        assertThat(fields.combined(FieldName.AGE)).isEqualTo("3");
    }

    @Test
    void aCopyOwnsItsBytesAndIsExactlyItsSize() {
        Fields decoded = decoded("Host:a\r\nX-A: \t b \r\nCookie: c\r\n");
        decoded.remove(FieldName.COOKIE);
        Fields copy = decoded.copy();
        decoded.clear();
        decoded.add("Other", "text that overwrites the old bytes, all of them");
        assertThat(lines(copy)).isEqualTo("Host: a\r\nX-A: b\r\n");
        assertThat(copy.bytes()).hasSize("Host: a\r\nX-A: b\r\n".length());
        assertThat(copy.memoryBytes()).isEqualTo(56 + 16 + 24 + 16 + 2 * 4 * 4);
    }

    @Test
    void clearedFieldsAreReusedWithoutTheOldOnes() {
        fields.add(FieldName.HOST, "a");
        fields.clear();
        assertThat(fields.has(FieldName.HOST)).isFalse();
        fields.add(FieldName.DATE, "d");
        assertThat(lines(fields)).isEqualTo("Date: d\r\n");
    }

    @Test
    void fieldsOfOthersAreTakenAsSpelled() {
        Fields decoded = decoded("hOsT:   a  \r\n");
        fields.addFrom(decoded, 0);
        assertThat(lines(fields)).isEqualTo("hOsT: a\r\n");
        assertThat(fields.has(FieldName.HOST)).isTrue();
    }

    @Test
    void textThatWouldSplitTheMessageIsRefused() {
        for (String value : new String[] {"a\r\nX: y", "a\nb", "a\rb", "a\0b", "\u007f", "\u0100", "a\u010d"}) {
            assertThatThrownBy(() -> fields.add(FieldName.LOCATION, value))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fields.add("X", value)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fields.set(FieldName.LOCATION, value))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String name : new String[] {"", "a b", "a:", "a\r\n", "\u00e4", "\u0141", "(x)"}) {
            assertThatThrownBy(() -> fields.add(name, "v")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(fields.size()).isZero();
    }

    @Test
    void aRefusedReplacementLeavesTheOldValue() {
        fields.add(FieldName.LOCATION, "/a");
        assertThatThrownBy(() -> fields.set(FieldName.LOCATION, "\n")).isInstanceOf(IllegalArgumentException.class);
        assertThat(fields.first(FieldName.LOCATION)).isEqualTo("/a");
    }

    @Test
    void latinOneSurvives() {
        fields.add("X", "caf\u00e9\t\u00ff");
        assertThat(fields.value(0)).isEqualTo("caf\u00e9\t\u00ff");
        assertThat(lines(fields)).isEqualTo("X: caf\u00e9\t\u00ff\r\n");
    }

    static Fields decoded(String lines) {
        RequestDecoder decoder = new RequestDecoder(DecoderLimits.DEFAULT);
        ByteBuf in = Unpooled.copiedBuffer("GET / HTTP/1.0\r\n" + lines + "\r\n", StandardCharsets.ISO_8859_1);
        assertThat(decoder.decode(in)).isEqualTo(Progress.HEAD);
        in.release();
        return decoder.head().fields();
    }

    static String lines(Fields fields) {
        ByteBuf out = Unpooled.buffer();
        for (int i = 0; i < fields.size(); i++) fields.writeLine(i, out);
        ByteBuf joined = Unpooled.buffer();
        Encoder.fields(joined, fields);
        assertThat(joined).isEqualTo(out);
        return out.toString(StandardCharsets.ISO_8859_1);
    }
}
