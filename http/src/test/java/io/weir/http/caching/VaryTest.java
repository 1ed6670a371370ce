package io.weir.http.caching;

import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.http.Fields;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 4.1. */
class VaryTest {

    private static final Fields NOTHING = fields();

    @Test
    void namesAreSortedOnceAndInLowerCase() {
        assertThat(Vary.parse("Foo, bar,, FOO ,Baz").names()).containsExactly("bar", "baz", "foo");
        assertThat(Vary.parse("b, a").key(fields("a: 1")))
                .isEqualTo(Vary.parse("A,B").key(fields("a: 1")));
        assertThat(Vary.parse("Accept-Encoding").names()).containsExactly("accept-encoding");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", " , "})
    void anEmptyVarySelectsEverything(String value) {
        assertThat(Vary.parse(value)).isSameAs(Vary.NONE);
        assertThat(Vary.parse(null)).isSameAs(Vary.NONE);
        assertThat(Vary.NONE.isEmpty()).isTrue();
        assertThat(Vary.NONE.key(fields("a: 1"))).isEmpty();
        assertThat(Vary.NONE.matches(fields("a: 1"), fields("a: 2"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*, *", ", *", "*, Foo", "Foo, *", "Foo bar", "Foo=1", "(x)", "*Foo bar"})
    void aStarOrNonsenseMatchesNothingNotEvenItself(String value) {
        Vary vary = Vary.parse(value);
        assertThat(vary.matchable()).isFalse();
        assertThat(vary.isEmpty()).isFalse();
        assertThat(vary.overLimit()).isFalse();
        assertThat(vary.matches(NOTHING, NOTHING)).isFalse();
        assertThatThrownBy(() -> vary.key(NOTHING)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sixteenNamesMatchAndSeventeenDoNot() {
        String names = IntStream.range(0, Vary.MAX_NAMES).mapToObj(i -> "n" + i).collect(Collectors.joining(","));
        assertThat(Vary.parse(names + ", N0").matchable()).isTrue();
        Vary over = Vary.parse(names + ",more");
        assertThat(over.matchable()).isFalse();
        assertThat(over.overLimit()).isTrue();
    }

    /** Vary, first request, second request (lines separated by bars), match. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "Foo; Foo: 1; Foo: 1; true",
                "Foo; Foo: 1; foo: 1; true",
                "Foo; Foo: 1; Foo: 2; false",
                "Foo; Foo: 1; X: 1; false",
                "Foo; X: 1; X: 2; true",
                "Foo; Foo:; X: 1; false",
                "Foo; Foo: 1|Other: 2; Foo: 1|Other: 3; true",
                "Foo, Bar; Foo: 1|Bar: abc; Foo: 1|Bar: abc; true",
                "Foo, Bar; Foo: 1|Bar: abc; Bar: abc|Foo: 1; true",
                "Foo, Bar; Foo: 1|Bar: abc; Foo: 2|Bar: abc; false",
                "Foo, Bar; Foo: 1; X: 1; false",
                "Foo, Bar, Baz; Foo: 1|Baz: 7; Foo: 1|Baz: 7; true",
                "Foo, Bar, Baz; Foo: 1|Bar: abc4|Baz: 7; Foo: 1|Bar: abc|Baz: 7; false",
                "Foo; Foo: 1,2; Foo: 1, 2; true",
                "Foo; Foo: 1, 2; Foo: 1|Foo: 2; true",
                "Foo; Foo: 1, 2; Foo: 2, 1; false",
                "Foo; Foo: 12; Foo: 1, 2; false",
                "Foo; Foo: a b; Foo: ab; false",
                "Foo; Foo: A; Foo: a; false",
                "Foo; Foo: \"a, b\"; Foo: \"a,b\"; false",
                "Foo; Foo: \"a, b; Foo: \"a,b; false",
                "Foo; Foo: bar: 1; Foo: bar:1; false",
                "Accept-Language; Accept-Language: en, de; Accept-Language: de, en; false",
                "Accept-Language; Accept-Language: en, de; Accept-Language: en,de; true",
                "Accept-Language; Accept-Language: en, de; Accept-Language: en; false",
                "Accept-Encoding; Accept-Encoding: gzip, br; Accept-Encoding: br, GZIP; true",
                "Accept-Encoding; Accept-Encoding: gzip, br; Accept-Encoding: gzip|Accept-Encoding: br; true",
                "Accept-Encoding; Accept-Encoding: gzip; Accept-Encoding: identity; false",
                "User-Agent; User-Agent: X (a, b); User-Agent: X (a,b); false",
                "Cookie; Cookie: a=1; Cookie: a=2; false",
                "Origin; Origin: https://a; Origin: https://A; false",
            })
    void comparesTheFieldsThatVaryNames(String vary, String first, String second, boolean match) {
        Fields one = fields(first.split("\\|"));
        Fields two = fields(second.split("\\|"));
        assertThat(Vary.parse(vary).matches(one, two)).isEqualTo(match);
        assertThat(Vary.parse(vary).matches(two, one)).isEqualTo(match);
        assertThat(Vary.parse(vary).matches(one, one)).isTrue();
    }

    @Test
    void spaceAtSemicolonsOfCodingsDoesNotMatter() {
        Vary vary = Vary.parse("Accept-Encoding");
        assertThat(vary.matches(fields("Accept-Encoding: gzip;q=0.5, br"), fields("Accept-Encoding: br,gzip ; Q=0.5")))
                .isTrue();
        assertThat(vary.matches(fields("Accept-Encoding: gzip;q=0.5"), fields("Accept-Encoding: gzip;q=0.6")))
                .isFalse();
        assertThat(vary.matches(fields("Accept-Encoding: ;a"), fields("Accept-Encoding: a")))
                .isFalse();
    }

    /** Origins take the first of equals, and parameters have case: what an origin can tell apart has two keys. */
    @Test
    void orderAndCaseOfTypesAndLanguagesMatter() {
        Vary vary = Vary.parse("Accept");
        assertThat(vary.matches(fields("Accept: a/b, c/d"), fields("Accept: c/d, a/b")))
                .isFalse();
        assertThat(vary.matches(fields("Accept: a/b;p=\"http://e/A\""), fields("Accept: a/b;p=\"http://e/a\"")))
                .isFalse();
        assertThat(vary.matches(fields("Accept: a/b,c/d"), fields("Accept: a/b", "Accept: c/d")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For", "accept, forwarded", "Via", "X-Real-IP", "Client-Cert"})
    void whatEachHopChangesForEachClientMatchesNobody(String value) {
        assertThat(Vary.parse(value).matchable()).isFalse();
    }

    @Test
    void oneFieldsValueCannotPoseAsAnother() {
        Vary vary = Vary.parse("a, b");
        assertThat(vary.matches(fields("a: 1"), fields("b: 1"))).isFalse();
        assertThat(vary.matches(fields("a: x b:y"), fields("a: x", "b: y"))).isFalse();
    }

    @Test
    void aVeryLongListOfPreferencesStillCompares() {
        String many = IntStream.range(0, 500).mapToObj(i -> "l" + i).collect(Collectors.joining(","));
        Vary vary = Vary.parse("accept-language");
        assertThat(vary.matches(fields("Accept-Language: " + many), fields("Accept-Language: " + many)))
                .isTrue();
    }
}
