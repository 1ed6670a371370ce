package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 8.8.3. */
class EntityTagsTest {

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"a\"", "W/\"a\"", "W/\"\"", "\"a,b\"", "\"a\\b\"", "\"xy\u00fc\"", "\"!#~\""})
    void theseAreEntityTags(String tag) {
        assertThat(EntityTags.isValid(tag)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\"",
                "\"a",
                "a\"",
                "w/\"a\"",
                "W\"a\"",
                "W\\\"a\"",
                "W/a",
                "W/",
                "*",
                "'a'",
                "\"a b\"",
                "\"a\"b\"",
                "\"a\" ",
                " \"a\"",
                "\"a\", \"b\"",
                "\"a\tb\"",
                "\"\u007f\"",
                "W/ \"a\""
            })
    void theseAreNot(String text) {
        assertThat(EntityTags.isValid(text)).isFalse();
        assertThat(EntityTags.weakMatch(text, text)).isFalse();
        assertThat(EntityTags.strongMatch(text, text)).isFalse();
    }

    /** The table of RFC 9110 8.8.3.2. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "W/\"1\", W/\"1\", false, true",
                "W/\"1\", W/\"2\", false, false",
                "W/\"1\", \"1\",   false, true",
                "\"1\",   \"1\",   true,  true",
                "\"1\",   \"2\",   false, false",
                "\"1\",   \"11\",  false, false",
            })
    void comparesStronglyAndWeakly(String a, String b, boolean strong, boolean weak) {
        assertThat(EntityTags.strongMatch(a, b)).isEqualTo(strong);
        assertThat(EntityTags.strongMatch(b, a)).isEqualTo(strong);
        assertThat(EntityTags.weakMatch(a, b)).isEqualTo(weak);
        assertThat(EntityTags.weakMatch(b, a)).isEqualTo(weak);
        assertThat(EntityTags.anyMatch(a, b, true)).isEqualTo(strong);
        assertThat(EntityTags.anyMatch(a, b, false)).isEqualTo(weak);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"x\", \"1\", \"y\"",
                "\"1\",\"x\"",
                "\"x\",\"1\"",
                ", ,\"1\",",
                "\"a,b\" , \"1\"",
                "W/\"x\",\t\"1\"",
                "\"1\""
            })
    void findsATagAnywhereInAList(String list) {
        assertThat(EntityTags.anyMatch(list, "\"1\"", true)).isTrue();
        assertThat(EntityTags.anyMatch(list, "\"2\"", true)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"1\" \"x\"",
                "\"1\"; \"x\"",
                "\"1\", x",
                "\"1\", *",
                "1",
                "",
                ",",
                "\"1\"\"1\"",
                "\"1\", \"x",
                "w/\"1\""
            })
    void aListWithAnythingElseInItMatchesNothing(String list) {
        assertThat(EntityTags.anyMatch(list, "\"1\"", false)).isFalse();
    }

    @Test
    void noTagMatchesNoList() {
        assertThat(EntityTags.anyMatch("\"1\"", null, false)).isFalse();
        assertThat(EntityTags.anyMatch("\"1\"", "1", false)).isFalse();
    }

    @Test
    void onlyAStarAloneIsAny() {
        assertThat(EntityTags.isAny("*")).isTrue();
        assertThat(EntityTags.isAny("*, \"1\"")).isFalse();
        assertThat(EntityTags.isAny("\"*\"")).isFalse();
    }
}
