package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time as written in records, formatted once a second. Confined to a lane. */
final class LogClock {
    /** Formats of the time, by the Sun proxy's names. */
    enum Form {
        /** {@code 22/Nov/2026:06:01:02 +0100}. */
        SYSDATE,
        /** {@code Sun Nov 22 06:01:02 2026}, as in the C locale. */
        LOCALEDATE,
        /** Seconds since the epoch. */
        TIME,
        /** Seconds since the log was opened. */
        RELATIVETIME,
        /** {@code 2026-11-22T05:01:02.345Z}, for JSON. */
        ISO
    }

    // %d/%b/%Y:%H:%M:%S and the offset from GMT: the Sun proxy's SYSDATE
    static final DateTimeFormatter SYSDATE = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private static final DateTimeFormatter LOCALEDATE =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ENGLISH);
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Clock clock;
    private final long opened;
    private final Text sysdate;
    private final Text localedate;
    private final Text iso;

    /** A formatted time, cached for its second. */
    private static final class Text {
        private final DateTimeFormatter form;
        private long second = Long.MIN_VALUE;
        private byte[] bytes = {};

        Text(DateTimeFormatter form) {
            this.form = form;
        }

        byte[] at(long now) {
            if (now != second) {
                second = now;
                bytes = form.format(Instant.ofEpochSecond(now)).getBytes(StandardCharsets.US_ASCII);
            }
            return bytes;
        }
    }

    LogClock(Clock clock, ZoneId zone) {
        this.clock = clock;
        this.opened = Math.floorDiv(clock.millis(), 1000L);
        this.sysdate = new Text(SYSDATE.withZone(zone));
        this.localedate = new Text(LOCALEDATE.withZone(zone));
        this.iso = new Text(ISO);
    }

    void write(Form form, RecordText out) {
        long millis = clock.millis();
        long now = Math.floorDiv(millis, 1000L);
        switch (form) {
            case TIME -> out.append(now);
            case RELATIVETIME -> out.append(now - opened);
            case SYSDATE -> out.literal(sysdate.at(now));
            case LOCALEDATE -> out.literal(localedate.at(now));
            case ISO -> {
                out.literal(iso.at(now));
                int rest = (int) Math.floorMod(millis, 1000L);
                out.append('.').append((char) ('0' + rest / 100)).append((char) ('0' + rest / 10 % 10));
                out.append((char) ('0' + rest % 10)).append('Z');
            }
        }
    }
}
