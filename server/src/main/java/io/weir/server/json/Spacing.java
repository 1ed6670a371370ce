package io.weir.server.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.PrettyPrinter;

/** No spaces but those that the {@link Layout} of an array has, which is the generator's current value. Immutable. */
final class Spacing implements PrettyPrinter {
    static final Spacing ONLY = new Spacing();

    private Spacing() {}

    private static Layout layout(JsonGenerator out) {
        return out.currentValue() instanceof Layout layout ? layout : Layout.FLAT;
    }

    @Override
    public void writeRootValueSeparator(JsonGenerator out) {
        throw new IllegalStateException("a document is one value");
    }

    @Override
    public void writeStartObject(JsonGenerator out) {
        out.writeRaw('{');
    }

    @Override
    public void beforeObjectEntries(JsonGenerator out) {
        // nothing
    }

    @Override
    public void writeObjectNameValueSeparator(JsonGenerator out) {
        out.writeRaw(':');
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator out) {
        out.writeRaw(',');
    }

    @Override
    public void writeEndObject(JsonGenerator out, int members) {
        out.writeRaw('}');
    }

    @Override
    public void writeStartArray(JsonGenerator out) {
        out.writeRaw(layout(out).start);
    }

    @Override
    public void beforeArrayValues(JsonGenerator out) {
        // nothing
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator out) {
        out.writeRaw(layout(out).between);
    }

    @Override
    public void writeEndArray(JsonGenerator out, int items) {
        out.writeRaw(']');
    }
}
