package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PrintableTest {
    private static final String ESCAPE = "\u001b]0;owned\u0007";

    /** The section of a server as its configuration has it. */
    record Named(
            @Knob(doc = "A name.", value = "weir", unwatched = Unwatched.NAME)
            String name,

            @Knob(doc = "A text.", value = "x", unwatched = Unwatched.MEANING)
            String text) {}

    @Test
    void nothingThatATerminalObeysIsLeft() {
        assertThat(Printable.word("a" + ESCAPE + "b\nc\td\re\u009b\u007f\u202ef"))
                .isEqualTo("a\\u001b]0;owned\\u0007b\\nc\\td\\re\\u009b\\u007f\\u202ef");
        assertThat(Printable.text("a\n\tb\u001b[2J")).isEqualTo("a\n\tb\\u001b[2J");
    }

    @Test
    void whatIsHarmlessIsTheSameText() {
        String text = "grüße, 日本, \"a\\b\" 😀";
        assertThat(Printable.word(text)).isSameAs(text);
    }

    @Test
    void aNameWithControlCharactersIsRefusedWithItsKey() {
        for (String bad : List.of("a\u001b[31m", "a\nb", "a\u0000", "a\u202eb")) {
            ConfigNode.Place at = ConfigNode.Place.of("file");
            ConfigBinder binder = new ConfigBinder();
            binder.bind(ConfigNode.Mapping.empty(at).with("name", new ConfigNode.Scalar(at, bad)), Named.class);
            assertThat(binder.problems()).singleElement().satisfies(p -> {
                assertThat(p.key()).isEqualTo("name");
                assertThat(p.what())
                        .contains("control characters are not allowed")
                        .contains("remove them")
                        .contains("\"" + Printable.word(bad) + "\"");
            });
        }
    }

    @Test
    void aTextMayHaveLines() {
        ConfigNode.Place at = ConfigNode.Place.of("file");
        ConfigBinder binder = new ConfigBinder();
        binder.bind(ConfigNode.Mapping.empty(at).with("text", new ConfigNode.Scalar(at, "a\nb")), Named.class);
        assertThat(binder.problems()).isEmpty();
    }

    @Test
    void aLongerFormOfAKeyIsMeantByTheShorter() {
        List<String> keys = List.of("name", "data-dir", "statistics", "hang-time-out");
        assertThat(Nearest.of("data-directory", keys)).isEqualTo("data-dir");
        assertThat(Nearest.of("stat", keys)).isEqualTo("statistics");
        assertThat(Nearest.of("colour", keys)).isNull();
    }
}
