package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
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

/** The codecs of java.time types, which themselves reject values out of range. Stateless. */
final class Times {
    private static final int LONGEST_ZONE = 100;
    private static final int NANOS = 1_000_000_000;

    private Times() {}

    static void declare(Scalars.Declaring to) {
        to.value(Instant.class, (out, v) -> out.writeLong(v.getEpochSecond()).writeInt(v.getNano()), Times::instant);
        to.value(Duration.class, (out, v) -> out.writeLong(v.getSeconds()).writeInt(v.getNano()), Times::duration);
        to.value(
                Period.class,
                (out, v) -> out.writeInt(v.getYears()).writeInt(v.getMonths()).writeInt(v.getDays()),
                in -> Period.of(WireReader.i32(in), WireReader.i32(in), WireReader.i32(in)));
        to.value(LocalDate.class, Times::date, Times::date);
        to.value(LocalTime.class, Times::time, Times::time);
        to.value(LocalDateTime.class, Times::dateTime, Times::dateTime);
        to.value(ZoneOffset.class, Times::offset, Times::offset);
        to.value(ZoneId.class, Times::zone, Times::zone);
        to.value(
                OffsetTime.class,
                (out, v) -> {
                    time(out, v.toLocalTime());
                    offset(out, v.getOffset());
                },
                in -> OffsetTime.of(time(in), offset(in)));
        to.value(
                OffsetDateTime.class,
                (out, v) -> {
                    dateTime(out, v.toLocalDateTime());
                    offset(out, v.getOffset());
                },
                in -> OffsetDateTime.of(dateTime(in), offset(in)));
        to.value(
                ZonedDateTime.class,
                (out, v) -> {
                    dateTime(out, v.toLocalDateTime());
                    offset(out, v.getOffset());
                    zone(out, v.getZone());
                },
                in -> ZonedDateTime.ofInstant(dateTime(in), offset(in), zone(in)));
        to.value(Year.class, (out, v) -> out.writeInt(v.getValue()), in -> Year.of(WireReader.i32(in)));
        to.value(
                YearMonth.class,
                (out, v) -> out.writeInt(v.getYear()).writeByte(v.getMonthValue()),
                in -> YearMonth.of(WireReader.i32(in), WireReader.u8(in)));
        to.value(
                MonthDay.class,
                (out, v) -> out.writeByte(v.getMonthValue()).writeByte(v.getDayOfMonth()),
                in -> MonthDay.of(WireReader.u8(in), WireReader.u8(in)));
    }

    private static int nanos(ByteBuf in) {
        int nanos = WireReader.i32(in);
        if (nanos < 0 || nanos >= NANOS) {
            throw new CodecFault(nanos + " nanoseconds of a second");
        }
        return nanos;
    }

    private static Instant instant(ByteBuf in) {
        return Instant.ofEpochSecond(WireReader.i64(in), nanos(in));
    }

    private static Duration duration(ByteBuf in) {
        return Duration.ofSeconds(WireReader.i64(in), nanos(in));
    }

    private static void date(ByteBuf out, LocalDate v) {
        out.writeLong(v.toEpochDay());
    }

    private static LocalDate date(ByteBuf in) {
        return LocalDate.ofEpochDay(WireReader.i64(in));
    }

    private static void time(ByteBuf out, LocalTime v) {
        out.writeLong(v.toNanoOfDay());
    }

    private static LocalTime time(ByteBuf in) {
        return LocalTime.ofNanoOfDay(WireReader.i64(in));
    }

    private static void dateTime(ByteBuf out, LocalDateTime v) {
        date(out, v.toLocalDate());
        time(out, v.toLocalTime());
    }

    private static LocalDateTime dateTime(ByteBuf in) {
        return LocalDateTime.of(date(in), time(in));
    }

    private static void offset(ByteBuf out, ZoneOffset v) {
        out.writeInt(v.getTotalSeconds());
    }

    private static ZoneOffset offset(ByteBuf in) {
        return ZoneOffset.ofTotalSeconds(WireReader.i32(in));
    }

    private static void zone(ByteBuf out, ZoneId v) {
        WireWriter.text(out, v.getId());
    }

    private static ZoneId zone(ByteBuf in) {
        return ZoneId.of(WireReader.text(in, LONGEST_ZONE));
    }
}
