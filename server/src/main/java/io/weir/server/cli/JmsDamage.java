package io.weir.server.cli;

import io.weir.server.admin.views.DamageViews;
import io.weir.server.cli.text.Columns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * {@code weir jms damage}: damage found in the journals of a data directory. It is requested from the server that runs
 * on it; if none does, the lists of the last one are read. Lives for one call.
 */
final class JmsDamage {
    private static final String[] HEAD = {"number", "journal", "found", "by", "file", "offset", "length", "cause"};

    private final ServerOption option;

    JmsDamage(ServerOption option) {
        this.option = option;
    }

    /** The list; acknowledges what is in it if requested. */
    String list(boolean json, boolean acknowledge) throws IOException {
        AdminClient server = option.clientIfRunning();
        if (acknowledge && server == null) {
            throw new CliFailure("no server is running on " + option.dataDir() + ": start it, then acknowledge");
        }
        String text = server == null
                ? offline(option.dataDir())
                : server.get("/damage").checked().text();
        JsonNode journals = new ObjectMapper().readTree(text);
        return (json ? text : table(journals)) + (acknowledge && server != null ? acknowledge(server, journals) : "");
    }

    /** Reads the damage from the data directory; fails if there is none, since then damage is unknown. */
    private static String offline(Path dataDir) throws IOException {
        if (!Files.isDirectory(dataDir)) {
            throw new CliFailure("there is no data directory " + dataDir
                    + ": name the one that is meant by --config or --set server.data-dir=...");
        }
        return DamageViews.offline(dataDir);
    }

    /** Acknowledges only what is listed, not what is found in the meantime. */
    private static String acknowledge(AdminClient server, JsonNode journals) throws IOException {
        StringBuilder done = new StringBuilder();
        for (JsonNode journal : journals) {
            JsonNode places = journal.get("places");
            if (!places.isEmpty()) {
                String name = journal.get("journal").asString();
                long upTo = places.get(places.size() - 1).get("number").asLong();
                var _ = server.post("/damage/acknowledge?" + AdminClient.query("journal", name, "up-to", upTo))
                        .checked();
                done.append("acknowledged: ")
                        .append(places.size())
                        .append(" of journal ")
                        .append(name)
                        .append('\n');
            }
        }
        return done.toString();
    }

    /** A line for each place, and below it what was lost. */
    private static String table(JsonNode journals) {
        List<String[]> rows = new ArrayList<>();
        List<List<String>> lost = new ArrayList<>();
        rows.add(HEAD);
        StringBuilder beyond = new StringBuilder();
        for (JsonNode journal : journals) {
            String name = journal.get("journal").asString();
            for (JsonNode d : journal.get("places")) {
                String length = d.get("length").asString();
                rows.add(new String[] {
                    d.get("number").asString(),
                    name,
                    d.get("found").asString(),
                    d.get("by").asString(),
                    d.get("file").asString(),
                    d.get("offset").asString(),
                    length.equals("-1") ? "-" : length,
                    d.get("cause").asString()
                });
                List<String> lines = new ArrayList<>();
                d.get("lost").forEach(l -> lines.add(l.asString()));
                lost.add(lines);
            }
            if (journal.get("beyond").asLong() > 0) {
                beyond.append("and ").append(journal.get("beyond").asString()).append(" more places of journal ");
                beyond.append(name).append(", which the list does not take\n");
            }
        }
        if (rows.size() == 1) {
            return "there is no damage that is not acknowledged\n";
        }
        String[] lines = Columns.of(rows).split("\n", -1);
        StringBuilder out = new StringBuilder(lines[0]).append('\n');
        for (int i = 0; i < lost.size(); i++) {
            out.append(lines[i + 1]).append('\n');
            lost.get(i).forEach(l -> out.append("    ").append(l).append('\n'));
        }
        return out.append(beyond).toString();
    }
}
