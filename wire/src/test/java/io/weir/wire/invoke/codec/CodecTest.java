package io.weir.wire.invoke.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.WireWriter;
import io.weir.wire.invoke.UnfitInterface;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.description.MethodDescription;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.rmi.Remote;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What goes in comes out, by value; what does not belong is refused, at both ends. */
public final class CodecTest {
    static final InterfaceDescription ZOO = InterfaceDescription.of(Zoo.class);

    public static MethodDescription method(Class<?> type, String name) {
        for (Method m : type.getMethods()) {
            if (m.getName().equals(name)) {
                MethodDescription d = InterfaceDescription.of(type).method(m);
                if (d != null) {
                    return d;
                }
            }
        }
        throw new AssertionError("no method " + name);
    }

    static ByteBuf written(MethodDescription m, @Nullable Object... arguments) {
        ByteBuf out = Unpooled.buffer();
        m.writeArguments(out, arguments);
        return out;
    }

    private static @Nullable Object[] carried(String name, @Nullable Object... arguments) {
        MethodDescription m = method(Zoo.class, name);
        return m.readArguments(written(m, arguments));
    }

    private static @Nullable Object one(String name, @Nullable Object argument) {
        return carried(name, new @Nullable Object[] {argument})[0];
    }

    static Zoo.Scalars scalars() {
        return new Zoo.Scalars(
                true,
                (byte) -1,
                (short) -2,
                'ü',
                -3,
                Long.MIN_VALUE,
                1.5f,
                Double.NaN,
                false,
                (byte) 1,
                (short) 2,
                'x',
                3,
                4L,
                5f,
                6d,
                "text",
                BigInteger.TEN.pow(100),
                new BigDecimal("-1.50"),
                new UUID(1, 2),
                OptionalInt.of(7),
                OptionalLong.empty(),
                OptionalDouble.of(8));
    }

    static Zoo.Dates dates() {
        LocalDateTime at = LocalDateTime.of(2026, 3, 29, 2, 30, 1, 5);
        return new Zoo.Dates(
                Instant.MAX,
                Duration.ofNanos(-1),
                Period.of(1, -2, 3),
                LocalDate.MIN,
                LocalTime.MAX,
                at,
                ZoneOffset.ofHours(-3),
                ZoneId.of("Europe/Berlin"),
                OffsetTime.of(LocalTime.NOON, ZoneOffset.UTC),
                OffsetDateTime.of(at, ZoneOffset.ofHours(2)),
                ZonedDateTime.of(at, ZoneId.of("America/New_York")),
                Year.of(2026),
                YearMonth.of(2026, 2),
                MonthDay.of(2, 29),
                DayOfWeek.FRIDAY);
    }

    @Test
    void scalarsAndDatesRoundTrip() {
        assertThat(one("scalars", scalars())).isEqualTo(scalars());
        assertThat(one("dates", dates())).isEqualTo(dates());
        assertThat(carried("primitives", true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d))
                .containsExactly(true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d);
    }

    @Test
    void textsRoundTripWhateverIsInThem() {
        for (String text : List.of("", "ascii", "süß € 𝄞", "half \ud834", "\udd1e other", "\0")) {
            assertThat(one("text", text)).isEqualTo(text);
        }
        assertThat(one("text", null)).isNull();
    }

    @Test
    void recordsSealedInterfacesAndEnumsRoundTrip() {
        Zoo.Point p = new Zoo.Point(1, 2);
        assertThat(one("form", new Zoo.Circle(p, 3))).isEqualTo(new Zoo.Circle(p, 3));
        assertThat(one("form", new Zoo.Box(p, p))).isEqualTo(new Zoo.Box(p, p));
        assertThat(one("form", Zoo.Odd.ENDLESS)).isSameAs(Zoo.Odd.ENDLESS);
        assertThat(one("form", null)).isNull();
        assertThat(one("outcome", new Zoo.Done<>(p))).isEqualTo(new Zoo.Done<>(p));
        assertThat(one("outcome", new Zoo.Broken<>("why"))).isEqualTo(new Zoo.Broken<>("why"));
        assertThat(one("nothing", new Zoo.Nothing())).isEqualTo(new Zoo.Nothing());
    }

    @Test
    void aTypeThatContainsItselfRoundTrips() {
        Zoo.Tree leaf = new Zoo.Tree("leaf", List.of(), null);
        Zoo.Tree tree = new Zoo.Tree("root", List.of(leaf, new Zoo.Tree("b", List.of(leaf), leaf)), null);
        assertThat(one("tree", tree)).isEqualTo(tree);
    }

