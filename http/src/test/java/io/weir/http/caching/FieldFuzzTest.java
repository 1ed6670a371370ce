package io.weir.http.caching;

import static io.weir.http.semantics.Lines.fields;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.caching.Freshness.Heuristic;
import io.weir.http.semantics.Conditionals;
import io.weir.http.semantics.EntityTags;
import io.weir.http.semantics.Forwarded;
import io.weir.http.semantics.Hops;
import io.weir.http.semantics.HttpDate;
import io.weir.http.semantics.MaxForwards;
import io.weir.http.semantics.Paths;
import io.weir.http.semantics.Ranges;
import io.weir.http.semantics.UriTarget;
import io.weir.http.semantics.Via;
import io.weir.http.structured.Member;
import io.weir.http.structured.StructuredParser;
import io.weir.http.structured.StructuredSerializer;
import io.weir.http.structured.StructuredSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fuzzes every reader of field values: whatever comes, none throws anything undeclared, and what they return holds its
 * invariants. Seeds that once found a bug stay; values that did stand in {@code fuzz/field-values.txt}.
 */
@Tag("slow")
class FieldFuzzTest {

    private static final long NOW = 1_800_000_000L;
    private static final String NASTY = ",;=\"\\()[]<>*/?#%@:' \t\u00ff\u007f-+.~0129aAzZW";
    private static final List<String> CORPUS = corpus();

