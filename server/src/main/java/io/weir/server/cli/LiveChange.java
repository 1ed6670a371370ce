package io.weir.server.cli;

import io.weir.base.ConfigNode;
import io.weir.server.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A change of live knobs, as the admin listener takes it. Immutable; lives for one call. */
record LiveChange(Map<String, ConfigNode> values) {
    /** Makes the change: all of it or none. @throws CliFailure with the server's reason if it refuses */
    AdminClient.Answer make(AdminClient server, boolean persist) throws IOException {
        byte[] body = Json.object(to -> values.forEach((key, value) -> add(to, key, value)))
                .getBytes(StandardCharsets.UTF_8);
        return server.post("/knobs" + (persist ? "?persist=true" : ""), body).checked();
    }

    private static void add(Json to, String key, ConfigNode value) {
        switch (value) {
            case ConfigNode.Scalar s -> to.add(key, s.text());
            case ConfigNode.Mapping m -> to.object(key, inner -> m.entries().forEach((k, v) -> add(inner, k, v)));
            case ConfigNode.Sequence s -> list(to, key, s);
        }
    }

    /** A list has sections, such as routes, or values. */
    private static void list(Json to, String key, ConfigNode.Sequence list) {
        List<ConfigNode.Mapping> sections = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (ConfigNode item : list.items()) {
            switch (item) {
                case ConfigNode.Mapping m -> sections.add(m);
                case ConfigNode.Scalar s -> texts.add(s.text());
                case ConfigNode.Sequence _ -> throw new CliFailure(key + ": no knob is a list of lists");
            }
        }
        if (sections.isEmpty()) {
            to.add(key, texts);
        } else if (texts.isEmpty()) {
            to.array(key, sections, (m, inner) -> m.entries().forEach((k, v) -> add(inner, k, v)));
        } else {
            throw new CliFailure(key + ": a list has sections or values, not both");
        }
    }

    /** One key with its value. */
    static LiveChange of(String key, ConfigNode value) {
        Map<String, ConfigNode> one = new LinkedHashMap<>();
        one.put(key, value);
        return new LiveChange(one);
    }
}
