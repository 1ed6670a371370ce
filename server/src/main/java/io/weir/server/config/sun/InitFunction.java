package io.weir.server.config.sun;

import io.weir.proxy.program.objconf.InitLines;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A function of Init lines. Immutable.
 *
 * @param settings its parameters
 * @param kind what becomes of it
 * @param reason why it has no effect, or stops the start; for the others what an operator should know, may be empty
 */
record InitFunction(String name, Kind kind, List<Setting> settings, String reason) {
    /** The parameter of every function that says when it runs; the configuration has no order. */
    private static final String LATE = "LateInit";

    /** The place of the name in keys. */
    private static final String NAME = "<name>";

    /** What becomes of a function. */
    enum Kind {
        /** Its parameters are settings. */
        SETTINGS,
        /** {@link InitSpecials} applies it. */
        SPECIAL,
        /** It has no meaning. */
        NOTED,
        /** It has no meaning if it is switched off by {@code status=off}, else the start is refused. */
        SWITCHED,
        /** Without it clients would get something else: the start is refused. */
        REFUSED
    }

    InitFunction {
        settings = List.copyOf(settings);
    }

    void apply(InitLines.Line line, Layer layer) {
        boolean off = isOff(line);
        switch (kind) {
            case SETTINGS -> settings(line, layer);
            case SPECIAL -> InitSpecials.apply(name, line, layer);
            case NOTED -> layer.note(line.at(), name + " has no effect: " + reason);
            case REFUSED -> layer.problem(line.at(), name + " is not supported: " + reason);
            case SWITCHED -> {
                if (off) {
                    layer.note(line.at(), name + " has no effect: status is off");
                } else {
                    layer.problem(line.at(), name + " is not supported: " + reason);
                }
            }
        }
    }

    private static boolean isOff(InitLines.Line line) {
        InitLines.Parameter status = line.parameter("status");
        return status != null && Boolean.FALSE.equals(Quantity.flag(status.value()));
    }

    private void settings(InitLines.Line line, Layer layer) {
        String of = "";
        if (settings.stream().anyMatch(s -> s.keys().stream().anyMatch(k -> k.contains(NAME)))) {
            InitLines.Parameter named = line.parameter("name");
            if (named == null) {
                layer.problem(line.at(), name + " needs name=");
                return;
            }
            if (!layer.named(named.value(), named.at(), name)) {
                return;
            }
            of = named.value();
            if (layer.isTwice(name + " " + of, named.at())) {
                return;
            }
            section(of, line, layer);
        }
        String key = of;
        Map<String, InitLines.Parameter> before = new HashMap<>();
        for (InitLines.Parameter p : line.parameters()) {
            Setting setting = setting(p, layer, before);
            if (setting != null && !setting.special()) {
                setting.apply(layer, name, p.value(), p.at(), k -> k.replace(NAME, key));
            }
        }
    }

    /** What has a name exists, whether or not it has other parameters. */
    private void section(String of, InitLines.Line line, Layer layer) {
        settings.stream()
                .flatMap(s -> s.keys().stream())
                .filter(k -> k.contains(NAME + "."))
                .findFirst()
                .map(k -> k.substring(0, k.indexOf(NAME) + NAME.length()).replace(NAME, of))
                .ifPresent(key -> layer.section(key, line.at()));
    }

    private @Nullable Setting setting(InitLines.Parameter p, Layer layer, Map<String, InitLines.Parameter> before) {
        if (p.name().equals(LATE)) {
            return null;
        }
        InitLines.Parameter earlier = before.putIfAbsent(p.name(), p);
        if (earlier != null) {
            layer.problem(
                    p.at(),
                    name + " " + p.name() + " is given twice, first at line "
                            + earlier.at().line());
            return null;
        }
        for (Setting s : settings) {
            if (s.name().equals(p.name())) {
                return constant(p, layer) ? s : null;
            }
        }
        List<String> known = settings.stream().map(Setting::name).toList();
        layer.problem(
                p.at(),
                name + ": unknown parameter \"" + p.name() + "\"" + Setting.nearest(p.name(), known)
                        + (known.isEmpty() ? "" : " Known: " + String.join(", ", known)));
        return null;
    }

    /** Whether a value is known at start; if not, it is reported. */
    static boolean constant(InitLines.Parameter p, Layer layer) {
        if (p.unknown() != null) {
            layer.problem(
                    p.at(),
                    "\"" + p.name() + "\": there is no variable " + p.unknown() + " at start"
                            + Setting.nearest(
                                    p.unknown().replace("$", ""),
                                    layer.variables().keySet()));
        }
        return p.unknown() == null;
    }
}
