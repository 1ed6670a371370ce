package io.weir.jms.selector;

import static io.weir.jms.selector.Condition.FALSE;
import static io.weir.jms.selector.Condition.TRUE;
import static io.weir.jms.selector.Condition.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.8.1: what selectors mean. */
class SelectorTest {
    private static final String[] TRUTH = {"x = 2", "x = 1", "y = 1"};
    private static final int[] TRUTHS = {FALSE, TRUE, UNKNOWN};
    private final Message message = Message.with("x", 1);

    private static Message car() {
        Message car =
                Message.with("color", "blue", "weight", 2600, "fast", true, "slow", false, "price", 9.5, "none", null);
        car.properties.put("b", (byte) 3);
        car.properties.put("s", (short) 4);
        car.properties.put("l", 5L);
        car.properties.put("f", 1.5f);
        car.properties.put("orders", "2");
        car.properties.put("age", 17);
        car.properties.put("Country", "UK");
        car.head.type = "car";
        car.head.correlation = "größe";
        car.head.hasId = true;
        car.head.idConnection = 0xabcL;
        car.head.idSequence = 7;
        car.head.timestamp = 1_000_000_000_000L;
        return car;
    }

    private void assertTruth(String selector, int expected) throws SelectorFault {
        assertThat(message.test(selector)).as(selector).isEqualTo(expected);
    }

