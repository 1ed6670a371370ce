package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.base.KeyPath;
import io.weir.base.TextFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads YAML text into a {@link ConfigNode} tree with the place of each key and value. Anchors, aliases, tags and
 * several documents are refused: a configuration needs none of them, and an untrusted file must not expand. Values stay
 * text as written; the binder converts their types. Used once for each text; confined to the calling thread.
 */
public final class Yaml {
    /** Longest text that is read, in characters. */
    public static final int MAX_LENGTH = 1 << 20;

    private static final int MAX_DEPTH = 20;
    private static final YAMLFactory FACTORY = YAMLFactory.builder()
            .loadSettings(LoadSettings.builder()
                    .setAllowDuplicateKeys(true) // they are reported with both lines here
                    .setCodePointLimit(2 * MAX_LENGTH + TextFile.MAX_HELD)
                    .build())
            .build();
    private static final JsonFactory JSON = new JsonFactory();

    /** The place of the error in a parser's message; the exception's own location is the token before it. */
    private static final Pattern MARK = Pattern.compile("line (\\d{1,9}), column (\\d{1,9})");

    private final String source;
    private final boolean placed;
    private final List<ConfigProblem> problems;
    private final JsonParser parser;

    private Yaml(String source, boolean placed, JsonParser parser, List<ConfigProblem> problems) {
        this.source = source;
        this.placed = placed;
        this.problems = problems;
        this.parser = parser;
    }

    /**
     * Reads a whole file; an empty one is an empty mapping.
     *
     * @param source its name in problems
     * @param problems receives errors; the tree then has what could be read
     */
    public static ConfigNode.Mapping read(String source, String text, List<ConfigProblem> problems) {
        return root(FACTORY, parse(source, true, FACTORY, text, problems), source, problems);
    }

    /** Reads a JSON object, such as the body of {@code PATCH /knobs}, into the same tree. */
    public static ConfigNode.Mapping json(String source, String text, List<ConfigProblem> problems) {
        return root(JSON, parse(source, true, JSON, text, problems), source, problems);
    }

    private static ConfigNode.Mapping root(
            TokenStreamFactory format, @Nullable ConfigNode node, String source, List<ConfigProblem> problems) {
        return switch (node) {
            case null -> ConfigNode.Mapping.empty(new Place(source, 1, 1));
            case ConfigNode.Mapping m -> m;
            default -> {
                problems.add(new ConfigProblem(
                        node.at(),
                        "",
                        format.equals(JSON)
                                ? "a JSON object is expected: {\"KEY\": VALUE}"
                                : "expected sections such as \"server:\" or \"kernel:\""));
                yield ConfigNode.Mapping.empty(node.at());
            }
        };
    }

    /** Reads one value in flow syntax, such as a number, {@code [a, b]} or {@code {a: 1}}; the source is its place. */
    public static ConfigNode value(String source, String text, List<ConfigProblem> problems) {
        ConfigNode node = parse(source, false, FACTORY, text, problems);
        return node == null ? new ConfigNode.Scalar(Place.of(source), "") : node;
    }

    private static @Nullable ConfigNode parse(
            String source, boolean placed, TokenStreamFactory format, String text, List<ConfigProblem> problems) {
        if (text.length() - TextFile.heldIn(text) > MAX_LENGTH) {
            problems.add(new ConfigProblem(
                    Place.of(source),
                    "",
                    "the text is longer than " + MAX_LENGTH + " characters: too long for a" + " configuration"));
            return null;
        }
        try (JsonParser parser = format.createParser(ObjectReadContext.empty(), text)) {
            return new Yaml(source, placed, parser, problems).document();
        } catch (JacksonException e) {
            ConfigProblem unprintable = format.equals(FACTORY) ? unprintable(source, text) : null;
            if (unprintable != null) {
                problems.add(unprintable);
                return null;
            }
            problems.add(new ConfigProblem(placeOf(source, e), "", SyntaxFault.of(format.equals(JSON), e)));
            return null;
        }
    }

