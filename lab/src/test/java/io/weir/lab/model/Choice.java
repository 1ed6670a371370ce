package io.weir.lab.model;

import org.jspecify.annotations.Nullable;

/** The selectors that clients use, and what the model thinks of them. Immutable. */
enum Choice {
    ALL(null),
    RED("colour = 'red'"),
    NOT_RED("colour <> 'red'"),
    SMALL("n < 30"),
    LARGE("n BETWEEN 40 AND 99"),
    URGENT("JMSPriority > 4");

    final @Nullable String text;

    Choice(@Nullable String text) {
        this.text = text;
    }

    boolean wants(Letter l) {
        return switch (this) {
            case ALL -> true;
            case RED -> l.colour.equals("red");
            case NOT_RED -> !l.colour.equals("red");
            case SMALL -> l.n < 30;
            case LARGE -> l.n >= 40;
            case URGENT -> l.priority > 4;
        };
    }
}
