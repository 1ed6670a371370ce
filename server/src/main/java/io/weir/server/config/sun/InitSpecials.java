package io.weir.server.config.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.objconf.BesideFile;
import io.weir.proxy.program.objconf.InitLines;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Init functions that are more than a list of settings. Stateless. */
final class InitSpecials {
    private static final String LATE = "LateInit";

    /** The log that directives without a name write to. */
    private static final String GLOBAL = "global";

    private static final String FORMAT = "format.";
    private static final String RELAXED = "relaxed.";
    private static final Set<String> BUFFERS = Set.of("buffer-size", "num-buffers", "buffers-per-file");

    private InitSpecials() {}

    static void apply(String function, InitLines.Line line, Layer layer) {
        switch (function) {
            case "stats-init" -> statistics(line, layer);
            case "load-modules" -> modules(line, layer);
            case "flex-init" -> logs(line, layer, true);
            case "init-clf" -> logs(line, layer, false);
            case "init-url-filter" -> filters(line, layer);
            case "flex-rotate-init" -> rotation(line, layer);
            case "load-types" -> types(line, layer);
            default -> throw new IllegalArgumentException(function);
        }
    }

    private static void statistics(InitLines.Line line, Layer layer) {
        layer.put("server.statistics", line.at(), "on", "stats-init");
        parameters(line, layer, InitFunctions.settings("stats-init"));
    }

    /** Applies parameters that are settings; others are unknown. */
    private static void parameters(InitLines.Line line, Layer layer, List<Setting> settings) {
        new InitFunction(line.function(), InitFunction.Kind.SETTINGS, settings, "").apply(line, layer);
    }

    /** A jar is loaded; a library of the Sun servers is not needed where all its functions are Weir's. */
    private static void modules(InitLines.Line line, Layer layer) {
        InitLines.Parameter library = line.parameter("shlib");
        if (library == null) {
            layer.problem(line.at(), "load-modules needs shlib=");
        }
        known(line, layer, List.of("shlib", "funcs", "pool", "NativeThread"));
        List<String> functions = words(line.parameter("funcs"));
        if (library != null && InitFunction.constant(library, layer)) {
            if (library.value().toLowerCase(Locale.ROOT).endsWith(".jar")) {
                layer.add("proxy.function-jars", library.at(), beside(library));
            } else {
                library(library, functions, layer);
                return;
            }
        }
        String pool = pool(line, layer);
        if (pool != null && functions.isEmpty()) {
            layer.problem(
                    line.at(),
                    "load-modules needs funcs= with pool= or NativeThread=yes: the functions that run" + " there");
        } else if (pool != null) {
            functions.forEach(f -> functionPool(f, pool, line.at(), layer));
        }
    }

    private static String beside(InitLines.Parameter file) {
        return BesideFile.path(file.at().source(), file.value());
    }

    private static void library(InitLines.Parameter library, List<String> functions, Layer layer) {
        Collection<String> own = FunctionCatalogue.builtin().names();
        List<String> missing = new ArrayList<>(functions);
        missing.removeIf(f -> own.contains(f.replace('_', '-')));
        if (functions.isEmpty() || !missing.isEmpty()) {
            layer.problem(
                    library.at(),
                    "load-modules: " + library.value() + " is a library for the Sun servers"
                            + (missing.isEmpty() ? "" : ", and Weir has no " + String.join(", ", missing))
                            + ". Write its functions in Java and name their jar here (docs/functions.md)");
        } else {
            layer.note(library.at(), "load-modules has no effect: " + String.join(", ", functions) + " are Weir's own");
        }
    }

    private static @Nullable String pool(InitLines.Line line, Layer layer) {
        InitLines.Parameter pool = line.parameter("pool");
        if (pool != null) {
            return InitFunction.constant(pool, layer) ? pool.value() : null;
        }
        InitLines.Parameter nativeThread = line.parameter("NativeThread");
        Boolean yes = nativeThread == null ? Boolean.FALSE : Quantity.flag(nativeThread.value());
        if (nativeThread != null && yes == null) {
            layer.problem(
                    nativeThread.at(), "NativeThread: expected yes or no, found \"" + nativeThread.value() + "\"");
        }
        if (nativeThread == null || !Boolean.TRUE.equals(yes)) {
            return null;
        }
        layer.section("work-managers." + Directives.NATIVE_POOL, nativeThread.at());
        return Directives.NATIVE_POOL;
    }

    private static void functionPool(String function, String pool, Place at, Layer layer) {
        if (layer.named(function, at, "load-modules funcs")) {
            layer.put("proxy.function-work-managers." + function, at, pool, "load-modules pool");
        }
    }

    private static List<String> words(InitLines.@Nullable Parameter list) {
        return list == null || list.value().isBlank()
                ? List.of()
                : List.of(list.value().strip().split("\\s*[, ]\\s*"));
    }

