package io.weir.proxy.program.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.ServerFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * docs/functions.md lists every function that a directive may name, and every one of the Sun servers that none may, with
 * its reason; {@code -Ddocs.write=true} writes the lists anew.
 */
class FunctionTableTest {
    private static final String BEGIN = "## All functions\n";
    private static final String END = "\nSources ([sources.md]";

    private static Path page() {
        Path here = Path.of("").toAbsolutePath();
        Path above = here.getParent();
        Path page = here.resolve("docs/functions.md");
        return Files.exists(page) || above == null ? page : above.resolve("docs/functions.md");
    }

    private static String lists() {
        StringBuilder out = new StringBuilder(BEGIN);
        out.append("Parameters of each: `./weir check` names them where one is wrong. `-` and `_` are the same.\n\n");
        out.append("| function | stages | what it does |\n|---|---|---|\n");
        for (ServerFunction f : FunctionCatalogue.builtin().all()) {
            out.append("| ").append(f.name()).append(" | ").append(stages(f)).append(" | ");
            out.append(f.doc().replace("|", "\\|")).append(" |\n");
        }
        out.append("\n### Left out\nThe start stops where a directive names one of these, with the reason.\n\n");
        out.append("| function of the Sun servers | reason |\n|---|---|\n");
        LeftOut.all()
                .forEach((name, reason) -> out.append("| ")
                        .append(name)
                        .append(" | ")
                        .append(reason)
                        .append(" |\n"));
        return out.toString();
    }

    private static String stages(ServerFunction f) {
        if (f.stages().size() == Stage.values().length) {
            return "all";
        }
        return Arrays.stream(Stage.values())
                .filter(f.stages()::contains)
                .map(Stage::word)
                .collect(Collectors.joining(", "));
    }

    @Test
    void thePageListsEveryFunctionAndEveryReason() throws IOException {
        String text = Files.readString(page());
        int from = text.indexOf(BEGIN);
        int to = text.indexOf(END, from);
        assertThat(from).isPositive();
        assertThat(to).isGreaterThan(from);
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(page(), text.substring(0, from) + lists() + text.substring(to));
            return;
        }
        assertThat(text.substring(from, to))
                .as("docs/functions.md is stale: mvn -pl proxy -am test -Dtest=FunctionTableTest -Ddocs.write=true")
                .isEqualTo(lists());
    }

    /** What this server has, or a directive could mean otherwise, is not left out. */
    @Test
    void noFunctionIsBothThereAndLeftOut() {
        assertThat(LeftOut.all().keySet())
                .doesNotContainAnyElementsOf(FunctionCatalogue.builtin().names());
        LeftOut.all().forEach((name, reason) -> {
            assertThat(name).matches("[a-z0-9-]+");
            assertThat(reason).as(name).hasSizeGreaterThan(20).doesNotEndWith(".");
        });
    }
}
