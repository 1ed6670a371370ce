package io.weir.server.config.sun;

import io.weir.base.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a value of the Sun servers' files is, and its unit. Immutable. */
enum Quantity {
    COUNT(1, "a whole number"),
    /** As {@link #COUNT}; 0 is without bound, which is the knob's maximum. */
    COUNT_OR_ALL(1, "a whole number"),
    BYTES(1, "a number of bytes"),
    KILOBYTES(1 << 10, "a number of KB"),
    MEGABYTES(1 << 20, "a number of MB"),
    MILLISECONDS(1, "a number of milliseconds"),
    SECONDS(1000, "a number of seconds"),
    MINUTES(60_000, "a number of minutes"),
    /** One of some words. */
    WORD(0, "a word"),
    SWITCH(0, "on or off"),
    TEXT(0, "a text");

    private static final Set<String> ON = Set.of("on", "yes", "true", "enabled", "1");
    private static final Set<String> OFF = Set.of("off", "no", "false", "disabled", "0");

    private final long unit;
    private final String expected;

    Quantity(long unit, String expected) {
        this.unit = unit;
        this.expected = expected;
    }

    boolean isNumber() {
        return unit > 0;
    }

    boolean isTime() {
        return this == MILLISECONDS || this == SECONDS || this == MINUTES;
    }

    String expected() {
        return expected;
    }

    /** The number that a text is, in this unit; null: it is none. */
    @Nullable
    Long number(String text) {
        return text.matches("-?[0-9]{1,12}") ? Long.valueOf(text) : null;
    }

    /** Milliseconds, bytes or a count. */
    long base(long number) {
        return number * unit;
    }

    /** The text of a knob for milliseconds, bytes or a count. */
    String knobText(long base) {
        return isTime() ? Durations.format(Duration.ofMillis(base)) : Long.toString(base);
    }

    /** What a switch says; null: it is none. Words are those that the Sun servers accept. */
    static @Nullable Boolean flag(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        return ON.contains(word) ? Boolean.TRUE : OFF.contains(word) ? Boolean.FALSE : null;
    }
}
