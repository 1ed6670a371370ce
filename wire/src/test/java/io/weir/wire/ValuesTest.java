package io.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values in frames, and URLs. */
final class ValuesTest {
    @Test
    void numbersComeBackInTheirShortestForm() {
        for (int n :
                new int[] {0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 268435455, 268435456, Integer.MAX_VALUE}) {
            ByteBuf b = Unpooled.buffer();
            WireWriter.varint(b, n);
            assertThat(b.readableBytes()).isEqualTo(WireWriter.varintSize(n));
            assertThat(WireReader.varint(b)).isEqualTo(n);
        }
    }

    @Test
    void aNumberOfMoreThan31BitsIsAFault() {
        malformed(() -> WireReader.varint(bytes(0xff, 0xff, 0xff, 0xff, 0x08)));
        malformed(() -> WireReader.varint(bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x01)));
        malformed(() -> WireReader.varint(bytes(0x80)));
    }

    @Test
    void textsComeBack() {
        for (String s : new String[] {"", "a", "naïve – ✓ 𝄞", "x".repeat(20_000)}) {
            ByteBuf b = Unpooled.buffer();
            WireWriter.text(b, s);
            WireWriter.optionalText(b, s);
            WireWriter.optionalText(b, null);
            WireWriter.text(b, s);
            assertThat(WireReader.text(b)).isEqualTo(s);
            assertThat(WireReader.optionalText(b)).isEqualTo(s);
            assertThat(WireReader.optionalText(b)).isNull();
            WireReader.skipText(b);
            WireReader.end(b);
        }
    }

    @Test
    void aLengthThatLiesIsAFaultBeforeAnythingIsAllocated() {
        malformed(() -> WireReader.text(bytes(5, 'a', 'b')));
        malformed(() -> WireReader.optionalText(bytes(4, 'a')));
        malformed(() -> WireReader.text(bytes(3, 'a', 'b', 'c'), 2));
        malformed(() -> WireReader.count(bytes(0xff, 0xff, 0xff, 0xff, 0x07), 1));
        malformed(() -> WireReader.length32(bytes(0x7f, 0xff, 0xff, 0xff, 1)));
        malformed(() -> WireReader.length32(bytes(0xff, 0xff, 0xff, 0xff)));
        malformed(() -> WireReader.i64(bytes(1, 2, 3)));
        malformed(() -> WireReader.end(bytes(1)));
    }

    private static ByteBuf bytes(int... values) {
        ByteBuf b = Unpooled.buffer();
        for (int v : values) {
            b.writeByte(v);
        }
        return b;
    }

    private static void malformed(org.assertj.core.api.ThrowableAssert.ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.MALFORMED));
    }

    @Test
    void urlsNameServersInOrderAndOptions() {
        WireUrl url = WireUrl.parse("weirs://one:7002,[::1]:7003,two?user=anna&client-id=a%20b");
        assertThat(url.secure()).isTrue();
        assertThat(url.addresses())
                .containsExactly(
                        new WireUrl.Address("one", 7002),
                        new WireUrl.Address("::1", 7003),
                        new WireUrl.Address("two", WireUrl.DEFAULT_PORT));
        assertThat(url.options()).isEqualTo(Map.of("user", "anna", "client-id", "a b"));
        assertThat(url.addresses().get(1)).hasToString("[::1]:7003");
        assertThat(WireUrl.parse("weir://localhost/").addresses())
                .containsExactly(new WireUrl.Address("localhost", WireUrl.DEFAULT_PORT));
    }

    @Test
    void aWrongUrlSaysWhatIsWrong() {
        for (String wrong :
                new String[] {"", "localhost:7001", "http://a", "weir://", "weir://a:x", "weir://a:0", "weir://a,,b"}) {
            assertThatThrownBy(() -> WireUrl.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void credentialsDoNotShowThePassword() {
        assertThat(new Credentials("anna", "secret")).asString().doesNotContain("secret");
    }

    @Test
    void anAddressHasAPort() {
        for (int none : new int[] {-1, 0, 65536, 99999}) {
            assertThatThrownBy(() -> new WireUrl.Address("host", none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("host:" + none);
        }
        assertThat(new WireUrl.Address("host", 65535)).hasToString("host:65535");
    }
}
