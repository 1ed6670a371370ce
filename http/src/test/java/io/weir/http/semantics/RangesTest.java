package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.http.semantics.Ranges.Parts;
import io.weir.http.semantics.Ranges.Resolved;
import io.weir.http.semantics.Ranges.Span;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 14. */
class RangesTest {

    private static String resolved(String value, long length) {
        Ranges ranges = Ranges.parse(value);
        if (ranges == null) {
            return "ignored";
        }
        Resolved resolved = ranges.resolve(length);
        return switch (resolved) {
            case Ranges.Whole whole -> "whole";
            case Ranges.Unsatisfiable none -> "416";
            case Parts parts ->
                String.join(
                        " ",
                        parts.spans().stream()
                                .map(s -> s.first() + "-" + s.last())
                                .toList());
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-499          | 10000 | 0-499",
                "bytes=500-999        | 10000 | 500-999",
                "bytes=-500           | 10000 | 9500-9999",
                "bytes=9500-          | 10000 | 9500-9999",
                "bytes=0-0,-1         | 10000 | 0-0 9999-9999",
                "bytes=-1,0-0         | 10000 | 9999-9999 0-0",
                "bytes=0-             | 1     | 0-0",
                "bytes=0-99999        | 10    | 0-9",
                "bytes=-99999         | 10    | 0-9",
                "BYTES=0-1            | 10    | 0-1",
                "bytes= 0-1 , 200-201 | 1000  | 0-1 200-201",
                "bytes=0-1,,200-201,  | 1000  | 0-1 200-201",
                "bytes=00000-0001     | 10    | 0-1",
                "bytes=0-1,9999-      | 1000  | 0-1",
                "bytes=0-99999999999999999999999999 | 10 | 0-9",
                "bytes=-99999999999999999999999999  | 10 | 0-9",
            })
    void satisfiableRangesBecomeParts(String value, long length, String expected) {
        assertThat(resolved(value, length)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=10-     | 10",
                "bytes=10-20   | 10",
                "bytes=-0      | 10",
                "bytes=-0,99-  | 10",
                "bytes=0-      | 0",
                "bytes=0-0     | 0",
                "bytes=-0      | 0",
                "bytes=99999999999999999999999999- | 10",
            })
    void rangesThatReachNothingAre416(String value, long length) {
        assertThat(resolved(value, length)).isEqualTo("416");
    }

    @Test
    void aSuffixOfNothingIsTheWholeOfIt() {
        assertThat(resolved("bytes=-5", 0)).isEqualTo("whole");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=,",
                "bytes=-",
                "bytes=a-b",
                "bytes=1-0",
                "bytes=5",
                "bytes=1-2-3",
                "bytes=0x1-2",
                "bytes=0-1;x",
                "bytes=0 -1",
                "bytes=0- 1",
                "bytes = 0-1",
                "bytes 0-1",
                "items=0-1",
                "bytes=0-1,x",
                "bytes=--1",
                "bytes=+0-1",
                "bytes=0-1, 3-2",
                "octets=0-1",
                "bytes=0-1 200-201",
                "bytes=\"0-1\""
            })
    void malformedOrForeignRangesAreIgnored(String value) {
        assertThat(Ranges.parse(value)).isNull();
    }

    @Test
    void noFieldIsNoRange() {
        assertThat(Ranges.parse(null)).isNull();
    }

    @Test
    void rangesThatOverlapOrNearlyTouchBecomeOne() {
        assertThat(resolved("bytes=0-100,50-150", 1000)).isEqualTo("0-150");
        assertThat(resolved("bytes=500-600,0-10,11-20", 1000)).isEqualTo("0-20 500-600");
        assertThat(resolved("bytes=0-10,90-99", 1000)).isEqualTo("0-99");
        assertThat(resolved("bytes=0-10,91-99", 1000)).isEqualTo("0-10 91-99");
        assertThat(resolved("bytes=0-,0-,0-", 1000)).isEqualTo("0-999");
        assertThat(resolved("bytes=0-900,5-6", 1000)).isEqualTo("0-900");
    }

    @Test
    void sixteenRangesAreServedAndSeventeenIgnored() {
        StringBuilder value = new StringBuilder("bytes=0-0");
        for (int i = 1; i < Ranges.MAX_SPECS; i++) {
            value.append(',').append(i * 1000).append('-').append(i * 1000);
        }
        assertThat(Ranges.parse(value.toString())).isNotNull();
        assertThat(resolved(value.toString(), 100_000).split(" ")).hasSize(Ranges.MAX_SPECS);
        assertThat(Ranges.parse(value + ",99999-")).isNull();
    }

    @Test
    void partsNeverSendMoreBytesThanThereAre() {
        var random = Chance.seeded(14).random();
        for (int round = 0; round < 2000; round++) {
            long length = random.nextLong(0, 500);
            StringBuilder value = new StringBuilder("bytes=");
            for (int i = random.nextInt(1, 17); i > 0; i--) {
                long first = random.nextLong(0, 600);
                value.append(random.nextBoolean() ? "-" + first : first + "-" + (first + random.nextLong(0, 50)))
                        .append(',');
            }
            Ranges ranges = Ranges.parse(value.toString());
            assertThat(ranges).isNotNull();
            if (ranges != null && ranges.resolve(length) instanceof Parts parts) {
                assertDisjointWithin(parts.spans(), length);
            }
        }
    }

    private static void assertDisjointWithin(List<Span> spans, long length) {
        assertThat(spans.stream().mapToLong(Span::length).sum()).isPositive().isLessThanOrEqualTo(length);
        List<Span> sorted =
                spans.stream().sorted(Comparator.comparingLong(Span::first)).toList();
        assertThat(sorted.getLast().last()).isLessThan(length);
        for (int i = 1; i < sorted.size(); i++) {
            assertThat(sorted.get(i).first()).isGreaterThan(sorted.get(i - 1).last() + Ranges.MIN_GAP - 1);
        }
    }

    @Test
    void contentRangeNamesPositionsAndLength() {
        assertThat(new Span(42, 1233).contentRange(1234)).isEqualTo("bytes 42-1233/1234");
        assertThat(new Span(42, 1233).length()).isEqualTo(1192);
        assertThat(Ranges.unsatisfied(47022)).isEqualTo("bytes */47022");
        assertThatThrownBy(() -> new Span(2, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
