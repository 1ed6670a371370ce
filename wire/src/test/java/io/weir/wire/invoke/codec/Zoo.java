package io.weir.wire.invoke.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An interface with one of every type that calls carry. */
interface Zoo extends Stable<String> {
    enum Colour {
        RED,
        GREEN {
            @Override
            int shade() {
                return 2;
            }
        };

        int shade() {
            return 1;
        }
    }

    record Point(int x, int y) {
        public Point {
            if (x == 13) {
                throw new IllegalArgumentException("13 brings bad luck");
            }
        }
    }

    record Pair<A, B>(A first, B second) {}

    /** A type that contains itself. */
    record Tree(
            @Nullable String name,
            @Nullable List<Tree> children,
            @Nullable Tree favourite) {}

    record Nothing() {}

    sealed interface Form permits Circle, Box, Odd {}

    record Circle(Point middle, double radius) implements Form {}

    record Box(Point corner, Point opposite) implements Form {}

    enum Odd implements Form {
        EMPTY,
        ENDLESS
    }

    sealed interface Outcome<T> permits Done, Broken {}

    record Done<T>(T value) implements Outcome<T> {}

    record Broken<X>(String why) implements Outcome<X> {}

    record Scalars(
            boolean a,
            byte b,
            short c,
            char d,
            int e,
            long f,
            float g,
            double h,
            Boolean i,
            Byte j,
            Short k,
            Character l,
            Integer m,
            Long n,
            Float o,
            Double p,
            String q,
            BigInteger r,
            BigDecimal s,
            UUID t,
            OptionalInt u,
            OptionalLong v,
            OptionalDouble w) {}

    record Dates(
            Instant a,
            Duration b,
            Period c,
            LocalDate d,
            LocalTime e,
            LocalDateTime f,
            ZoneOffset g,
            ZoneId h,
            OffsetTime i,
            OffsetDateTime j,
            ZonedDateTime k,
            Year l,
            YearMonth m,
            MonthDay n,
            DayOfWeek o) {}

    int scalars(Scalars all);

    Dates dates(Dates all);

    void primitives(boolean a, byte b, short c, char d, int e, long f, float g, double h);

    @Nullable
    String text(@Nullable String text);

    Form form(Form form);

    Outcome<Point> outcome(Outcome<Point> outcome);

    Tree tree(Tree tree);

    Map<Colour, List<Pair<String, Optional<Integer>>>> nested(Map<Colour, List<Pair<String, Optional<Integer>>>> all);

    Set<Point> set(Set<Point> set);

    Collection<? extends Form> wild(Collection<? extends Form> all);

    int[] ints(int[] all);

    byte[] bytes(byte[] all);

    Point[][] grid(Point[][] all);

    List<String>[] lists(List<String>[] all);

    Nothing nothing(Nothing nothing);

    List<Nothing> nothings(List<Nothing> all);
}