    @Test
    void collectionsAndArraysRoundTripInTheirOrder() {
        Map<Zoo.Colour, List<Zoo.Pair<String, Optional<Integer>>>> nested = new LinkedHashMap<>();
        nested.put(Zoo.Colour.GREEN, Arrays.asList(new Zoo.Pair<>("a", Optional.of(1)), null));
        nested.put(Zoo.Colour.RED, List.of(new Zoo.Pair<>("b", Optional.empty())));
        assertThat(one("nested", nested)).isEqualTo(nested);
        Set<Zoo.Point> set = new LinkedHashSet<>(List.of(new Zoo.Point(3, 3), new Zoo.Point(1, 1)));
        assertThat((Set<?>) one("set", set))
                .hasSize(2)
                .extracting(Object::toString)
                .first()
                .isEqualTo("Point[x=3, y=3]");
        assertThat(one("wild", List.of(Zoo.Odd.EMPTY))).isEqualTo(List.of(Zoo.Odd.EMPTY));
        assertThat(one("ints", new int[] {1, -2})).isEqualTo(new int[] {1, -2});
        assertThat(one("bytes", new byte[] {1, -2})).isEqualTo(new byte[] {1, -2});
        assertThat(one("grid", new Zoo.Point[][] {{new Zoo.Point(1, 2)}, {}})).isEqualTo(new Zoo.Point[][] {
            {new Zoo.Point(1, 2)}, {}
        });
        assertThat(one("lists", new List<?>[] {List.of("a")})).isEqualTo(new List<?>[] {List.of("a")});
        assertThat(one("first", List.of("a", "b"))).isEqualTo(List.of("a", "b"));
    }

    @Test
    void whatIsReadMayBeChanged() {
        List<String> read = new ArrayList<>();
        for (Object o : (List<?>) Objects.requireNonNull(one("first", List.of("b", "a")))) {
            read.add(String.valueOf(o));
        }
        assertThat(read).containsExactly("b", "a");
        assertThat(one("first", List.of("b"))).isInstanceOf(ArrayList.class);
    }

    @Test
    void aRecordsConstructorMayRefuse() {
        MethodDescription m = method(Zoo.class, "set");
        ByteBuf in = Unpooled.buffer().writeByte(1);
        WireWriter.varint(in, 1);
        in.writeByte(1).writeInt(13).writeInt(0);
        assertThatThrownBy(() -> m.readArguments(in))
                .isInstanceOf(CodecFault.class)
                .hasMessageContaining("Point rejected")
                .hasMessageContaining("bad luck");
    }

    @Test
    void lyingCountsAllocateNothing() {
        for (String name : List.of("first", "ints", "bytes", "set", "nested", "grid", "nothings")) {
            MethodDescription m = method(Zoo.class, name);
            ByteBuf in = Unpooled.buffer().writeByte(1);
            WireWriter.varint(in, Integer.MAX_VALUE);
            assertThatThrownBy(() -> m.readArguments(in)).as(name).isInstanceOf(CodecFault.class);
        }
    }

    @Test
    void doubledKeysUnknownPlacesAndLeftBytesAreRefused() {
        MethodDescription set = method(Zoo.class, "set");
        ByteBuf twice = Unpooled.buffer().writeByte(1).writeByte(2);
        twice.writeByte(1).writeLong(5).writeByte(1).writeLong(5);
        assertThatThrownBy(() -> set.readArguments(twice)).hasMessageContaining("duplicate");
        MethodDescription form = method(Zoo.class, "form");
        assertThatThrownBy(() -> form.readArguments(Unpooled.wrappedBuffer(new byte[] {1, 3})))
                .hasMessageContaining("permits 3");
        assertThatThrownBy(() -> form.readArguments(Unpooled.wrappedBuffer(new byte[] {1, 2, 1, 9})))
                .hasMessageContaining("constant 9");
        assertThatThrownBy(() -> form.readArguments(Unpooled.wrappedBuffer(new byte[] {1, 0, 0})))
                .hasMessageContaining("null for the selected type");
        assertThatThrownBy(() -> form.readArguments(Unpooled.wrappedBuffer(new byte[] {7})))
                .hasMessageContaining("a null mark of 7");
        assertThatThrownBy(() -> form.readArguments(Unpooled.wrappedBuffer(new byte[] {0, 0})))
                .isInstanceOf(CodecFault.class)
                .hasMessageContaining("too many");
    }

