package io.weir.lab.model;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The selectors that clients use, and what the model thinks of them. Immutable. */
enum Choice {
    ALL(null, _ -> true),
    RED("colour = 'red'", l -> l.colour.equals("red")),
    NOT_RED("colour <> 'red'", l -> !l.colour.equals("red")),
    SMALL("n < 30", l -> l.n < 30),
    LARGE("n BETWEEN 40 AND 99", l -> l.n >= 40),
    URGENT("JMSPriority > 4", l -> l.priority > 4);

    final @Nullable String text;
    private final Predicate<Letter> wants;

    Choice(@Nullable String text, Predicate<Letter> wants) {
        this.text = text;
        this.wants = wants;
    }

    boolean wants(Letter l) {
        return wants.test(l);
    }
}
