package io.weir.server.cluster;

import io.weir.base.Fence;
import io.weir.server.admin.Json;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A flat JSON object, written name by name. Confined to one answer. */
final class JsonRow {
    private final StringBuilder text = new StringBuilder("{");

    JsonRow add(String name, @Nullable String value) {
        return raw(name, Json.quote(value == null ? "" : value));
    }

    JsonRow add(String name, long value) {
        return raw(name, Long.toString(value));
    }

    JsonRow add(String name, boolean value) {
        return raw(name, Boolean.toString(value));
    }

    JsonRow add(String name, Fence fence) {
        return add(name, fence.equals(Fence.NONE) ? "" : fence.toString());
    }

    JsonRow add(String name, List<String> values) {
        return raw(name, values.stream().map(Json::quote).collect(Collectors.joining(",", "[", "]")));
    }

    private JsonRow raw(String name, String value) {
        text.append(text.length() > 1 ? "," : "")
                .append(Json.quote(name))
                .append(':')
                .append(value);
        return this;
    }

    String end() {
        return text + "}";
    }

    static String array(List<String> rows) {
        return rows.stream().collect(Collectors.joining(",\n", "[", "]\n"));
    }
}