    @Test
    void depthAndElementsAreBoundedAtBothEnds() {
        MethodDescription m = method(Zoo.class, "tree");
        Zoo.Tree fits = chain(Pass.DEEPEST);
        assertThat(m.readArguments(written(m, fits))[0]).isEqualTo(fits);
        assertThatThrownBy(() -> written(m, chain(Pass.DEEPEST + 1))).hasMessageContaining("deep");
        ByteBuf deep = Unpooled.buffer();
        for (int i = 0; i <= Pass.DEEPEST; i++) {
            deep.writeByte(1).writeByte(0).writeByte(0);
        }
        assertThatThrownBy(() -> m.readArguments(deep)).hasMessageContaining("deep");
        MethodDescription many = method(Zoo.class, "nothings");
        ByteBuf nulls = Unpooled.buffer().writeByte(1);
        WireWriter.varint(nulls, Pass.MOST_ELEMENTS + 1);
        nulls.writeZero(Pass.MOST_ELEMENTS + 1);
        assertThatThrownBy(() -> many.readArguments(nulls)).hasMessageContaining("elements");
    }

    /** Trees in each other by their favourites, one level of records each. */
    private static Zoo.Tree chain(int depth) {
        Zoo.Tree tree = null;
        for (int i = 0; i < depth; i++) {
            tree = new Zoo.Tree(null, null, tree);
        }
        return Objects.requireNonNull(tree);
    }

    interface HasObject {
        void bad(List<Object> any);
    }

    interface HasClass {
        Thread bad();
    }

    interface HasRaw {
        @SuppressWarnings("rawtypes") // what is refused
        void bad(List raw);
    }

    record Holder(Serializable anything) {}

    interface HasHolder {
        void bad(Holder holder);
    }

    record Endless<T>(@Nullable Endless<List<T>> next) {}

    interface HasEndless {
        void bad(Endless<String> e);
    }

    sealed interface Loose permits Open {}

    static non-sealed class Open implements Loose {}

    interface HasLoose {
        void bad(Loose loose);
    }

    interface NotRemote extends Remote {
        void bad();
    }

    interface Generic<T> {
        void bad(T t);
    }

    interface Empty {}

    @Test
    void anInterfaceWithAnotherTypeIsRefusedAndSaysWhere() {
        refused(HasObject.class, "HasObject.bad: parameter 1: java.lang.Object is not a type that calls support");
        refused(HasClass.class, "HasClass.bad: result: java.lang.Thread is not a type");
        refused(HasRaw.class, "HasRaw.bad: java.util.List without its type arguments");
        refused(HasHolder.class, "Holder.anything: java.io.Serializable is not a type");
        refused(HasEndless.class, "an unlimited number of types");
        refused(HasLoose.class, "Open, which is neither a record nor an enum");
        refused(NotRemote.class, "must declare java.rmi.RemoteException");
        refused(Generic.class, "the type variable T, which is not bound");
        refused(Empty.class, "no methods");
        refused(String.class, "not an interface");
    }

    private static void refused(Class<?> type, String why) {
        assertThatThrownBy(() -> InterfaceDescription.of(type))
                .isInstanceOf(UnfitInterface.class)
                .hasMessageContaining(why);
    }

    interface Before {
        record Value(int a, int b) {}

        void take(Before.Value v);
    }

    interface After {
        record Value(int b, int a) {}

        void take(After.Value v);
    }

    @Test
    void theHashKnowsNamesShapesAndOrder() {
        assertThat(InterfaceDescription.of(Zoo.class).hash())
                .isEqualTo(ZOO.hash())
                .isNotZero();
        assertThat(InterfaceDescription.of(Before.class).hash())
                .isNotEqualTo(InterfaceDescription.of(After.class).hash());
        String before = new CodecCompilerText(Before.class).text();
        String after = new CodecCompilerText(After.class).text();
        assertThat(before.replace("Before", "After"))
                .as("the order of components counts")
                .isNotEqualTo(after);
    }

    /** What the hash is made of for the one parameter of {@code take}. */
    private record CodecCompilerText(Class<?> type) {
        String text() {
            CodecCompiler compiler = new CodecCompiler();
            compiler.codec(type.getMethods()[0].getGenericParameterTypes()[0], Map.of());
            return compiler.definitions().toString();
        }
    }
}