    private static List<String> corpus() {
        try (InputStream in = FieldFuzzTest.class.getResourceAsStream("/fuzz/field-values.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static Stream<String> kept() {
        return CORPUS.stream();
    }

    @ParameterizedTest
    @MethodSource("kept")
    void keptValuesHoldTheInvariants(String value) {
        check(value);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 9111, 9110, 9651, 20261121})
    void brokenValuesHoldTheInvariants(long seed) {
        rounds(seed, 4_000);
    }

    @Test
    @Tag("nightly")
    void hundredsOfSeedsHoldTheInvariants() {
        for (long seed = 1_000; seed < 1_300; seed++) {
            rounds(seed, 4_000);
        }
    }

    /** Sixty thousand characters of each: a reader that goes back over its input would not finish. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "\"",
                "\\",
                "(",
                "a,",
                "a=\",",
                "\"a\",",
                "W/\"",
                "0-1,",
                "-1,",
                "../",
                "%2e%2e/",
                "/..",
                "a;",
                "a=(",
                ":a",
                "1.1 (,",
                "1.1 a(,",
                "max-age=1,",
                "no-cache=\"a\",",
                "a.",
                "\"\\\"",
                "%\"",
                " ",
                "a b,",
                "(,)",
                "[",
                "::",
                "?",
                "a (b), "
            })
    void longValuesAreReadInOneGo(String piece) {
        String value = piece.repeat(60_000 / piece.length());
        check(value);
        check("bytes=" + value);
        check("http://a/" + value);
        check("http://" + value);
    }

    private static void rounds(long seed, int rounds) {
        RandomGenerator random = Chance.seeded(seed).random();
        for (int i = 0; i < rounds; i++) {
            String value = broken(random);
            try {
                check(value);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ", round " + i + ": <" + value + ">", e);
            }
        }
    }

    private static String broken(RandomGenerator random) {
        StringBuilder value = new StringBuilder(any(random));
        for (int n = random.nextInt(1, 6); n > 0; n--) {
            int at = random.nextInt(value.length() + 1);
            int to = Math.min(value.length(), at + random.nextInt(6));
            switch (random.nextInt(5)) {
                case 0 -> value.delete(at, to);
                case 1 -> value.insert(at, NASTY.charAt(random.nextInt(NASTY.length())));
                case 2 -> value.insert(at, value.substring(at, to));
                case 3 -> value.insert(at, any(random));
                default -> value.replace(at, to, String.valueOf(NASTY.charAt(random.nextInt(NASTY.length()))));
            }
        }
        return value.toString();
    }

    private static String any(RandomGenerator random) {
        return CORPUS.get(random.nextInt(CORPUS.size()));
    }

    private static void check(String value) {
        checkCacheControl(value);
        checkDates(value);
        checkValidators(value);
        checkRanges(value);
        checkVary(value);
        checkHops(value);
        checkTargets(value);
        checkStructured(value);
    }

    private static void checkCacheControl(String value) {
        CacheControl control = CacheControl.parse(value);
        assertThat(Stream.of(control.maxAge(), control.sMaxAge(), control.minFresh(), control.staleIfError()))
                .allMatch(seconds -> seconds >= CacheControl.ABSENT && seconds <= 1L << 31);
        CacheControl more = CacheControl.parse(value + ", no-store, private");
        assertThat((more.noStore() && more.isPrivate()) || more.malformed()).isTrue();
        assertThat(more.malformed()).isEqualTo(control.malformed());
        assertThat(CacheControl.parse(value + ", max-age=1, max-age=2").maxAge())
                .isZero();
        assertThat(control.noCacheFields()).hasSizeLessThanOrEqualTo(CacheControlParser.MAX_FIELD_NAMES);
        Fields response = fields("Cache-Control: x", "Age: 0");
        Freshness freshness = Freshness.of(200, control, response, NOW * 1000, NOW * 1000, Heuristic.DEFAULT);
        assertThat(freshness.lifetime()).isNotNegative();
        assertThat(freshness.reuse(NOW * 1000, control)).isNotNull();
        assertThat(Freshness.ageValue(value)).isBetween(0L, 1L << 31);
        assertThat(MaxForwards.next(Method.TRACE, value)).isGreaterThanOrEqualTo(MaxForwards.ANSWER_HERE);
    }

    private static void checkDates(String value) {
        long parsed = HttpDate.parse(value, NOW);
        if (parsed != HttpDate.INVALID) {
            assertThat(HttpDate.parse(HttpDate.format(parsed), NOW)).isEqualTo(parsed);
        }
    }

    private static void checkValidators(String value) {
        boolean valid = EntityTags.isValid(value);
        assertThat(EntityTags.weakMatch(value, value)).isEqualTo(valid);
        assertThat(EntityTags.anyMatch(value, "\"abc\"", false)).isIn(true, false);
        assertThat(valid && !EntityTags.anyMatch(value, value, false)).isFalse();
        if (value.chars().noneMatch(c -> c == 0x7f)) {
            Fields request = fields("If-None-Match: " + value, "If-Range: " + value);
            Fields stored = fields("ETag: \"abc\"", "Last-Modified: " + value);
            assertThat(Conditionals.byCache(Method.GET, 200, request, stored, NOW, NOW))
                    .isNotNull();
            assertThat(Conditionals.rangeApplies(request, stored, NOW)).isIn(true, false);
        }
    }

    private static void checkRanges(String value) {
        Ranges ranges = Ranges.parse(value);
        for (long length : new long[] {0, 1, 1000, Long.MAX_VALUE}) {
            if (ranges != null && ranges.resolve(length) instanceof Ranges.Parts parts) {
                assertThat(parts.spans()).isNotEmpty().hasSizeLessThanOrEqualTo(Ranges.MAX_SPECS);
                assertThat(parts.spans()).allMatch(span -> span.first() <= span.last() && span.last() < length);
            }
        }
    }

    private static void checkVary(String value) {
        Vary vary = Vary.parse(value);
        assertThat(vary.names()).hasSizeLessThanOrEqualTo(Vary.MAX_NAMES).isSorted();
        assertThat(Vary.parse(value + ", *").matchable()).isFalse();
        for (String name : List.of("accept", "x-any", "cookie")) {
            String once = Vary.normalise(name, value);
            assertThat(Vary.normalise(name, once)).isEqualTo(once);
        }
    }

    private static void checkHops(String value) {
        Hops hops = Hops.of(value);
        assertThat(hops.nominated()).hasSizeLessThanOrEqualTo(Hops.MAX_NOMINATED);
        assertThat(hops.removes("host") || hops.removes("content-length") || hops.removes("authorization"))
                .isFalse();
        assertThat(Via.passedThrough(Via.append(value, "1.1", "weir-9"), "weir-9"))
                .isTrue();
        assertThat(Via.hops(Via.append(value, "1.1", "weir-9"))).isGreaterThan(Via.hops(value));
        assertThat(Forwarded.append(value, "for=x")).endsWith("for=x");
    }

    private static void checkTargets(String value) {
        UriTarget target = UriTarget.parse(value);
        if (target != null) {
            assertThat(UriTarget.parse(target.cacheKey())).isEqualTo(target);
        }
        UriTarget base = Objects.requireNonNull(UriTarget.parse("http://a/b/c?d"));
        UriTarget resolved = base.resolve(value);
        if (resolved != null) {
            assertThat(UriTarget.parse(resolved.cacheKey())).isEqualTo(resolved);
        }
        String path = "/" + value;
        String clean = Paths.removeDotSegments(path);
        assertThat(Paths.hasDotSegments(clean)).isFalse();
        assertThat(Paths.isUnder("/", clean)).isTrue();
    }

    private static void checkStructured(String value) {
        try {
            List<Member> list = StructuredParser.parseList(value);
            assertThat(StructuredParser.parseList(StructuredSerializer.write(list)))
                    .isEqualTo(list);
        } catch (StructuredSyntaxException e) {
            assertThat(e.position()).isBetween(0, value.length());
        }
        try {
            Map<String, Member> dictionary = StructuredParser.parseDictionary(value);
            assertThat(StructuredParser.parseDictionary(StructuredSerializer.write(dictionary)))
                    .isEqualTo(dictionary);
        } catch (StructuredSyntaxException e) {
            assertThat(e.position()).isBetween(0, value.length());
        }
    }
}
