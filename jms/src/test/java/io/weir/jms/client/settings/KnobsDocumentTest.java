package io.weir.jms.client.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Knob;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.Unwatched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/jms-client.md has every knob as it is declared; {@code -Ddocs.write=true} writes it. */
class KnobsDocumentTest {
    private static final Path FILE = Path.of("../docs/jms-client.md");
    private static final String BEGIN = "<!-- knobs -->\n";
    private static final String END = "<!-- end -->\n";
    private static final String TITLE =
            "| option | type | default | WebLogic | what it does |\n|---|---|---|---|---|\n";

    private static String table() {
        return KnobCatalogue.of(ClientKnobs.class).knobs().stream()
                .map(KnobsDocumentTest::row)
                .collect(Collectors.joining("\n", TITLE, "\n"));
    }

    private static String row(KnobSpec spec) {
        Knob k = spec.knob();
        String unit = k.unit().isEmpty() ? "" : " " + k.unit();
        String value = k.value().isEmpty() ? "" : "`" + k.value() + "`" + unit;
        String watch = k.watch().length == 0 ? "" : " Watch `" + String.join("`, `", k.watch()) + "`.";
        String type = spec.typeName().replace("|", ", ");
        return "| `" + spec.key() + "` | " + type + " | " + value + " | " + k.knownAs() + " | " + k.doc() + watch
                + " |";
    }

    @Test
    void theTableSaysWhatIsDeclared() throws IOException {
        String text = Files.readString(FILE);
        String head = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String now = head + table() + text.substring(text.indexOf(END));
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(FILE, now);
        }
        assertThat(Files.readString(FILE)).isEqualTo(now);
    }

    @Test
    void everyKnobNamesItsCountersOrSaysWhyThereAreNone() {
        for (KnobSpec spec : KnobCatalogue.of(ClientKnobs.class).knobs()) {
            Knob k = spec.knob();
            assertThat(k.watch().length > 0 || k.unwatched() != Unwatched.NOT)
                    .as(spec.key())
                    .isTrue();
        }
    }
}
