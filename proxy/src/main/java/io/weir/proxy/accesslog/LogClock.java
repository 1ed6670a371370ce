package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time as records have it, made once a second. Confined to a lane. */
final class LogClock {
    /** How a time is written, by the seed's names. */
    enum Form {
        /** {@code 22/Nov/2026:06:01:02 +0100}. */
        SYSDATE,
        /** {@code Sun Nov 22 06:01:02 2026}, as the C locale has it. */
        LOCALEDATE,
        /** Seconds since the epoch. */
        TIME,
        /** Seconds since the log was opened. */
        RELATIVETIME,
        /** {@code 2026-11-22T05:01:02.345Z}, for JSON. */
        ISO
    }

    // %d/%b/%Y:%H:%M:%S and the offset from GMT: the seed's SYSDATE
    static final DateTimeFormatter SYSDATE = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private static final DateTimeFormatter LOCALEDATE =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ENGLISH);
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Clock clock;
    private final ZoneId zone;
    private final long opened;
    private final long[] seconds = new long[Form.values().length];
    private final byte[][] texts = new byte[seconds.length][];

    LogClock(Clock clock, ZoneId zone) {
        this.clock = clock;
        this.zone = zone;
        this.opened = Math.floorDiv(clock.millis(), 1000L);
        for (int i = 0; i < texts.length; i++) {
            texts[i] = new byte[0];
            seconds[i] = Long.MIN_VALUE;
        }
    }

    void write(Form form, LogText out) {
        long millis = clock.millis();
        long now = Math.floorDiv(millis, 1000L);
        switch (form) {
            case TIME -> out.append(now);
            case RELATIVETIME -> out.append(now - opened);
            case SYSDATE, LOCALEDATE -> out.literal(text(form, now));
            case ISO -> {
                out.literal(text(form, now));
                int rest = (int) Math.floorMod(millis, 1000L);
                out.append('.').append((char) ('0' + rest / 100)).append((char) ('0' + rest / 10 % 10));
                out.append((char) ('0' + rest % 10)).append('Z');
            }
        }
    }

    private byte[] text(Form form, long now) {
        int i = form.ordinal();
        if (now != seconds[i]) {
            seconds[i] = now;
            DateTimeFormatter as = form == Form.SYSDATE ? SYSDATE : form == Form.ISO ? ISO : LOCALEDATE;
            texts[i] = as.format(Instant.ofEpochSecond(now).atZone(form == Form.ISO ? ZoneOffset.UTC : zone))
                    .getBytes(StandardCharsets.US_ASCII);
        }
        return texts[i];
    }
}
