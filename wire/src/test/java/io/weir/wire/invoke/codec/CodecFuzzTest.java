package io.weir.wire.invoke.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.wire.invoke.description.MethodDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever bytes come as arguments: a value of the declared types, which can be written again, or a refusal. */
final class CodecFuzzTest {
    private static final int ROUNDS = 3000;

    private record Sample(MethodDescription method, ByteBuf bytes) {}

    private static List<Sample> samples() {
        List<Sample> all = new ArrayList<>();
        Zoo.Point p = new Zoo.Point(1, 2);
        Zoo.Tree leaf = new Zoo.Tree("leaf", List.of(), null);
        add(all, "scalars", CodecTest.scalars());
        add(all, "dates", CodecTest.dates());
        add(all, "text", "süß \ud834");
        add(all, "form", new Zoo.Circle(p, 1));
        add(all, "outcome", new Zoo.Done<>(p));
        add(all, "tree", new Zoo.Tree("root", List.of(leaf, leaf), leaf));
        add(all, "nested", Map.of(Zoo.Colour.RED, List.of(new Zoo.Pair<>("b", Optional.of(1)))));
        add(all, "set", Set.of(p, new Zoo.Point(2, 2)));
        add(all, "wild", List.of(Zoo.Odd.EMPTY, new Zoo.Box(p, p)));
        add(all, "ints", new int[] {1, 2, 3});
        add(all, "bytes", new byte[100]);
        add(all, "grid", (Object) new Zoo.Point[][] {{p}, {p, p}});
        add(all, "lists", (Object) new List<?>[] {List.of("a"), List.of()});
        return all;
    }

    private static void add(List<Sample> all, String name, @Nullable Object value) {
        MethodDescription m = CodecTest.method(Zoo.class, name);
        all.add(new Sample(m, CodecTest.written(m, value)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 42, 4711, -1})
    void keptSeeds(long seed) {
        rounds(Chance.seeded(seed));
    }

    @Test
    void aNewSeedEachTime() {
        rounds(Chance.unseeded());
    }

    private static void rounds(Chance chance) {
        List<Sample> samples = samples();
        RandomGenerator random = chance.random();
        int read = 0;
        for (int i = 0; i < ROUNDS; i++) {
            Sample sample = samples.get(random.nextInt(samples.size()));
            byte[] bytes =
                    random.nextInt(5) == 0 ? noise(random) : mutated(ByteBufUtil.getBytes(sample.bytes()), random);
            read += tried(sample.method(), bytes, "seed " + chance.seed() + " round " + i) ? 1 : 0;
        }
        assertThat(read).as("some mutations are values all the same").isPositive();
    }

    private static boolean tried(MethodDescription method, byte[] bytes, String where) {
        @Nullable Object[] values;
        try {
            values = method.readArguments(Unpooled.wrappedBuffer(bytes));
        } catch (CodecFault e) {
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(where + " " + method + " " + ByteBufUtil.hexDump(bytes), e);
        }
        ByteBuf again = Unpooled.buffer();
        method.writeArguments(again, values);
        assertThat(method.readArguments(again)).as(where).hasSameSizeAs(values);
        return true;
    }

    private static byte[] noise(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
        if (bytes.length > 0) {
            bytes[0] = 1;
        }
        return bytes;
    }

    private static byte[] mutated(byte[] sample, RandomGenerator random) {
        byte[] bytes = sample.clone();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            int at = random.nextInt(bytes.length);
            bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ (1 << random.nextInt(8)));
        }
        return random.nextInt(6) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }
}
