package io.weir.server.docs;

import io.weir.base.Knob;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.LogMessage;
import io.weir.base.StatSpec;
import io.weir.server.config.WeirConfig;
import io.weir.server.log.LogText;
import io.weir.server.monitor.DeclaredFigures;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes {@code docs/knobs.md}, {@code counters.md}, {@code messages.md} and {@code figures.md} from the declarations. Stateless. */
public final class Reference {
    private static final String GENERATED =
            "<!-- Generated from the declarations in the code by ./weir docs: do not edit. -->\n";

    private Reference() {}

    /** File names to contents. */
    public static Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("knobs.md", knobs());
        files.put("counters.md", counters());
        files.put("messages.md", messages());
        files.put("figures.md", figures());
        return files;
    }

    private static String knobs() {
        StringBuilder out = new StringBuilder("# Knobs\n\n" + GENERATED + """

                Keys of `weir.yaml`; `*` stands for a name of your own, in double quotes if it has a dot
                (`messaging.queues."orders.in".quota`), `[]` for an item of a list. *Live* knobs change while the server runs: `PATCH /knobs` on the admin listener, with `?persist=true` for the next start, too;
                `DELETE /knobs/KEY` or `./weir config drop KEY` drops such a persisted change. The
                order of precedence is: files beside `proxy.objects` ([obj-conf.md](obj-conf.md)), file, then
                `overrides.yaml` of the data directory (persisted live changes), then `--set KEY=VALUE`, then live
                changes. *Watch* names the statistics that tell when to turn it, *known as* its name in the servers that
                Weir follows.
                """);
        for (KnobSpec spec : KnobCatalogue.of(WeirConfig.class).knobs()) {
            if (spec.grouping() && spec.key().indexOf('.') < 0) {
                out.append("\n## ")
                        .append(spec.key())
                        .append("\n\n")
                        .append(spec.knob().doc())
                        .append('\n');
            } else if (!spec.grouping()) {
                knob(spec, out);
            } else {
                out.append("\n**`")
                        .append(spec.key())
                        .append("`** - ")
                        .append(spec.knob().doc())
                        .append('\n');
            }
        }
        return out.toString();
    }

    private static void knob(KnobSpec spec, StringBuilder out) {
        Knob k = spec.knob();
        out.append("\n**`").append(spec.key()).append("`** (").append(spec.typeName());
        if (!k.unit().isEmpty()) {
            out.append(", ").append(k.unit());
        }
        out.append("; default ").append(k.value().isEmpty() ? "none" : "`" + k.value() + "`");
        if (!k.min().isEmpty() || !k.max().isEmpty()) {
            out.append("; ").append(range(k));
        }
        out.append(k.dynamic() ? "; live)" : ")").append("  \n").append(k.doc());
        if (k.watch().length > 0) {
            out.append("  \nWatch: `").append(String.join("`, `", k.watch())).append('`');
        } else {
            out.append("  \nNothing to watch: ").append(k.unwatched().reason()).append('.');
        }
        if (!k.knownAs().isEmpty()) {
            out.append("  \nKnown as: ").append(k.knownAs());
        }
        out.append('\n');
    }

    private static String range(Knob k) {
        if (k.max().isEmpty()) {
            return "at least " + k.min();
        }
        return k.min().isEmpty() ? "at most " + k.max() : k.min() + " to " + k.max();
    }

    private static String counters() {
        StringBuilder out = new StringBuilder("# Counters\n\n" + GENERATED + """

                Every statistic of the one registry that feeds perfdump, stats-xml, `/metrics` and JMX. `/metrics` shows
                times in seconds, under a name that says so.

                | name | kind | unit | labels | what it counts |
                |---|---|---|---|---|
                """);
        for (StatSpec s : Declarations.statistics()) {
            out.append("| `")
                    .append(s.name())
                    .append("`")
                    .append(shown(s))
                    .append(" | ")
                    .append(s.kind().name().toLowerCase(Locale.ROOT))
                    .append(" | ")
                    .append(s.unit())
                    .append(" | ")
                    .append(labels(s))
                    .append(" | ")
                    .append(cell(s.doc()))
                    .append(" |\n");
        }
        return out.toString();
    }

    /** The labels' names, and the values of the last one where they are declared. */
    private static String labels(StatSpec s) {
        String names = String.join(", ", s.labels());
        return s.values().isEmpty() ? names : names + ": " + String.join(", ", s.values());
    }

    /** The name in {@code /metrics}, if it differs. */
    private static String shown(StatSpec s) {
        String name = s.exposedName();
        return name.equals(s.name()) ? "" : ", in `/metrics` `" + name + "`";
    }

    private static String figures() {
        StringBuilder out = new StringBuilder("# Figures and where they stand\n\n" + GENERATED + """

                Each figure is declared once; perfdump, stats-xml with its document type, JMX and JSON follow from that.
                What has a statistic is in `/metrics`, too, and described in [counters.md](counters.md). Where views differ
                in the unit, each is named. Ticks of stats-xml are microseconds, as its `ticksPerSecond` says.
                """);
        DeclaredFigures.all().forEach(group -> out.append(group.reference(StatSpec::exposedName)));
        return out.toString();
    }

    private static String messages() {
        StringBuilder out = new StringBuilder("# Messages of the server log\n\n" + GENERATED + """

                A line has date, severity, subsystem, id and text. The number is that of the BEA message where one says the
                same. `server.log.level` and `server.log.levels` decide what is written; repeated warnings and errors of one
                cause are counted and written once in `server.log.repeat-interval`.

                | id | severity | subsystem | text | what to do |
                |---|---|---|---|---|
                """);
        for (LogMessage m : Declarations.messages()) {
            out.append("| ")
                    .append(LogText.id(m))
                    .append(" | ")
                    .append(LogText.word(m.severity()))
                    .append(" | ")
                    .append(m.subsystem())
                    .append(" | ")
                    .append(cell(m.text()))
                    .append(" | ")
                    .append(cell(m.remedy()))
                    .append(" |\n");
        }
        return out.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }
}
