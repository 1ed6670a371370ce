package io.weir.server.config.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.objconf.InitLines;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a {@code magnus.conf}: a directive and its value on each line, and Init lines in between. Used once. */
final class MagnusConf {
    private static final String INIT = "Init";
    private static final Pattern DIRECTIVE = Pattern.compile("([A-Za-z0-9_.-]+)(?:[ \t]+(.*))?");
    private static final Pattern PARAMETER = Pattern.compile("\\s*[A-Za-z0-9_.-]+(\\{[^}]*})?\\s*=.*");
    private static final int LONGEST_SHOWN = 40;

    private final String name;
    private final Layer layer;
    private final Map<String, Integer> lines = new HashMap<>();
    private final StringBuilder inits = new StringBuilder();
    private boolean inInit;
    private boolean continued;

    /** @param name of the file, for places */
    MagnusConf(String name, Layer layer) {
        this.name = name;
        this.layer = layer;
    }

    /** Applies the directives; returns the Init lines. */
    List<InitLines.Line> read(String text) {
        int number = 0;
        for (String raw : text.split("\n", -1)) {
            String line = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
            number++;
            boolean init = isInit(line);
            inits.append(init ? line : "").append('\n');
            if (!init && !line.isBlank() && !line.stripLeading().startsWith("#")) {
                directive(line, number);
            }
        }
        Directives.pool(layer);
        InitLines.Read read = InitLines.read(name, inits.toString(), layer.variables());
        read.problems().forEach(p -> layer.problem(p.at(), p.what()));
        return read.lines();
    }

    /** An Init line goes on with lines that begin with a blank or with a parameter. */
    private boolean isInit(String line) {
        if (line.isBlank() || line.stripLeading().startsWith("#")) {
            return false;
        }
        boolean begins = line.stripLeading().startsWith(INIT + " ")
                || line.stripLeading().startsWith(INIT + "\t")
                || line.strip().equals(INIT);
        boolean indented = Character.isWhitespace(line.charAt(0));
        inInit = begins
                || (inInit && (continued || indented || PARAMETER.matcher(line).matches()));
        continued = inInit && line.endsWith("\\");
        return inInit;
    }

    private void directive(String line, int number) {
        int indent = line.length() - line.stripLeading().length();
        Matcher m = DIRECTIVE.matcher(line.strip());
        Place at = new Place(name, number, indent + 1);
        if (!m.matches()) {
            String found = line.strip();
            layer.problem(
                    at,
                    "expected a directive and its value, such as RqThrottle 128, found \""
                            + (found.length() > LONGEST_SHOWN ? found.substring(0, LONGEST_SHOWN) + "..." : found)
                            + "\"");
            return;
        }
        String written = m.group(1);
        String value = m.group(2) == null ? "" : m.group(2).strip();
        Setting setting = Directives.named(written);
        if (setting == null) {
            layer.problem(at, "unknown directive \"" + written + "\"" + Setting.nearest(written, Directives.names()));
            return;
        }
        Integer earlier = lines.putIfAbsent(written.toLowerCase(Locale.ROOT), number);
        if (earlier != null) {
            layer.problem(at, setting.name() + " is given twice, first at line " + earlier);
        } else if (value.isEmpty() && setting.quantity() != Quantity.TEXT) {
            layer.problem(
                    at,
                    setting.name() + " has no value: expected "
                            + setting.quantity().expected());
        } else {
            Place place = value.isEmpty() ? at : new Place(name, number, indent + m.start(2) + 1);
            apply(setting, unquoted(value), place);
        }
    }

    private void apply(Setting setting, String value, Place at) {
        if (setting.special()) {
            Directives.special(setting, value, at, layer);
        } else {
            setting.apply(layer, "", value, at, UnaryOperator.identity());
        }
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
