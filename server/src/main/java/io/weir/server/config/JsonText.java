package io.weir.server.config;

import io.weir.base.ConfigNode;
import java.io.StringWriter;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes keys and their values as JSON, as {@code PATCH /knobs} takes them. Stateless. */
public final class JsonText {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonText() {}

    public static String of(Map<String, ConfigNode> values) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(out, values);
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, Map<String, ConfigNode> values) {
        out.writeStartObject();
        values.forEach((name, value) -> {
            out.writeName(name);
            write(out, value);
        });
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, ConfigNode value) {
        switch (value) {
            case ConfigNode.Scalar s -> out.writeString(s.text());
            case ConfigNode.Mapping m -> write(out, m.entries());
            case ConfigNode.Sequence s -> {
                out.writeStartArray();
                s.items().forEach(item -> write(out, item));
                out.writeEndArray();
            }
        }
    }
}
