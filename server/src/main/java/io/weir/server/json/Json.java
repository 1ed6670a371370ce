package io.weir.server.json;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes the members of JSON objects, in the order in which they are given, through Jackson's generator. Confined to one
 * document.
 */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private static final ObjectWriteContext CONTEXT = new ObjectWriteContext.Base() {
        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }

        @Override
        public PrettyPrinter getPrettyPrinter() {
            return Spacing.ONLY;
        }
    };

    private final JsonGenerator out;

    private Json(JsonGenerator out) {
        this.out = out;
    }

    private static String document(Consumer<Json> content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(CONTEXT, text)) {
            content.accept(new Json(out));
        }
        return text.append('\n').toString();
    }

    /** A document that is an object, ending in a line feed. */
    public static String object(Consumer<Json> members) {
        return document(j -> j.braces(members));
    }

    /** A document that is an array of objects, each on a separate line, ending in a line feed. */
    public static <T> String rows(Collection<T> items, BiConsumer<T, Json> members) {
        return rows(Layout.LINES, items, members);
    }

    /** A document that is an array of objects, ending in a line feed. */
    public static <T> String rows(Layout layout, Collection<T> items, BiConsumer<T, Json> members) {
        return document(j -> j.brackets(layout, items, members));
    }

    private void braces(Consumer<Json> members) {
        out.writeStartObject();
        members.accept(this);
        out.writeEndObject();
    }

    private <T> void brackets(Layout layout, Collection<T> items, BiConsumer<T, Json> members) {
        out.writeStartArray(layout);
        for (T item : items) {
            braces(j -> members.accept(item, j));
        }
        out.writeEndArray();
    }

    /** A member with a text; null is written as {@code null}. */
    public Json add(String name, @Nullable String value) {
        out.writeStringProperty(name, value);
        return this;
    }

    public Json add(String name, long value) {
        out.writeNumberProperty(name, value);
        return this;
    }

    public Json add(String name, double value) {
        out.writeNumberProperty(name, value);
        return this;
    }

    public Json add(String name, boolean value) {
        out.writeBooleanProperty(name, value);
        return this;
    }

    /** A number without an exponent and trailing zeros. */
    public Json plain(String name, double value) {
        out.writeName(name);
        out.writeNumber(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
        return this;
    }

    /** An array of texts. */
    public Json add(String name, Iterable<String> values) {
        out.writeArrayPropertyStart(name);
        values.forEach(out::writeString);
        out.writeEndArray();
        return this;
    }

    /** An array of formatted numbers; null for missing ones. */
    public Json numbers(String name, Iterable<@Nullable String> numbers) {
        out.writeArrayPropertyStart(name);
        for (String n : numbers) {
            if (n == null) {
                out.writeNull();
            } else {
                out.writeNumber(n);
            }
        }
        out.writeEndArray();
        return this;
    }

    /** An object. */
    public Json object(String name, Consumer<Json> members) {
        out.writeName(name);
        braces(members);
        return this;
    }

    /** An array of objects, in one line. */
    public <T> Json array(String name, Collection<T> items, BiConsumer<T, Json> members) {
        return array(name, Layout.FLAT, items, members);
    }

    /** An array of objects. */
    public <T> Json array(String name, Layout layout, Collection<T> items, BiConsumer<T, Json> members) {
        out.writeName(name);
        brackets(layout, items, members);
        return this;
    }

    /** A value that is JSON already, such as another process's answer. */
    public Json written(String name, String json) {
        out.writeName(name);
        out.writeRawValue(json);
        return this;
    }
}
