package io.weir.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.server.config.WeirConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of what needs a restart, against the declarations. */
final class LiveDocumentTest {
    private static final Path FILE = Path.of("../docs/live-change.md");

    private static List<String> rows() throws IOException {
        String text = Files.readString(FILE);
        String table = text.substring(text.indexOf("## What needs a restart"), text.indexOf("## Requests in flight"));
        return Pattern.compile("^\\| (`.*`) \\|", Pattern.MULTILINE)
                .matcher(table)
                .results()
                .flatMap(row ->
                        Pattern.compile("`([^`]+)`").matcher(row.group(1)).results())
                .map(key -> key.group(1))
                .toList();
    }

    private static boolean covers(String row, String key) {
        return key.equals(row) || key.startsWith(row + ".") || key.startsWith(row + "[");
    }

    @Test
    void whatNeedsARestartIsInTheTableAndNothingElse() throws IOException {
        List<KnobSpec> knobs = KnobCatalogue.of(WeirConfig.class).knobs();
        Set<String> liveLists = knobs.stream()
                .filter(k -> k.knob().dynamic() && k.typeName().startsWith("list of "))
                .map(KnobSpec::key)
                .collect(Collectors.toSet());
        List<String> rows = rows();
        assertThat(rows).isNotEmpty().doesNotHaveDuplicates();
        for (KnobSpec knob : knobs) {
            boolean live = knob.knob().dynamic()
                    || liveLists.stream().anyMatch(list -> knob.key().startsWith(list + "[]"));
            if (!knob.grouping()) {
                assertThat(rows.stream().anyMatch(row -> covers(row, knob.key())))
                        .as("%s is %s", knob.key(), live ? "live" : "static")
                        .isEqualTo(!live);
            }
        }
        assertThat(rows)
                .allSatisfy(row -> assertThat(knobs)
                        .anySatisfy(k -> assertThat(covers(row, k.key())).isTrue()));
    }
}
