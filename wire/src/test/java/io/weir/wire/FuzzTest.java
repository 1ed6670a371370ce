package io.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.client.ClientEnd;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever bytes come, before or after the login, the worst that happens is one counted end of the connection: no error of
 * the server's own, no buffer lost (the leak detector watches), nothing held.
 */
@Tag("slow")
final class FuzzTest {
    private static final int ROUNDS = 300;

    /** Seeds that once found something, or stand for a kind; a new finding is added here. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 42, 4711, 0xdeadbeefL, -1, Long.MIN_VALUE})
    void keptSeeds(long seed) {
        rounds(Chance.seeded(seed), ROUNDS);
    }

    @Test
    void aNewSeedEachTime() {
        rounds(Chance.unseeded(), ROUNDS);
    }

    @Test
    @Tag("nightly")
    void manyNewSeeds() {
        for (int i = 0; i < 200; i++) {
            rounds(Chance.unseeded(), ROUNDS);
        }
    }

    private static void rounds(Chance chance, int rounds) {
        for (int i = 0; i < rounds; i++) {
            int round = i;
            RandomGenerator random = chance.random();
            try (Ends e = new Ends()) {
                boolean login = random.nextBoolean();
                if (login) {
                    e.loggedIn();
                }
                byte[] bytes = random.nextInt(4) == 0 ? noise(random) : mutated(random);
                feed(e, bytes, random);
                check(e, () -> "seed " + chance.seed() + " round " + round + ": " + ByteBufUtil.hexDump(bytes));
            }
        }
    }

    private static void feed(Ends e, byte[] bytes, RandomGenerator random) {
        for (int at = 0; at < bytes.length && e.channel.isOpen(); ) {
            int n = Math.min(bytes.length - at, 1 + random.nextInt(64));
            ByteBuf part = e.channel.alloc().directBuffer(n).writeBytes(bytes, at, n);
            e.in(part);
            at += n;
        }
    }

    private static void check(Ends e, java.util.function.Supplier<String> what) {
        long faults = 0;
        for (Reason r : Reason.values()) {
            faults += e.faults(r);
        }
        assertThat(faults).as(what).isLessThanOrEqualTo(1);
        assertThat(e.faults(Reason.INTERNAL)).as(what).isZero();
        assertThat(e.stats.value(WireStats.UNCAUGHT)).as(what).isZero();
        if (e.channel.isOpen()) {
            assertThat(faults).as(what).isZero();
        } else {
            assertThat(e.stats.value(WireStats.HANDSHAKES)).as(what).isZero();
            assertThat(e.server.connections()).as(what).isZero();
        }
    }

    private static byte[] noise(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        if (random.nextBoolean() && bytes.length > 4) {
            // A length that is allowed lets the noise through to the frames' own fields.
            bytes[0] = 0;
            bytes[1] = 0;
            bytes[2] = 0;
        }
        return bytes;
    }

    /** A valid conversation, or a part of it, with some bytes changed, lost, doubled or inserted. */
    private static byte[] mutated(RandomGenerator random) {
        ByteBuf all = Unpooled.buffer();
        List<ByteBuf> frames = List.of(
                Ends.hello(),
                Ends.auth("anna", random.nextBoolean() ? "secret" : "guess"),
                Ends.auth(null, null),
                question(WireFrame.LOOKUP, "jms/demo"),
                question(WireFrame.LIST, "jms/"),
                Ends.frame(WireFrame.PING.code(), 0, "12345678"),
                Ends.frame(Recorder.ECHO, random.nextInt(), "hello".repeat(random.nextInt(50))),
                Ends.frame(WireFrame.ERROR.code(), 0, "\0\3\5wrong"),
                Ends.frame(WireFrame.GOODBYE.code(), 0, ""));
        for (ByteBuf f : frames) {
            if (random.nextInt(3) > 0) {
                all.writeBytes(f);
            }
        }
        byte[] bytes = ByteBufUtil.getBytes(all);
        for (int n = random.nextInt(4); n > 0 && bytes.length > 0; n--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                default -> bytes = without(bytes, at);
            }
        }
        return bytes;
    }

    private static ByteBuf question(WireFrame type, String name) {
        ByteBuf p = Unpooled.buffer().writeInt(1);
        WireWriter.text(p, name);
        return Ends.frame(type.code(), 0, p);
    }

    private static byte[] without(byte[] bytes, int at) {
        byte[] less = new byte[bytes.length - 1];
        System.arraycopy(bytes, 0, less, 0, at);
        System.arraycopy(bytes, at + 1, less, at, less.length - at);
        return less;
    }

    /** The client's end under the same noise: what a broken or hostile server may do to it. */
    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7})
    void aClientSurvivesAnyServer(long seed) {
        Chance chance = Chance.seeded(seed);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = chance.random().nextInt(3) == 0 ? noise(chance.random()) : answers(chance.random());
            ClientEnd.feed(bytes, chance.random());
        }
    }

    private static byte[] answers(RandomGenerator random) {
        ByteBuf welcome = Unpooled.buffer();
        welcome.writeByte(1).writeLong(random.nextLong()).writeInt(1 << 20).writeInt(1000);
        WireWriter.text(welcome, "weir");
        ByteBuf ok = Unpooled.buffer();
        WireWriter.text(ok, "guest");
        ByteBuf all = Unpooled.wrappedBuffer(
                Ends.frame(WireFrame.WELCOME.code(), 0, welcome),
                Ends.frame(WireFrame.AUTH_OK.code(), 0, ok),
                Ends.frame(0x20, 1, "message"));
        byte[] bytes = ByteBufUtil.getBytes(all);
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        return bytes;
    }

    @Test
    void textsThatAreNoUtf8AreReadWithoutAFault() {
        ByteBuf in = Unpooled.buffer().writeByte(2).writeByte(0xff).writeByte(0xfe);
        @Nullable String text = WireReader.text(in);
        assertThat(text).hasSize(2);
        assertThat(text.getBytes(StandardCharsets.UTF_8)).isNotEmpty();
    }
}
