package io.weir.http.semantics;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 5.6.7, RFC 9111 4.2. */
class HttpDateTest {

    private static final long NOW = Instant.parse("2026-11-21T20:00:00Z").getEpochSecond();
    private static final DateTimeFormatter FIXDATE = format("EEE, dd MMM yyyy HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = format("EEE MMM ppd HH:mm:ss yyyy");
    private static final DateTimeFormatter RFC850 = format("EEEE, dd-MMM-yy HH:mm:ss 'GMT'");

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "SUN, 06 nov 1994 08:49:37 gmt",
                "sunday, 06-NOV-94 08:49:37 Gmt",
                "Mon, 06 Nov 1994 08:49:37 GMT"
            })
    void allThreeFormsMeanTheSameSecondInAnyCase(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(784_111_777L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "foo",
                "Thu, 18 Aug 2050 02:01:18 UTC",
                "Thu, 18 Aug 2050 02:01:18 +0000",
                "Thu, 18 Aug 2050 02:01:18",
                "Thu, 18 Aug 50 02:01:18 GMT",
                "Thu 18 Aug 2050 02:01:18 GMT",
                "Thu, 18  Aug  2050 02:01:18 GMT",
                "Thu, 18-Aug-2050 02:01:18 GMT",
                "Thu, 18 Aug 2050 02.01.18 GMT",
                "Thu, 18 Aug 2050 2:01:18 GMT",
                "Thu, 8 Aug 2050 02:01:18 GMT",
                "Thu, 18 Aug 2050 24:01:18 GMT",
                "Thu, 18 Aug 2050 02:60:18 GMT",
                "Thu, 18 Aug 2050 02:01:61 GMT",
                "Thu, 00 Aug 2050 02:01:18 GMT",
                "Thu, 31 Sep 2050 02:01:18 GMT",
                "Thu, 29 Feb 2050 02:01:18 GMT",
                "Thu, 29 Feb 2100 02:01:18 GMT",
                "Xyz, 18 Aug 2050 02:01:18 GMT",
                "Thu, 18 Xyz 2050 02:01:18 GMT",
                "Thu, 18 Aug 2050 02:01:18 GMT ",
                " Thu, 18 Aug 2050 02:01:18 GMT",
                "Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:18 GMT",
                "Thu, 18 Aug 2050 -2:01:18 GMT",
                "Thu,  8 Aug 2050 02:01:18 GMT",
                "Thursday, 18 Aug 2050 02:01:18 GMT",
                "Thursday, 18-Aug-2050 02:01:18 GMT",
                "Thur, 18-Aug-50 02:01:18 GMT",
                "Thu Aug 18 02:01:18 2050 GMT",
                "Thu Aug  0 02:01:18 2050",
                "Sun Nov 6 08:49:37 1994",
                "2050-08-18T02:01:18Z"
            })
    void everythingElseIsInvalid(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(HttpDate.INVALID);
    }

    @Test
    void anAbsentDateIsInvalid() {
        assertThat(HttpDate.parse(null, NOW)).isEqualTo(HttpDate.INVALID);
    }

    @Test
    void aLeapSecondCountsAsTheSecondBeforeIt() {
        assertThat(HttpDate.parse("Sat, 31 Dec 2016 23:59:60 GMT", NOW))
                .isEqualTo(HttpDate.parse("Sat, 31 Dec 2016 23:59:59 GMT", NOW));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T20:00:00Z, 26, 2026",
        "2026-11-21T20:00:00Z, 76, 2076",
        "2026-11-21T20:00:00Z, 77, 1977",
        "2026-11-21T20:00:00Z, 99, 1999",
        "2026-11-21T20:00:00Z, 00, 2000",
        "1999-12-31T23:59:59Z, 05, 2005",
        "1999-12-31T23:59:59Z, 50, 1950",
        "1999-12-31T23:59:59Z, 49, 2049",
        "2076-01-01T00:00:00Z, 26, 2126",
        "2075-01-01T00:00:00Z, 26, 2026",
    })
    void twoDigitsNeverMeanMoreThanFiftyYearsAhead(String now, String digits, int year) {
        long parsed = HttpDate.parse(
                "Sunday, 01-Jan-" + digits + " 00:00:00 GMT", Instant.parse(now).getEpochSecond());
        assertThat(Instant.ofEpochSecond(parsed).atOffset(ZoneOffset.UTC).getYear())
                .isEqualTo(year);
    }

    @Test
    void fiftyYearsToTheSecondIsAheadAndOneMoreIsThePast() {
        long now = Instant.parse("2026-06-15T12:00:00Z").getEpochSecond();
        assertThat(Instant.ofEpochSecond(HttpDate.parse("Monday, 15-Jun-76 12:00:00 GMT", now)))
                .isEqualTo(Instant.parse("2076-06-15T12:00:00Z"));
        assertThat(Instant.ofEpochSecond(HttpDate.parse("Monday, 15-Jun-76 12:00:01 GMT", now)))
                .isEqualTo(Instant.parse("1976-06-15T12:00:01Z"));
    }

    @Test
    void agreesWithJavaTimeOnTenThousandDates() {
        var random = Chance.seeded(91).random();
        long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
        for (int i = 0; i < 10_000; i++) {
            long time = random.nextLong(-62_135_596_800L, last + 1);
            Instant instant = Instant.ofEpochSecond(time);
            assertThat(HttpDate.format(time)).isEqualTo(FIXDATE.format(instant));
            assertThat(HttpDate.parse(FIXDATE.format(instant), NOW)).isEqualTo(time);
            assertThat(HttpDate.parse(ASCTIME.format(instant), NOW)).isEqualTo(time);
        }
    }

    @Test
    void agreesWithJavaTimeOnTheOldFormWithinItsWindow() {
        var random = Chance.seeded(92).random();
        for (int i = 0; i < 10_000; i++) {
            long time = random.nextLong(NOW - 49L * 31_557_600, NOW + 49L * 31_557_600);
            assertThat(HttpDate.parse(RFC850.format(Instant.ofEpochSecond(time)), NOW))
                    .isEqualTo(time);
        }
    }

    @Test
    void everyDayOfTheCenturyIsFormattedRight() {
        LocalDateTime day = LocalDateTime.of(1999, 12, 31, 1, 2, 3);
        for (int i = 0; i < 36_600; i++) {
            LocalDateTime at = day.plusDays(i);
            assertThat(HttpDate.format(at.toEpochSecond(ZoneOffset.UTC)))
                    .isEqualTo(FIXDATE.format(at.atOffset(ZoneOffset.UTC)));
        }
    }

    @Test
    void timesThatFourDigitsCannotHoldAreClamped() {
        assertThat(HttpDate.format(Long.MAX_VALUE)).isEqualTo("Fri, 31 Dec 9999 23:59:59 GMT");
        assertThat(HttpDate.format(Long.MIN_VALUE)).isEqualTo("Sat, 01 Jan 0000 00:00:00 GMT");
    }

    @Test
    void theCacheFormatsOncePerSecondAndNeverLags() {
        DateCache cache = new DateCache();
        byte[] first = cache.at(784_111_777_000L);
        assertThat(new String(first, US_ASCII)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
        assertThat(cache.at(784_111_777_999L)).isSameAs(first);
        assertThat(new String(cache.at(784_111_778_000L), US_ASCII)).isEqualTo("Sun, 06 Nov 1994 08:49:38 GMT");
        assertThat(new String(cache.at(-1), US_ASCII)).isEqualTo("Wed, 31 Dec 1969 23:59:59 GMT");
    }

    @Test
    void theCacheWritesTwentyNineBytes() {
        var out = io.netty.buffer.Unpooled.buffer(HttpDate.LENGTH);
        try {
            new DateCache().writeTo(out, 0);
            assertThat(out.toString(US_ASCII)).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
        } finally {
            out.release();
        }
    }
}
