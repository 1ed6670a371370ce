package io.weir.server.cli.text;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The admin listener's answers about the cache as text. Stateless. */
public final class CacheText {
    private static final String[] TOP = {"hits", "memory bytes", "age", "status", "fresh until", "process", "url"};

    private CacheText() {}

    /** A line for each object, and how many were looked at. */
    public static String top(String json) {
        JsonNode answer = new ObjectMapper().readTree(json);
        List<String[]> rows = new ArrayList<>();
        rows.add(TOP);
        for (JsonNode o : answer.get("objects")) {
            rows.add(new String[] {
                o.get("hits").asString(),
                o.get("memoryBytes").asString(),
                o.get("age").asString(),
                o.get("status").asString(),
                o.get("freshUntil").asString(),
                o.get("pid").asString(),
                o.get("url").asString()
            });
        }
        String looked = answer.get("examined").asString() + " objects in memory were looked at\n";
        return rows.size() == 1 ? "nothing is stored in memory\n" : Columns.of(rows) + looked;
    }

    /** What a purge removed, and who has not applied it yet. */
    public static String purged(String json) {
        JsonNode answer = new ObjectMapper().readTree(json);
        long objects = answer.get("forgotten").asLong();
        String removed = objects + (objects == 1 ? " object" : " objects") + " removed";
        if (!answer.has("number")) {
            return removed;
        }
        String applied = removed + " by the member that was asked; purge "
                + answer.get("number").asString() + " of the cluster is applied by ";
        return pending(answer)
                ? applied + "all but " + words(answer.get("pending")) + ".\n  " + word(answer.get("note"))
                : applied + "all";
    }

    /** Whether somebody has not applied a purge yet. */
    public static boolean pending(String json) {
        return pending(new ObjectMapper().readTree(json));
    }

    private static boolean pending(JsonNode answer) {
        return answer.has("pending") && !answer.get("pending").isEmpty();
    }

    /** A block for each copy, by process. */
    public static String show(String json) {
        StringBuilder out = new StringBuilder();
        JsonNode answer = new ObjectMapper().readTree(json);
        for (JsonNode process : answer.get("processes")) {
            out.append("process ").append(process.get("pid").asString()).append('\n');
            JsonNode owner = process.get("owner");
            if (owner != null && !owner.isNull()) {
                String name = owner.asString();
                // a member's name has no space
                out.append("  owned by ")
                        .append(name.indexOf(' ') < 0 ? "member " : "")
                        .append(name)
                        .append('\n');
            }
            if (process.get("fetching").asBoolean()) {
                out.append("  a fetch for it is in flight\n");
            }
            if (process.get("copies").isEmpty()) {
                out.append("  nothing is stored for it; the largest body that is stored has ")
                        .append(process.get("largestBody").asString())
                        .append(" bytes\n");
            }
            process.get("copies").forEach(c -> copy(c, out));
            if (!process.get("otherVariantsOnDisk").isEmpty()) {
                out.append("  variants on disk, by ")
                        .append(words(process.get("otherVariantsOnDisk")))
                        .append(": none that these fields select (-H)\n");
            }
        }
        return out.toString();
    }

    private static void copy(JsonNode c, StringBuilder out) {
        out.append("  ").append(word(c.get("url"))).append('\n');
        line(out, "tier", c.get("tier"));
        line(out, "status", c.get("status"));
        out.append("    body         ").append(c.get("bytes").asString()).append(" bytes\n");
        line(out, "stored", c.get("stored"));
        out.append("    fresh until  ")
                .append(word(c.get("freshUntil")))
                .append(c.get("fresh").asBoolean() ? "" : " (stale)")
                .append('\n');
        line(out, "etag", c.get("etag"));
        line(out, "last-modified", c.get("lastModified"));
        if (!c.get("vary").isEmpty()) {
            out.append("    vary         ")
                    .append(words(c.get("vary")))
                    .append(c.get("selected").asBoolean() ? " (selected by the fields of this request)" : "")
                    .append('\n');
        }
        JsonNode memory = c.get("memory");
        if (!memory.isNull()) {
            out.append("    memory       ")
                    .append(memory.get("bytes").asString())
                    .append(" bytes, ")
                    .append(memory.get("hits").asString())
                    .append(" hits, ")
                    .append(memory.get("references").asString())
                    .append(" references\n");
        }
        JsonNode disk = c.get("disk");
        if (!disk.isNull()) {
            out.append("    disk         partition ")
                    .append(word(disk.get("partition")))
                    .append(", ")
                    .append(word(disk.get("segment")))
                    .append(", offset ")
                    .append(disk.get("offset").asString())
                    .append(", ")
                    .append(disk.get("bytes").asString())
                    .append(disk.get("body").isNull() ? " bytes, " : " bytes, body in " + word(disk.get("body")) + ", ")
                    .append(disk.get("uses").asString())
                    .append(" uses since it was written\n");
        }
        if (c.get("doubtful").asBoolean()) {
            out.append("    doubtful: its connection may have mixed up answers, so it is not used\n");
        }
        if (c.get("limited").asBoolean()) {
            out.append("    only for clients that may reach the address that it was fetched from\n");
        }
    }

    private static void line(StringBuilder out, String name, JsonNode value) {
        String text = word(value);
        if (!text.isEmpty()) {
            out.append("    ")
                    .append(name)
                    .repeat(' ', Math.max(1, 13 - name.length()))
                    .append(text)
                    .append('\n');
        }
    }

    private static String words(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.forEach(n -> names.add(n.asString()));
        return String.join(", ", names);
    }

    private static String word(JsonNode value) {
        return value.isNull() ? "" : value.asString();
    }
}
