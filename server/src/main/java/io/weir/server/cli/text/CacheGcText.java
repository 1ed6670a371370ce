package io.weir.server.cli.text;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The admin listener's answers about garbage collections as text. Stateless. */
public final class CacheGcText {
    private static final String[] NUMBERS = {"before", "after", "segments", "carried", "removed", "milliseconds"};

    private CacheGcText() {}

    /** Whether a partition is being collected. */
    public static boolean running(String json) {
        for (JsonNode one : partitions(json)) {
            if (one.get("running").asBoolean()) {
                return true;
            }
        }
        return false;
    }

    /** The partitions that could not be collected, with the number of their process. */
    public static List<String> failed(String json) {
        List<String> failed = new ArrayList<>();
        for (JsonNode one : partitions(json)) {
            // an older server does not tell
            if (one.path("failed").asBoolean(false)) {
                String partition = one.get("partition").asString();
                failed.add(
                        one.has("process")
                                ? partition + " of process "
                                        + one.get("process").asString()
                                : partition);
            }
        }
        return failed;
    }

    /** A line for each partition: bytes before and after, segments removed, objects carried over and removed. */
    public static String of(String json) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "process", "partition", "bytes before", "after", "segments", "carried", "removed", "milliseconds"
        });
        for (JsonNode one : partitions(json)) {
            List<String> row = new ArrayList<>();
            row.add(one.has("process") ? one.get("process").asString() : "1");
            row.add(one.get("partition").asString());
            for (String number : NUMBERS) {
                row.add(one.get(number).asString());
            }
            rows.add(row.toArray(String[]::new));
        }
        return Columns.of(rows);
    }

    private static JsonNode partitions(String json) {
        return new ObjectMapper().readTree(json).get("partitions");
    }
}
