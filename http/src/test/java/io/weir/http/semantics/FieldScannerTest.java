package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9110 5.6; RFC 9111 1.2.2. */
class FieldScannerTest {

    @Test
    void walksAListAndSkipsEmptyElements() {
        FieldScanner scanner = new FieldScanner(" , a,,\t B ,");
        assertThat(scanner.nextElement()).isTrue();
        assertThat(scanner.token()).isEqualTo("a");
        assertThat(scanner.atElementEnd()).isTrue();
        assertThat(scanner.nextElement()).isTrue();
        assertThat(scanner.lowerToken()).isEqualTo("b");
        assertThat(scanner.nextElement()).isFalse();
    }

    @Test
    void unescapesQuotedStrings() {
        assertThat(new FieldScanner("\"a\\\"b\\\\c\\d\"").quoted()).isEqualTo("a\"b\\cd");
        assertThat(new FieldScanner("\"\"").quoted()).isEmpty();
        assertThat(new FieldScanner("\"never").quoted()).isNull();
        assertThat(new FieldScanner("\"never\\\"").quoted()).isNull();
        assertThat(new FieldScanner("a").quoted()).isNull();
    }

    @Test
    void aCommaInQuotesEndsNoElement() {
        FieldScanner scanner = new FieldScanner("a=\"x, y\\\", z\" , b");
        assertThat(scanner.skipElement()).isTrue();
        assertThat(scanner.peek()).isEqualTo(',');
        assertThat(scanner.nextElement()).isTrue();
        assertThat(scanner.token()).isEqualTo("b");
        assertThat(new FieldScanner("a=\"x, y").skipElement()).isFalse();
    }

    @Test
    void tokensAreOfTokenCharactersAlone() {
        assertThat(FieldScanner.isToken("!#$%&'*+-.^_`|~aZ09")).isTrue();
        for (char c : "()<>@,;:\\\"/[]?={} \t\u007f\u0080\u00ff\u0000".toCharArray()) {
            assertThat(FieldScanner.isToken("a" + c))
                    .as("character %d", (int) c)
                    .isFalse();
        }
        assertThat(FieldScanner.isToken("")).isFalse();
        assertThat(new FieldScanner("=x").token()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "007, 7",
        "2147483647, 2147483647",
        "2147483648, 2147483648",
        "2147483649, 2147483648",
        "99999999999, 2147483648",
        "99999999999999999999999999999999999999, 2147483648",
        "-1, -1",
        "+1, -1",
        "1.0, -1",
        "1e3, -1",
        "'', -1",
        "' 1', -1",
        "1 , 1",
        "0x1, -1",
        "\u0661, -1",
    })
    void secondsAreDigitsAndSaturate(String text, long seconds) {
        assertThat(DeltaSeconds.parse(text)).isEqualTo(seconds);
    }
}