    private static void known(InitLines.Line line, Layer layer, List<String> names) {
        for (InitLines.Parameter p : line.parameters()) {
            if (!names.contains(p.name()) && !p.name().equals(LATE)) {
                layer.problem(
                        p.at(),
                        line.function() + ": unknown parameter \"" + p.name() + "\""
                                + Setting.nearest(p.name(), names));
            }
        }
    }

    /** Each parameter names a log; those with a dot and those of buffers are about logs. */
    private static void logs(InitLines.Line line, Layer layer, boolean formats) {
        Set<String> logs = new HashSet<>();
        for (InitLines.Parameter p : line.parameters()) {
            boolean other = p.name().equals(LATE)
                    || (formats && (BUFFERS.contains(p.name()) || p.name().contains(".")));
            if (!other && layer.named(p.name(), p.at(), line.function()) && InitFunction.constant(p, layer)) {
                String key = section(p.name());
                if (layer.text(key + ".file") != null) {
                    layer.problem(p.at(), line.function() + ": the log " + p.name() + " is defined twice");
                }
                logs.add(p.name());
                layer.put(key + ".file", p.at(), p.value(), line.function());
                layer.put(key + ".format", p.at(), "common", line.function());
            }
        }
        if (formats) {
            line.parameters().forEach(p -> about(p, logs, layer));
        }
    }

    private static void about(InitLines.Parameter p, Set<String> logs, Layer layer) {
        if (BUFFERS.contains(p.name())) {
            for (Setting s : InitFunctions.settings("flex-init")) {
                if (s.name().equals(p.name())) {
                    logs.forEach(log -> s.apply(
                            layer,
                            "flex-init",
                            p.value(),
                            p.at(),
                            k -> k.replace("proxy.access-logs.<log>", section(log))));
                }
            }
            return;
        }
        int dot = p.name().indexOf('.') + 1;
        String log = p.name().substring(dot);
        if (dot == 0) {
            return;
        }
        if (p.name().startsWith(RELAXED)) {
            layer.note(p.at(), "flex-init " + p.name() + " has no effect: a format never needs it");
        } else if (!p.name().startsWith(FORMAT)) {
            layer.problem(
                    p.at(),
                    "flex-init: unknown parameter \"" + p.name() + "\": expected a log, format.LOG or"
                            + " relaxed.LOG");
        } else if (!logs.contains(log)) {
            layer.problem(p.at(), "flex-init: there is no log \"" + log + "\"" + Setting.nearest(log, logs));
        } else {
            layer.put(section(log) + ".format", p.at(), "custom", "flex-init");
            layer.put(section(log) + ".custom", p.at(), p.format(), "flex-init");
        }
    }

    /** Intervals count from midnight here: another start that is no multiple of the interval is noted. */
    private static void rotation(InitLines.Line line, Layer layer) {
        parameters(line, layer, InitFunctions.settings("flex-rotate-init"));
        InitLines.Parameter start = line.parameter("rotate-start");
        InitLines.Parameter interval = line.parameter("rotate-interval");
        if (start == null) {
            return;
        }
        if (!start.value().matches("([01][0-9]|2[0-3])[0-5][0-9]")) {
            layer.problem(start.at(), "flex-rotate-init rotate-start: expected HHMM, found \"" + start.value() + "\"");
            return;
        }
        int minutes = Integer.parseInt(start.value()) / 100 * 60 + Integer.parseInt(start.value()) % 100;
        Long every = interval == null ? null : Quantity.MINUTES.number(interval.value());
        if (every == null || every < 1 || minutes % every != 0) {
            layer.note(start.at(), "flex-rotate-init rotate-start has no effect: intervals count from midnight");
        }
    }

    private static void types(InitLines.Line line, Layer layer) {
        known(line, layer, List.of("mime-types", "local-types"));
        for (String name : List.of("local-types", "mime-types")) {
            InitLines.Parameter file = line.parameter(name);
            if (file != null && InitFunction.constant(file, layer)) {
                layer.add("proxy.mime-types", file.at(), beside(file));
            }
        }
    }

    private static String section(String log) {
        return log.equals(GLOBAL) ? "proxy.access-log" : "proxy.access-logs." + log;
    }

    private static void filters(InitLines.Line line, Layer layer) {
        for (InitLines.Parameter p : line.parameters()) {
            if (!p.name().equals(LATE)
                    && layer.named(p.name(), p.at(), "init-url-filter")
                    && !layer.isTwice("init-url-filter " + p.name(), p.at())
                    && InitFunction.constant(p, layer)) {
                layer.put("proxy.url-filters." + p.name(), p.at(), beside(p), "init-url-filter");
            }
        }
    }
}
