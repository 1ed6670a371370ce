package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import io.weir.base.Nearest;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.functions.FunctionCatalogue;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Variables that nothing sets: they are empty, and what a condition with one refuses is open. A name that is nearly a
 * predefined one is a mistake, any other is noted; where functions of jars run, which may set variables, both are noted.
 * Stateless.
 */
final class UnknownVariables {
    /** The shortest name of which two letters may be wrong. */
    private static final int LONG = 4;

    private UnknownVariables() {}

    /** @param configured those of the configuration */
    static void report(ObjText text, Map<String, ConfigNode.Place> read, Set<String> configured, ProgramBuilder into) {
        Set<String> known = new HashSet<>(configured);
        known.addAll(Names.VARIABLES);
        Functions functions = new Functions(known);
        text.objects().forEach(o -> functions.items(o.items()));
        List<Map.Entry<String, ConfigNode.Place>> unknown = read.entrySet().stream()
                .filter(e -> !known.contains(e.getKey()))
                .limit(ObjParser.MAX_PROBLEMS)
                .toList();
        for (Map.Entry<String, ConfigNode.Place> each : unknown) {
            String name = each.getKey();
            ConfigNode.Place at = each.getValue();
            String meant = meant(name);
            String what = "nothing sets the variable \"" + name + "\", which is empty"
                    + (meant == null ? "" : "; did you mean \"" + meant + "\"?");
            if (meant == null || functions.others) {
                into.note(at, "", what);
            } else {
                into.problem(at, "", what);
            }
        }
    }

    private static @Nullable String meant(String name) {
        for (String predefined : Names.VARIABLES) {
            if (predefined.equals(name.toLowerCase(Locale.ROOT).replace('-', '_'))) {
                return predefined;
            }
        }
        String nearest = name.length() < LONG ? null : Nearest.of(name, Names.VARIABLES);
        return nearest == null || nearest.length() < LONG || name.startsWith(nearest) ? null : nearest;
    }

    /** What the directives' functions set. Confined to one report. */
    private static final class Functions {
        private final FunctionCatalogue builtin = FunctionCatalogue.builtin();
        private final Set<String> known;
        /** There are functions of jars. */
        private boolean others;

        Functions(Set<String> known) {
            this.known = known;
        }

        void items(List<ObjText.Item> items) {
            for (ObjText.Item item : items) {
                switch (item) {
                    case ObjText.Line line -> line(line);
                    case ObjText.ClientBlock client -> items(client.items());
                    case ObjText.Branches branches -> branches.branches().forEach(b -> items(b.items()));
                }
            }
        }

        private void line(ObjText.Line line) {
            others |= builtin.find(line.function()) == null;
            for (ObjText.Parameter p : line.parameters()) {
                if (p.name().startsWith("$")) {
                    known.add(p.name().substring(1));
                }
            }
        }
    }
}
