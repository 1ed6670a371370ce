package io.weir.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.base.Chance;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What does not parse, and what the fault says. */
class SelectorSyntaxTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"|0|expected an identifier, a literal or ( but found the end",
                "a =|3|but found the end",
                "= 1|0|expected an identifier",
                "a = = 1|4|expected an identifier",
                "a = 1 b|6|expected AND, OR or the end but found 'b'",
                "a = 1 = 2|6|expected AND, OR or the end",
                "a == 1|3|",
                "a != 1|2|'!' means nothing",
                "a <> |4|the end",
                "a AND|5|the end",
                "AND a|0|found 'AND'",
                "NOT|3|the end",
                "a NOT|5|expected BETWEEN, IN or LIKE",
                "a NOT = 1|6|expected BETWEEN, IN or LIKE",
                "(a = 1|6|expected )",
                "a = 1)|5|expected AND, OR or the end but found ')'",
                "()|1|expected an identifier",
                "a = 'x|4|no closing quote",
                "a = \u201cx\u201d|4|means nothing",
                "5|0|must be true or false",
                "'a'|0|must be true or false",
                "a + 1|0|must be true or false",
                "a AND 5|6|what follows AND must be true or false",
                "5 OR a|0|what stands before OR must be true or false",
                "NOT 5|4|what follows NOT must be true or false",
                "a > 'x'|4|expected a number",
                "'x' < a|0|expected a number",
                "a > TRUE|4|expected a number",
                "a + 'x' = 1|4|expected a number",
                "-'x' = 1|1|expected a number",
                "a * TRUE = 1|4|expected a number",
                "TRUE = 0|7|a boolean and a number can not be compared",
                "0 <> FALSE|5|a number and a boolean can not be compared",
                "'x' = 1|6|a string and a number can not be compared",
                "1.5 = 'x'|6|a number and a string can not be compared",
                "TRUE = 'true'|7|a boolean and a string can not be compared",
                "(a = 1) = 1|10|a boolean and a number can not be compared",
                "a + 1 = 'x'|8|a number and a string can not be compared",
                "-a = TRUE|5|a number and a boolean can not be compared",
                "b OR TRUE = 0|12|a boolean and a number can not be compared",
                "a BETWEEN 1|11|expected AND",
                "a BETWEEN 1 OR 2|12|expected AND",
                "a BETWEEN 'x' AND 'y'|10|expected a number",
                "'x' BETWEEN 1 AND 2|0|expected a number",
                "a IN|4|expected (",
                "a IN ()|6|expected a string",
                "a IN (1)|6|expected a string but found '1'",
                "a IN ('x',)|10|expected a string",
                "a IN ('x' 'y')|10|expected )",
                "5 IN ('x')|0|expected an identifier before IN",
                "a LIKE|6|expected a pattern",
                "a LIKE 5|7|expected a pattern",
                "a LIKE b|7|expected a pattern",
                "a LIKE 'x' ESCAPE|17|expected one character",
                "a LIKE 'x' ESCAPE ''|18|expected one character",
                "a LIKE 'x' ESCAPE 'yz'|18|expected one character",
                "a LIKE 'x!' ESCAPE '!'|7|ends with its escape",
                "'x' LIKE 'x'|0|expected an identifier before LIKE",
                "a IS|4|expected NULL",
                "a IS NOT|8|expected NULL",
                "a IS 5|5|expected NULL",
                "a NOT IS NULL|6|expected BETWEEN",
                "5 IS NULL|0|expected an identifier before IS",
                "a = NULL|4|found 'NULL'",
                "a = 5x|4|",
                "a = 09|4|no whole number",
                "a = 0x|4|no whole number",
                "a = 0xG|4|no whole number",
                "a = 1__|4|underscore",
                "a = 1e|4|no number",
                "a = 1e999|4|outside the range",
                "a = 1.2.3|4|no number",
                "a = 9223372036854775808|4|outside the range",
                "a = 1 /* c */|7|expected an identifier",
                "JMSDestination = 'q'|0|selectors can not name 'JMSDestination'",
                "JMSReplyTo IS NULL|0|selectors can not name",
                "JMSExpiration > 5|0|selectors can not name",
                "a = # |4|means nothing",
                "a.b = 1|1|",
                "a = ?|4|means nothing",
            })
    void aFaultSaysWhereAndWhatWasExpected(String selector, int position, @Nullable String text) {
        SelectorFault fault = catchThrowableOfType(SelectorFault.class, () -> Selector.parse(selector));
        assertThat(fault).as(selector).isNotNull();
        assertThat(fault.position()).as(selector + ": " + fault.getMessage()).isEqualTo(position);
        assertThat(fault).hasMessageStartingWith("at character " + position + ": ");
        assertThat(fault).hasMessageContaining(text == null ? "" : text);
    }

    @Test
    void deepNestingIsAFault() {
        for (String deep : new String[] {
            "(".repeat(10_000) + "a" + ")".repeat(10_000),
            "NOT ".repeat(5_000) + "a",
            "- ".repeat(10_000) + "a = 1",
            "a" + " + 1".repeat(5_000) + " = 1",
            "a" + " = (a".repeat(6_000),
        }) {
            assertThatExceptionOfType(SelectorFault.class)
                    .isThrownBy(() -> Selector.parse(deep))
                    .withMessageMatching(".*(nested deeper|within each other).*");
        }
    }

    @Test
    void nestingUpToTheBoundIsFine() throws SelectorFault {
        String ok = "(".repeat(200) + "a" + ")".repeat(200);
        assertThat(Message.with("a", true).test(ok)).isEqualTo(Condition.TRUE);
        assertThatExceptionOfType(SelectorFault.class).isThrownBy(() -> Selector.parse("(" + ok + ")"));
    }

    @Test
    void aSelectorHasALongestLength() throws SelectorFault {
        String ok = "a = '" + "x".repeat(Selector.MAX_LENGTH - 6) + "'";
        assertThat(Selector.parse(ok)).hasToString(ok);
        assertThatExceptionOfType(SelectorFault.class)
                .isThrownBy(() -> Selector.parse(ok + " "))
                .withMessageContaining("the most allowed is 32768");
    }

    @Test
    void aPatternHasALongestLength() throws SelectorFault {
        String longest = "x".repeat(LikePattern.MAX_LENGTH);
        assertThat(Message.with("a", longest).test("a LIKE '" + longest + "'")).isEqualTo(Condition.TRUE);
        assertThatExceptionOfType(SelectorFault.class)
                .isThrownBy(() -> Selector.parse("a LIKE '" + longest + "%'"))
                .withMessage("at character 7: the pattern has 257 characters, the most allowed is 256");
    }

    @Test
    void anyTextParsesOrIsASelectorFault() {
        String[] pieces = {
            "a",
            "JMSPriority",
            "'x'",
            "'",
            "''",
            "1",
            "1.5",
            "0x",
            "1e",
            "(",
            ")",
            "=",
            "<>",
            "<",
            ">=",
            "+",
            "-",
            "*",
            "/",
            ",",
            "AND",
            "OR",
            "NOT",
            "BETWEEN",
            "IN",
            "LIKE",
            "ESCAPE",
            "IS",
            "NULL",
            "TRUE",
            "\u0000",
            "\ud800",
            "é",
            ".",
            "_",
            "%",
            "L"
        };
        RandomGenerator chance = Chance.seeded(11).random();
        int parsed = 0;
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = chance.nextInt(12); n >= 0; n--) {
                text.append(pieces[chance.nextInt(pieces.length)]).append(chance.nextInt(3) == 0 ? "" : " ");
            }
            parsed += parses(text.toString()) ? 1 : 0;
        }
        assertThat(parsed).isPositive();
    }

    private static boolean parses(String text) {
        try {
            Message.with("a", 1).test(text);
            return true;
        } catch (SelectorFault expected) {
            assertThat(expected.position()).isBetween(0, text.length());
            return false;
        }
    }
}
