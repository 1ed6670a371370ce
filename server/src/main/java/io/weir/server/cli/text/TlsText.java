package io.weir.server.cli.text;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The admin listener's answers about certificates as text. Stateless. */
public final class TlsText {
    private static final long SECONDS_PER_DAY = 86_400;
    private static final String[] HEADER = {
        "owner", "file", "names", "key", "expires", "days left", "stapling", "loaded"
    };

    private TlsText() {}

    /** A line for each certificate; one for an owner without any. */
    public static String list(String json) {
        List<String[]> rows = new ArrayList<>();
        rows.add(HEADER);
        for (JsonNode owner : owners(json)) {
            String name = owner.get("owner").asString();
            String loaded = loaded(owner.get("loaded"));
            if (owner.get("certificates").isEmpty()) {
                rows.add(new String[] {name, "-", "-", "-", "-", "-", "-", loaded});
            }
            owner.get("certificates").forEach(c -> rows.add(row(name, c, loaded)));
        }
        return rows.size() == 1 ? "no certificates\n" : Columns.of(rows);
    }

    private static String[] row(String owner, JsonNode c, String loaded) {
        List<String> names = new ArrayList<>();
        c.get("names").forEach(n -> names.add(n.asString()));
        return new String[] {
            owner,
            c.get("file").asString(),
            names.isEmpty() ? "-" : String.join(",", names),
            c.get("key").asString(),
            c.get("expires").asString(),
            Long.toString(Math.floorDiv(c.get("secondsLeft").asLong(), SECONDS_PER_DAY)),
            stapling(c.get("stapling")),
            loaded
        };
    }

    private static String stapling(JsonNode s) {
        if (!s.get("on").asBoolean()) {
            return "off";
        }
        String until = s.get("until").asString();
        String failure = s.get("failure").asString();
        String shown = until.isEmpty() ? "none" : "until " + until;
        return failure.isEmpty() ? shown : shown + " (" + failure + ")";
    }

    private static String loaded(JsonNode l) {
        String at = l.get("at").asString();
        return l.get("done").asBoolean()
                ? at
                : "failed " + at + ": " + l.get("failure").asString();
    }

    /** What changed, or why the old ones are kept: one line each, preceded by the owner. */
    public static String reload(String json) {
        StringBuilder out = new StringBuilder();
        for (JsonNode owner : owners(json)) {
            String name = owner.get("owner").asString() + ": ";
            JsonNode l = owner.get("loaded");
            if (!l.get("done").asBoolean()) {
                out.append(name)
                        .append("the old ones are kept: ")
                        .append(l.get("failure").asString())
                        .append('\n');
            } else if (l.get("changes").isEmpty()) {
                out.append(name).append("reloaded, unchanged\n");
            }
            l.get("changes").forEach(c -> out.append(name).append(c.asString()).append('\n'));
        }
        return out.isEmpty() ? "no certificates\n" : out.toString();
    }

    private static JsonNode owners(String json) {
        return new ObjectMapper().readTree(json).get("owners");
    }
}
