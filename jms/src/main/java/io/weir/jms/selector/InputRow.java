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
        return switch (value) {
            case null -> nothing();
            case String s -> {
                text = s;
                kind = STRING;
                yield 0;
            }
            case Boolean b -> bool(b);
            case Float f -> approximate(f);
            case Double d -> approximate(d);
            case Number n -> exact(n.longValue());
            default -> throw new IllegalArgumentException(identifier.name + " has a value of " + value.getClass());
        };
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
