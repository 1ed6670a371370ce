package io.weir.server.cli;

import io.weir.server.cli.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The admin listener's answers about messaging, for the shell. Stateless. */
final class JmsStatistics {
    private static final String[] HEAD = {
        "destination", "messages", "pending", "high", "received", "bytes", "consumers", "producers", "expired", "paused"
    };

    private static final String[] SUBSCRIPTIONS = {
        "subscription", "messages", "pending", "high", "received", "consumers", "kind", "selector"
    };

    private static final String[] TRANSACTIONS = {"transaction", "sent", "received", "since", "user", "state"};

    private JmsStatistics() {}

    static Map<String, Object> object(String json) {
        return new ObjectMapper().readValue(json, new TypeReference<>() {});
    }

    /** One line for each destination. */
    static String table(String json) {
        List<String[]> rows = new ArrayList<>();
        rows.add(HEAD);
        for (JsonNode d : new ObjectMapper().readTree(json)) {
            JsonNode messages = d.get("messages");
            String paused = d.get("paused").asString();
            rows.add(new String[] {
                d.get("name").asString(),
                messages.get("current").asString(),
                messages.get("pending").asString(),
                messages.get("high").asString(),
                messages.get("total").asString(),
                d.get("bytes").get("current").asString(),
                d.get("consumers").asString(),
                d.get("producers").asString(),
                d.get("expired").asString(),
                paused.isEmpty() ? "-" : paused
            });
        }
        return text(rows);
    }

    /** One line for each subscription. */
    static String subscriptions(String json) {
        List<String[]> rows = new ArrayList<>();
        rows.add(SUBSCRIPTIONS);
        for (JsonNode s : new ObjectMapper().readTree(json)) {
            JsonNode messages = s.get("messages");
            JsonNode selector = s.get("selector");
            String kind = s.get("durable").asBoolean() ? "durable" : "";
            rows.add(new String[] {
                s.get("name").asString(),
                messages.get("current").asString(),
                messages.get("pending").asString(),
                messages.get("high").asString(),
                messages.get("total").asString(),
                s.get("consumers").asString(),
                s.get("shared").asBoolean() ? (kind + " shared").strip() : kind,
                selector.isNull() ? "-" : selector.asString()
            });
        }
        return text(rows);
    }

    /** One line for each distributed transaction in doubt, or ended by an operator. */
    static String transactions(String json) {
        List<String[]> rows = new ArrayList<>();
        rows.add(TRANSACTIONS);
        for (JsonNode t : new ObjectMapper().readTree(json)) {
            rows.add(new String[] {
                t.get("id").asString(),
                t.get("messages").get("sent").asString(),
                t.get("messages").get("received").asString(),
                t.get("since").asString(),
                t.get("user").asString(),
                t.get("state").asString()
            });
        }
        return rows.size() == 1 ? "no transaction is in doubt\n" : text(rows);
    }

    private static String text(List<String[]> raw) {
        List<String[]> rows = Columns.printable(raw);
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                int blanks = widths[i] - row[i].length();
                boolean words = i == 0 || i == row.length - 1;
                out.append(i == 0 ? "" : "  ").repeat(' ', words ? 0 : blanks).append(row[i]);
                out.repeat(' ', i == 0 ? blanks : 0);
            }
            out.append('\n');
        }
        return out.toString();
    }
}
