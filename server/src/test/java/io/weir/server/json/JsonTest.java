package io.weir.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static void row(Integer n, Json to) {
        to.add("n", n);
    }

    @Test
    void membersStandInTheirOrderWithoutSpaces() {
        assertThat(Json.object(j -> j.add("text", "a \"b\"\\/\n\u0001\u00e9\ud83d\ude00")
                        .add("none", (String) null)
                        .add("count", Long.MIN_VALUE)
                        .add("ratio", 0.5)
                        .add("flag", true)
                        .object("in", in -> in.add("texts", List.of("x", "y")).add("no", List.of()))))
                .isEqualTo("{\"text\":\"a \\\"b\\\"\\\\/\\n\\u0001\u00e9\ud83d\ude00\",\"none\":null,"
                        + "\"count\":-9223372036854775808,\"ratio\":0.5,\"flag\":true,"
                        + "\"in\":{\"texts\":[\"x\",\"y\"],\"no\":[]}}\n");
    }

    @Test
    void controlCharactersAreEscapedInCapitals() {
        assertThat(Json.object(j -> j.add("t", "\u001f\t\b\u007f"))).isEqualTo("{\"t\":\"\\u001F\\t\\b\u007f\"}\n");
    }

    @Test
    void numbersHaveNoExponentWherePlain() {
        assertThat(Json.object(j -> j.plain("large", 1e9).plain("small", 0.25).plain("zero", 0)))
                .isEqualTo("{\"large\":1000000000,\"small\":0.25,\"zero\":0}\n");
    }

    @Test
    void numbersThatAreWrittenStayAsTheyAre() {
        List<@Nullable String> numbers = new ArrayList<>();
        numbers.add("1.50000e-05");
        numbers.add("2");
        numbers.add(null);
        assertThat(Json.object(j -> j.numbers("points", numbers))).isEqualTo("{\"points\":[1.50000e-05,2,null]}\n");
    }

    @Test
    void rowsStandOnLinesOfTheirOwn() {
        assertThat(Json.rows(List.of(1, 2), JsonTest::row)).isEqualTo("[{\"n\":1},\n{\"n\":2}]\n");
        assertThat(Json.rows(List.of(), JsonTest::row)).isEqualTo("[]\n");
        assertThat(Json.rows(Layout.FLAT, List.of(1, 2), JsonTest::row)).isEqualTo("[{\"n\":1},{\"n\":2}]\n");
    }

    @Test
    void anArrayInARowHasALayoutOfItsOwn() {
        assertThat(Json.rows(
                        List.of(1, 2),
                        (n, to) -> to.add("n", n)
                                .array("in", Layout.INDENTED, List.of(3, 4).subList(0, n), JsonTest::row)))
                .isEqualTo("[{\"n\":1,\"in\":[\n {\"n\":3}]},\n{\"n\":2,\"in\":[\n {\"n\":3},\n {\"n\":4}]}]\n");
        assertThat(Json.rows(List.of(1), (_, to) -> to.array("in", Layout.INDENTED, List.of(), JsonTest::row)))
                .isEqualTo("[{\"in\":[\n ]}]\n");
    }

    @Test
    void whatIsJsonAlreadyIsTakenAsItIs() {
        assertThat(Json.object(j -> j.add("process", 1).written("health", "{\"status\": \"up\"}")))
                .isEqualTo("{\"process\":1,\"health\":{\"status\": \"up\"}}\n");
    }
}