    /** The first character that YAML does not allow (1.2, production 1), which its parser does not place; else null. */
    private static @Nullable ConfigProblem unprintable(String source, String text) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean control = Character.isISOControl(c) && "\t\n\r\u0085".indexOf(c) < 0;
            if (control || c == '\ufffe' || c == '\uffff') {
                String code = String.format(Locale.ROOT, "%04x", (int) c);
                return new ConfigProblem(
                        new Place(source, line, column),
                        "",
                        "the character U+" + code.toUpperCase(Locale.ROOT) + " cannot stand in YAML: write it as \\u"
                                + code + " between double quotes, or remove it");
            }
            line += c == '\n' ? 1 : 0;
            column = c == '\n' ? 1 : column + 1;
        }
        return null;
    }

    private @Nullable ConfigNode document() {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return null;
        }
        ConfigNode root = node(first, "", 0);
        if (parser.nextToken() != null) {
            report(
                    here(),
                    "",
                    parser instanceof YAMLParser
                            ? "a second document begins here; only one is allowed"
                            : "the text goes on behind its end: only one JSON object is allowed");
        }
        return root;
    }

    private ConfigNode node(JsonToken token, String key, int depth) {
        Place at = here();
        refuseExtras(at, key);
        if (depth > MAX_DEPTH) {
            report(at, key, "nested deeper than " + MAX_DEPTH + " levels");
            parser.skipChildren();
            return new ConfigNode.Scalar(at, "");
        }
        return switch (token) {
            case START_OBJECT -> mapping(at, key, depth);
            case START_ARRAY -> sequence(at, key, depth);
            case VALUE_NULL -> new ConfigNode.Scalar(at, "");
            default -> new ConfigNode.Scalar(at, whole(at, key, String.valueOf(parser.getString())));
        };
    }

    private ConfigNode.Mapping mapping(Place at, String key, int depth) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        Map<String, Place> keys = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = String.valueOf(parser.currentName());
            Place place = here();
            String full = KeyPath.join(key, name);
            whole(place, full, name);
            JsonToken next = parser.nextToken();
            if (next == null) {
                break;
            }
            ConfigNode value = node(next, full, depth + 1);
            Place earlier = keys.putIfAbsent(name, place);
            if (earlier == null) {
                entries.put(name, value);
            } else {
                report(place, full, "duplicate key, first at line " + earlier.line());
            }
        }
        return new ConfigNode.Mapping(at, entries, keys);
    }

    private ConfigNode.Sequence sequence(Place at, String key, int depth) {
        List<ConfigNode> items = new ArrayList<>();
        JsonToken token = parser.nextToken();
        while (token != null && token != JsonToken.END_ARRAY) {
            items.add(node(token, key + "[" + items.size() + "]", depth + 1));
            token = parser.nextToken();
        }
        return new ConfigNode.Sequence(at, items);
    }

    /** The text, which is reported if it has half of a character: UTF-8 cannot express it, so it would be lost. */
    private String whole(Place at, String key, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            report(
                    at,
                    key,
                    "half of a surrogate pair (\\ud800 to \\udfff) stands alone: write both halves, or neither");
        }
        return text;
    }

    private void refuseExtras(Place at, String key) {
        if (parser instanceof YAMLParser y && y.isCurrentAlias()) {
            report(at, key, "aliases (*name) are not supported: write the value out");
        } else if (parser.getObjectId() != null) {
            report(at, key, "anchors (&name) are not supported: write the value out where it is needed");
        } else if (parser.getTypeId() != null) {
            report(at, key, "tags (!name) are not supported");
        }
    }

    private void report(Place at, String key, String what) {
        problems.add(new ConfigProblem(at, key, what));
    }

    private Place here() {
        return placed ? place(source, parser.currentTokenLocation()) : Place.of(source);
    }

    private static Place placeOf(String source, JacksonException e) {
        Matcher m = MARK.matcher(String.valueOf(e.getOriginalMessage()));
        Place last = null;
        while (m.find()) {
            last = new Place(source, Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)));
        }
        TokenStreamLocation at = e.getLocation();
        if (last != null) {
            return last;
        }
        return at == null ? Place.of(source) : place(source, at);
    }

    private static Place place(String source, TokenStreamLocation at) {
        return new Place(source, Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
    }
}