    @Test
    void andFollowsItsTable() throws SelectorFault {
        int[][] table = {{FALSE, FALSE, FALSE}, {FALSE, TRUE, UNKNOWN}, {FALSE, UNKNOWN, UNKNOWN}};
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                assertTruth(TRUTH[a] + " AND " + TRUTH[b], table[a][b]);
            }
        }
    }

    @Test
    void orFollowsItsTable() throws SelectorFault {
        int[][] table = {{FALSE, TRUE, UNKNOWN}, {TRUE, TRUE, TRUE}, {UNKNOWN, TRUE, UNKNOWN}};
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                assertTruth(TRUTH[a] + " OR " + TRUTH[b], table[a][b]);
            }
        }
    }

    @Test
    void notFollowsItsTable() throws SelectorFault {
        int[] table = {TRUE, FALSE, UNKNOWN};
        for (int a = 0; a < 3; a++) {
            assertThat(TRUTHS[a]).isEqualTo(message.test(TRUTH[a]));
            assertTruth("NOT " + TRUTH[a], table[a]);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JMSType = 'car' AND color = 'blue' AND weight > 2500",
                "age BETWEEN 15 AND 19",
                "age NOT BETWEEN 18 AND 19",
                "Country IN ('UK', 'US', 'France')",
                "Country NOT IN ('US', 'France')",
                "color LIKE 'bl%'",
                "color NOT LIKE 'b'",
                "missing IS NULL",
                "none IS NULL",
                "color IS NOT NULL",
                "fast",
                "NOT slow",
                "fast = TRUE AND slow = false",
                "fast <> slow",
                "TRUE",
                "not FALSE or fAlSe",
                "b + s * 2 = 11",
                "(b + s) * 2 = 14",
                "7 / 2 = 3 AND 7 / 2.0 = 3.5",
                "-b = -3 AND +b = 3 AND - -b = 3",
                "l = 5.0 AND f = 1.5 AND f < 2",
                "price > 9 AND price < 10 AND price <> 9",
                "JMSPriority = 4 AND JMSDeliveryMode = 'PERSISTENT'",
                "JMSMessageID = 'ID:weir-abc-7'",
                "JMSMessageID <> 'ID:weir-abc-8' AND JMSMessageID <> 'ID:weir-0abc-7'",
                "JMSMessageID LIKE 'ID:%'",
                "JMSTimestamp >= 1000000000000",
                "JMSCorrelationID = 'größe' AND JMSCorrelationID IN ('a', 'größe')",
                "JMSXDeliveryCount = 1",
                "JMSXGroupID IS NULL AND JMS_any IS NULL",
                "color = color",
                "'blue' = color",
                "(weight > 2500) = TRUE",
                "((((color = 'blue'))))",
                "weight>2500 AND color='blue'",
                "2500<weight\tand\r\n\f2700>weight",
                "1 = 1.0 AND 'a' = 'a'",
            })
    void trueOfTheCar(String selector) throws SelectorFault {
        assertThat(car().test(selector)).isEqualTo(TRUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders > 1",
                "orders = 2",
                "orders <> 2",
                "NOT orders IS NOT NULL",
                "color = 5",
                "color <> 5",
                "fast = 'true'",
                "fast > 0",
                "color",
                "weight",
                "weight LIKE '2%'",
                "weight IN ('2600')",
                "weight NOT IN ('a')",
                "fast NOT IN ('true')",
                "weight NOT LIKE 'a'",
                "JMSPriority NOT IN ('a')",
                "color BETWEEN 1 AND 2",
                "color NOT BETWEEN 1 AND 2",
                "age BETWEEN 18 AND 19",
                "age NOT BETWEEN 15 AND 19",
                "color = 'Blue'",
                "Color IS NOT NULL",
                "JMSDeliveryMode = 'NON_PERSISTENT'",
                "JMSMessageID = 'ID:weir-abc-8'",
                "color = 'blue '",
                "fast = weight",
                "weight = 2600 OR FALSE AND FALSE AND TRUE = FALSE",
            })
    void falseOfTheCarOrTrueWhereOrBindsLess(String selector) throws SelectorFault {
        assertThat(car().test(selector)).isEqualTo(selector.contains(" OR ") ? TRUE : FALSE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "missing = 1",
                "missing <> 1",
                "missing > 1",
                "missing = 'a'",
                "missing <> missing",
                "none = TRUE",
                "missing",
                "NOT missing",
                "missing + 1 = 2",
                "missing BETWEEN 1 AND 2",
                "age BETWEEN missing AND 20",
                "missing IN ('a')",
                "missing NOT IN ('a')",
                "missing LIKE '%'",
                "missing NOT LIKE '%'",
                "color + 1 = 2",
                "-color = 1",
                "weight / 0 = 1",
                "missing = 1 AND TRUE",
                "(missing = 1) = TRUE",
            })
    void unknownOfTheCar(String selector) throws SelectorFault {
        assertThat(car().test(selector)).isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "12%3,123,1",
                "12%3,12993,1",
                "12%3,1234,0",
                "l_se,lose,1",
                "l_se,loose,0",
                "%,any,1",
                "_,a,1",
                "_,ab,0",
                "%a%b%,xxaxxbxx,1",
                "%a%b%,xxbxxaxx,0",
                "%ab,aab,1",
                "a.c,abc,0",
                "_,€,1",
                "%_,x,1",
            })
    void likeMatchesWholeStrings(String pattern, String text, int expected) throws SelectorFault {
        assertThat(Message.with("p", text).test("p LIKE '" + pattern + "'")).isEqualTo(expected);
    }

    @Test
    void likeTakesNothingEmptyForEmpty() throws SelectorFault {
        Message empty = Message.with("p", "");
        assertThat(empty.test("p LIKE ''")).isEqualTo(TRUE);
        assertThat(empty.test("p LIKE '%'")).isEqualTo(TRUE);
        assertThat(empty.test("p LIKE '_'")).isEqualTo(FALSE);
    }

    @Test
    void anEscapeTakesTheMeaningFromWildcards() throws SelectorFault {
        assertThat(Message.with("p", "_foo").test("p LIKE '\\_%' ESCAPE '\\'")).isEqualTo(TRUE);
        assertThat(Message.with("p", "bar").test("p LIKE '\\_%' ESCAPE '\\'")).isEqualTo(FALSE);
        assertThat(Message.with("p", "10%").test("p LIKE '10!%' ESCAPE '!'")).isEqualTo(TRUE);
        assertThat(Message.with("p", "100").test("p LIKE '10!%' ESCAPE '!'")).isEqualTo(FALSE);
        assertThat(Message.with("p", "a!b").test("p LIKE 'a!!b' ESCAPE '!'")).isEqualTo(TRUE);
    }

    @Test
    void aQuoteIsDoubledInAString() throws SelectorFault {
        Message quoted = Message.with("p", "it's", "q", "'");
        assertThat(quoted.test("p = 'it''s' AND q = ''''")).isEqualTo(TRUE);
    }

    @ParameterizedTest
    @CsvSource({
        "57,57",
        "0,0",
        "0x1F,31",
        "0X1f,31",
        "017,15",
        "0b101,5",
        "5L,5",
        "5l,5",
        "1_000,1000",
        "0_17,15",
        "9223372036854775807,9223372036854775807",
        "0xFFFFFFFFFFFFFFFF,-1",
        "-0x10,-16",
        "-010,-8"
    })
    void exactLiteralsAreThoseOfJava(String literal, long value) throws SelectorFault {
        assertThat(Message.with("p", value).test("p = " + literal)).isEqualTo(TRUE);
    }

    @Test
    void theLeastLongIsALiteral() throws SelectorFault {
        assertThat(Message.with("p", Long.MIN_VALUE).test("p = -9223372036854775808"))
                .isEqualTo(TRUE);
    }

    @ParameterizedTest
    @CsvSource({
        "7E3,7000",
        "-57.9E2,-5790",
        "7.,7",
        "-95.7,-95.7",
        "6.2,6.2",
        ".5,0.5",
        "1e-2,0.01",
        "1E+2,100",
        "5d,5",
        "5.5D,5.5",
        "0x1.8p1,3",
        "0e0,0",
        "09.5,9.5"
    })
    void approximateLiteralsAreThoseOfJava(String literal, double value) throws SelectorFault {
        assertThat(Message.with("p", value).test("p = " + literal)).isEqualTo(TRUE);
    }

    @Test
    void aFloatKeepsItsPrecision() throws SelectorFault {
        assertThat(Message.with("p", 0.1f).test("p = 0.1")).isEqualTo(FALSE);
        assertThat(Message.with("p", 0.1f).test("p = 0.1f")).isEqualTo(TRUE);
    }

    @Test
    void identifiersAreThoseOfJava() throws SelectorFault {
        assertThat(Message.with("$a_1", 1, "_", 2, "größe", 3, "Name", 4)
                        .test("$a_1 = 1 AND _ = 2 AND größe = 3 AND Name = 4"))
                .isEqualTo(TRUE);
        assertThat(Message.with("name", 1).test("NAME = 1")).isEqualTo(UNKNOWN);
    }

    @Test
    void inWithManyStringsIsFoundToo() throws SelectorFault {
        StringBuilder many = new StringBuilder("p IN ('x0'");
        for (int i = 1; i < 100; i++) {
            many.append(",'x").append(i).append('\'');
        }
        assertThat(Message.with("p", "x77").test(many + ")")).isEqualTo(TRUE);
        assertThat(Message.with("p", "x100").test(many + ")")).isEqualTo(FALSE);
    }

    @Test
    void operatorsOfOnePrecedenceGoFromLeftToRight() throws SelectorFault {
        assertTruth("8 - 4 - 2 = 2", TRUE);
        assertTruth("8 / 4 / 2 = 1", TRUE);
        assertTruth("2 + 3 * 4 = 14", TRUE);
        assertTruth("NOT x = 2 AND x = 1", TRUE);
        assertTruth("x = 1 OR x = 2 AND x = 3", TRUE);
        assertTruth("(x = 1 OR x = 2) AND x = 3", FALSE);
    }

    @Test
    void aLongChainNeedsNoDepth() throws SelectorFault {
        assertTruth("x = 2" + " OR x = 2".repeat(3000) + " OR x = 1", TRUE);
    }
}
