package io.weir.proxy.accesslog;

import io.weir.base.Clock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time as records have it, made once a second. Confined to a lane. */
final class LogClock {
    // %d/%b/%Y:%H:%M:%S and the offset from GMT: the seed's SYSDATE
    private static final DateTimeFormatter SYSDATE =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private final Clock clock;
    private final ZoneId zone;
    private long second = Long.MIN_VALUE;
    private byte[] text = {};

    LogClock(Clock clock, ZoneId zone) {
        this.clock = clock;
        this.zone = zone;
    }

    void write(boolean seconds, LogText out) {
        long now = Math.floorDiv(clock.millis(), 1000L);
        if (seconds) {
            out.append(now);
            return;
        }
        if (now != second) {
            second = now;
            text = SYSDATE.format(Instant.ofEpochSecond(now).atZone(zone)).getBytes(StandardCharsets.US_ASCII);
        }
        out.literal(text);
    }
}
