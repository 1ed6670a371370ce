package io.weir.server.config.sun;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KnobCatalogue;
import io.weir.server.config.WeirConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/obj-conf.md} lists every setting of the Sun servers' files; {@code -Ddocs.write=true} writes the tables
 * anew.
 */
final class SunDocumentTest {
    private static final Path PAGE = page();
    private static final String BEGIN = "<!-- Tables written by SunDocumentTest: do not edit. -->\n";
    private static final String END = "<!-- End of the tables. -->\n";

    private static Path page() {
        Path here = Path.of("").toAbsolutePath();
        return (Files.exists(here.resolve("docs")) ? here : here.resolve("..")).resolve("docs/obj-conf.md");
    }

    @Test
    void everySettingIsInTheDocument() throws IOException {
        String text = Files.readString(PAGE);
        assertThat(text).contains(BEGIN, END);
        String before = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String after = text.substring(text.indexOf(END));
        String expected = before + "\n" + tables() + "\n" + after;
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(Files.readString(PAGE))
                .as("docs/obj-conf.md is stale: mvn -pl server -am test -Dtest=SunDocumentTest -Ddocs.write=true")
                .isEqualTo(expected);
    }

    /** Knobs of other versions would be noted at start: what the document promises must be there. */
    @Test
    void everyKnobOfTheTablesExists() {
        KnobCatalogue knobs = KnobCatalogue.of(WeirConfig.class);
        Stream.of(
                        Directives.all().stream(),
                        InitFunctions.all().stream().flatMap(f -> f.settings().stream()),
                        ServerXmlTest.rows().flatMap(r -> r.settings().stream()))
                .flatMap(s -> s)
                .flatMap(s -> s.keys().stream())
                .map(k -> k.replaceAll("<[a-z]+>", "x").replace("*", "x"))
                .forEach(k -> assertThat(knobs.find(k) != null || knobs.find(k.replaceFirst("\\.[^.]*$", "")) != null)
                        .as(k)
                        .isTrue());
    }

    private static String tables() {
        return "### magnus.conf\n\n| directive | value | here |\n|---|---|---|\n"
                + Directives.all().stream().map(s -> row("", s)).collect(Collectors.joining())
                + "\n### Init lines\n\n| function, parameter | value | here |\n|---|---|---|\n"
                + InitFunctions.all().stream().map(SunDocumentTest::function).collect(Collectors.joining())
                + "\n### server.xml of the Proxy Server\n\n| element, attribute | value | here |\n|---|---|---|\n"
                + elements(XmlRows.all())
                + "\n### server.xml of Web Server 7.0\n\n| element, element in it | value | here |\n|---|---|---|\n"
                + elements(Xml7Rows.all());
    }

    private static String row(String of, Setting s) {
        String what = s.keys().stream().map(k -> "`" + k + "`").collect(Collectors.joining(", "));
        String note = s.applied() ? s.note() : "no effect: " + s.note();
        return "| `" + of + s.name() + "` | " + value(s) + " | " + what + (what.isEmpty() || note.isEmpty() ? "" : "; ")
                + note.replace("|", "\\|") + " |\n";
    }

    private static String value(Setting s) {
        boolean ranged = s.quantity().isNumber() && s.min() != Long.MIN_VALUE;
        String most = s.max() >= Integer.MAX_VALUE ? "" : ", at most " + s.max();
        return switch (s.quantity()) {
            case COUNT, COUNT_OR_ALL -> "number" + (ranged ? most : "");
            case WORD -> s.words().keySet().stream().sorted().collect(Collectors.joining(", "));
            case SWITCH -> "on or off";
            default -> s.quantity().name().toLowerCase(Locale.ROOT) + (ranged ? most : "");
        };
    }

    private static String function(InitFunction f) {
        String reason = switch (f.kind()) {
            case NOTED -> "no effect: " + f.reason();
            case REFUSED -> "refused: " + f.reason();
            case SWITCHED -> "refused, unless `status=off`: " + f.reason();
            case SETTINGS, SPECIAL -> f.reason();
        };
        boolean applied = f.kind() == InitFunction.Kind.SETTINGS || f.kind() == InitFunction.Kind.SPECIAL;
        return "| **`" + f.name() + "`** | | " + reason + " |\n"
                + (applied ? f.settings().stream().map(s -> row("", s)).collect(Collectors.joining()) : "");
    }

    private static String elements(List<XmlRow> rows) {
        return rows.stream()
                .map(r -> "| **`" + r.element() + "`** | | "
                        + switch (r.kind()) {
                            case NOTED -> "no effect: " + r.reason();
                            case REFUSED -> "refused: " + r.reason();
                            case SETTINGS -> r.reason();
                        }
                        + " |\n"
                        + r.settings().stream().map(s -> row("", s)).collect(Collectors.joining()))
                .collect(Collectors.joining());
    }
}
