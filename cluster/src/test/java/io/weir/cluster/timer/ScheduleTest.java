package io.weir.cluster.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.base.Chance;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When timers fire. Clocks in Berlin skip 02:00 to 03:00 on 29 March 2026, and repeat it on 25 October 2026. */
@Tag("slow")
class ScheduleTest {
    private static final String BERLIN = "Europe/Berlin";

    private static List<String> firings(String schedule, String zone, String after, int count) {
        Schedule s = Schedule.parse(schedule, zone);
        List<String> all = new ArrayList<>();
        Instant t = Instant.parse(after);
        for (int i = 0; i < count; i++) {
            t = s.next(t).orElseThrow();
            all.add(t.toString());
        }
        return all;
    }

    private static String local(String schedule, String localAfter) {
        Schedule s = Schedule.parse(schedule, "UTC");
        return s.next(LocalDateTime.parse(localAfter).atZone(ZoneId.of("UTC")).toInstant())
                .orElseThrow()
                .toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/15 * * * *        | 2026-01-01T00:00:00 | 2026-01-01T00:15:00Z",
                "*/15 * * * *        | 2026-01-01T00:59:59 | 2026-01-01T01:00:00Z",
                "0 3 * * *           | 2026-01-01T03:00:00 | 2026-01-02T03:00:00Z",
                "0 3 * * *           | 2026-01-01T02:59:59 | 2026-01-01T03:00:00Z",
                "30 10 0 3 * *       | 2026-01-01T00:00:00 | 2026-01-03T00:10:30Z",
                "*/20 * * * * *      | 2026-01-01T00:00:40 | 2026-01-01T00:01:00Z",
                "5,7 8-9 * * *       | 2026-01-01T08:06:00 | 2026-01-01T08:07:00Z",
                "5,7 8-9 * * *       | 2026-01-01T09:07:00 | 2026-01-02T08:05:00Z",
                "10-50/20 * * * *    | 2026-01-01T00:10:00 | 2026-01-01T00:30:00Z",
                "40/10 * * * *       | 2026-01-01T00:00:00 | 2026-01-01T00:40:00Z",
                "0 0 1 * *           | 2026-01-31T00:00:00 | 2026-02-01T00:00:00Z",
                "0 0 31 * *          | 2026-01-31T00:00:00 | 2026-03-31T00:00:00Z",
                "0 0 L * *           | 2026-01-31T00:00:00 | 2026-02-28T00:00:00Z",
                "0 0 L 2 *           | 2028-01-01T00:00:00 | 2028-02-29T00:00:00Z",
                "0 0 29 2 *          | 2096-02-29T00:00:00 | 2104-02-29T00:00:00Z",
                "0 0 * JUN,dec *     | 2026-01-01T00:00:00 | 2026-06-01T00:00:00Z",
                "0 12 * * MON-FRI    | 2026-01-02T12:00:00 | 2026-01-05T12:00:00Z",
                "0 12 * * 0          | 2026-01-01T00:00:00 | 2026-01-04T12:00:00Z",
                "0 12 * * 7          | 2026-01-01T00:00:00 | 2026-01-04T12:00:00Z",
                "0 12 * * 5-7        | 2026-01-03T12:00:00 | 2026-01-04T12:00:00Z",
                "0 12 ? * SAT        | 2026-01-01T00:00:00 | 2026-01-03T12:00:00Z",
                "0 0 13 * FRI        | 2026-02-01T00:00:00 | 2026-02-06T00:00:00Z",
                "0 0 13 * FRI        | 2026-04-11T00:00:00 | 2026-04-13T00:00:00Z",
                "@hourly             | 2026-01-01T00:00:00 | 2026-01-01T01:00:00Z",
                "@daily              | 2026-01-01T00:00:00 | 2026-01-02T00:00:00Z",
                "@weekly             | 2026-01-01T00:00:00 | 2026-01-04T00:00:00Z",
                "@monthly            | 2026-01-01T00:00:00 | 2026-02-01T00:00:00Z",
                "@YEARLY             | 2026-01-01T00:00:00 | 2027-01-01T00:00:00Z",
                "every 30s           | 2026-01-01T00:00:07 | 2026-01-01T00:00:37Z",
                "every 1d2h3m4s      | 2026-01-01T00:00:00 | 2026-01-02T02:03:04Z",
                "every 1h 30m        | 2026-01-01T00:00:00 | 2026-01-01T01:30:00Z",
            })
    void theNextFiringFollows(String schedule, String after, String next) {
        assertThat(local(schedule, after)).isEqualTo(next);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 13 *",
                "* * * * 8",
                "* * * FOO *",
                "*/0 * * * *",
                "5-1 * * * *",
                "1,,2 * * * *",
                "-5 * * * *",
                "1- * * * *",
                "99999 * * * *",
                "* * ?L * *",
                "? * * * *",
                "0 0 30 2 *",
                "0 0 31 4,6 *",
                "every",
                "every ",
                "every 0s",
                "every 10",
                "every 1s1m",
                "every 999999d",
                "@never"
            })
    void whatIsNoScheduleIsRefusedWithAReason(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.parse(text, "UTC"))
                .withMessageMatching("(?s).{20,}");
    }

    @Test
    void aZoneThatIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.parse("* * * * *", "Mars/Olympus"))
                .withMessageContaining("Mars/Olympus");
    }

    @Test
    void aTimeThatDoesNotExistFiresAtTheEndOfTheGap() {
        assertThat(firings("30 2 * * *", BERLIN, "2026-03-27T12:00:00Z", 3))
                .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    }

    @Test
    void severalTimesOfOneGapFireOnce() {
        assertThat(firings("10,20,40 2,3 * * *", BERLIN, "2026-03-28T12:00:00Z", 3))
                .containsExactly("2026-03-29T01:00:00Z", "2026-03-29T01:10:00Z", "2026-03-29T01:20:00Z");
    }

    @Test
    void aTimeThatComesTwiceFiresAtItsFirstPass() {
        assertThat(firings("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
        assertThat(firings("30 2 * * *", BERLIN, "2026-10-25T00:45:00Z", 1))
                .as("asked between the passes")
                .containsExactly("2026-10-26T01:30:00Z");
    }

    @Test
    void aScheduleForEveryHourFollowsElapsedTime() {
        assertThat(firings("30 * * * *", BERLIN, "2026-03-29T00:00:00Z", 3))
                .as("no 02:30")
                .containsExactly("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "2026-03-29T02:30:00Z");
        assertThat(firings("30 * * * *", BERLIN, "2026-10-24T23:45:00Z", 3))
                .as("02:30 twice")
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z");
    }

    @Test
    void aMidnightThatDoesNotExistIsTheDaysFirstMoment() {
        assertThat(firings("0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", 2))
                .containsExactly("2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z");
        assertThat(firings("0 * * * *", "America/Sao_Paulo", "2018-11-04T02:00:00Z", 2))
                .containsExactly("2018-11-04T03:00:00Z", "2018-11-04T04:00:00Z");
    }

    @Test
    void aChangeOfHalfAnHourIsFollowedToo() {
        assertThat(firings("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2))
                .as("02:00 to 02:30 is skipped")
                .containsExactly("2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z");
    }

    @Test
    void aDayThatDoesNotExistAnywhereIsSkippedByADailyScheduleWithoutHarm() {
        assertThat(firings("0 12 * * *", "Pacific/Apia", "2011-12-28T00:00:00Z", 3))
                .as("30 December 2011 was none in Samoa: its noon is the gap's end")
                .containsExactly("2011-12-28T22:00:00Z", "2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z");
    }

    @Test
    void intervalsDoNotMindWhatClocksOnWallsDo() {
        assertThat(firings("every 24h", BERLIN, "2026-03-28T11:00:00Z", 2))
                .containsExactly("2026-03-29T11:00:00Z", "2026-03-30T11:00:00Z");
    }

    @Test
    void whatIsDueAreTheLatest() {
        Instant from = Instant.parse("2020-01-01T00:00:00Z");
        Instant to = Instant.parse("2026-01-01T00:00:30Z");
        assertThat(Schedule.parse("* * * * * *", "UTC").due(from, to, 3))
                .containsExactly(to.minusSeconds(2), to.minusSeconds(1), to);
        assertThat(Schedule.parse("every 10s", "UTC").due(from, to, 2)).containsExactly(to.minusSeconds(10), to);
        assertThat(Schedule.parse("0 0 1 1 *", "UTC").due(from, to, 100)).hasSize(6);
        assertThat(Schedule.parse("0 0 1 1 *", "UTC").due(from, to, 2))
                .containsExactly(Instant.parse("2025-01-01T00:00:00Z"), Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(Schedule.parse("every 10s", "UTC").due(to, from, 2)).isEmpty();
        assertThat(Schedule.parse("* * * * *", "UTC").due(to, from, 2)).isEmpty();
        assertThat(Schedule.parse("every 10s", "UTC").due(from, from.plusSeconds(9), 2))
                .isEmpty();
    }

    /** Against the simplest program that could be right: every second looked at, by what the wall shows. */
    @Test
    void itAgreesWithLookingAtEverySecond() {
        RandomGenerator r = Chance.seeded(11).random();
        List<String> zones = List.of("UTC", BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu");
        for (int i = 0; i < 60; i++) {
            String text = "" + r.nextInt(60) + "," + r.nextInt(60) + " " + "*/" + (1 + r.nextInt(30)) + " * "
                    + (r.nextBoolean() ? "*" : "1-20/" + (1 + r.nextInt(3))) + " * " + (r.nextBoolean() ? "*" : "2-6");
            CronSchedule s = (CronSchedule) Schedule.parse(text, zones.get(r.nextInt(zones.size())));
            long start = Instant.parse(r.nextBoolean() ? "2026-03-28T20:00:00Z" : "2026-10-24T20:00:00Z")
                            .getEpochSecond()
                    + r.nextInt(86_400);
            Instant after = Instant.ofEpochSecond(start);
            Instant next = s.next(after).orElseThrow();
            Instant limit = next.isBefore(after.plusSeconds(40_000)) ? next : after.plusSeconds(40_000);
            for (Instant t = after.plusSeconds(1); t.isBefore(limit); t = t.plusSeconds(1)) {
                assertThat(fires(s, t))
                        .as(text + " in " + s.zone() + " at " + t)
                        .isFalse();
            }
            assertThat(fires(s, next))
                    .as(text + " in " + s.zone() + " at " + next)
                    .isTrue();
        }
    }

    private static boolean fires(CronSchedule s, Instant t) {
        ZonedDateTime z = t.atZone(s.zone());
        boolean byDay = s.day().has(z.getDayOfMonth());
        boolean byWeekday = s.weekday().has(z.getDayOfWeek().getValue() % 7);
        boolean date = (s.day().every() || s.weekday().every()) ? (byDay && byWeekday) : (byDay || byWeekday);
        return date
                && s.second().has(z.getSecond())
                && s.minute().has(z.getMinute())
                && s.hour().has(z.getHour())
                && s.month().has(z.getMonthValue());
    }
}
