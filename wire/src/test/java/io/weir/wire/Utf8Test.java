package io.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
    private static String overTheWire(String text) {
        ByteBuf out = Unpooled.buffer();
        // within other things
        out.writeLong(0);
        out.skipBytes(Long.BYTES);
        WireWriter.text(out, text);
        WireWriter.text(out, "next");
        String back = WireReader.text(out);
        assertThat(WireReader.text(out)).isEqualTo("next");
        return back;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "größe",
                "\u20ac \uffff \ufffd",
                "\ud83d\ude00",
                "\ud800",
                "?",
                "\udfff",
                "a\ud800b",
                "\ude00\ud83d",
                "\ud83d\ud83d\ude00\ude00",
                "\ufffd\udbff\ufffd\u00ff\ud83d\ude00\udc00"
            })
    void comesAsItWasSent(String text) {
        assertThat(overTheWire(text)).isEqualTo(text);
        ByteBuf bytes = Unpooled.wrappedBuffer(Utf8.bytes(text));
        assertThat(bytes.readableBytes()).isEqualTo(Utf8.size(text));
        assertThat(Utf8.text(bytes, 0, bytes.readableBytes())).isEqualTo(text);
    }

    @Test
    void isUtf8WhereUtf8CanSayIt() {
        String text = "größe \u20ac \ud83d\ude00";
        assertThat(Utf8.bytes(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
        assertThat(Utf8.bytes("\ud800")).containsExactly(0xed, 0xa0, 0x80);
    }

    @Test
    void twoTextsNeverBecomeOne() {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        char[] kinds = {'a', 'ü', '\u20ac', '\ud800', '\udbff', '\udc00', '\udfff', '?', '\ufffd'};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(8); n > 0; n--) {
                text.append(kinds[random.nextInt(kinds.length)]);
            }
            assertThat(overTheWire(text.toString())).isEqualTo(text.toString());
        }
    }

    @Test
    void bytesThatAreNoTextAreReplaced() {
        ByteBuf in = Unpooled.wrappedBuffer(new byte[] {'a', (byte) 0xed, (byte) 0xa0, 'b', (byte) 0xed, (byte) 0xa0});
        assertThat(Utf8.text(in, 0, in.readableBytes())).startsWith("a\ufffd").contains("b\ufffd");
    }
}
