package io.weir.jms.selector;

import org.jspecify.annotations.Nullable;

/** A message that provides its values as objects. Confined to one match. */
final class InputRow extends Row {
    private final SelectorInput input;
    private String text = "";

    InputRow(SelectorInput input) {
        this.input = input;
    }

    @Override
    long load(Identifier identifier) {
        @Nullable Object value = input.value(identifier.name);
        if (value == null) {
            return nothing();
        }
        if (value instanceof String s) {
            text = s;
            kind = STRING;
            return 0;
        }
        if (value instanceof Boolean b) {
            return bool(b);
        }
        if (value instanceof Float f) {
            return approximate(f);
        }
        if (value instanceof Double d) {
            return approximate(d);
        }
        if (value instanceof Number n) {
            return exact(n.longValue());
        }
        throw new IllegalArgumentException(identifier.name + " has a value of " + value.getClass());
    }

    @Override
    void load(Literal literal) {
        text = literal.text;
        kind = STRING;
    }

    @Override
    String text() {
        return text;
    }

    @Override
    boolean textIs(Literal literal) {
        return text.equals(literal.text);
    }
}
