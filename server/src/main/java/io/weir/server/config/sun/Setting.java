package io.weir.server.config.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.base.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One setting of the Sun servers' files, by its name there: which knobs it is here, or why it has no meaning. Immutable.
 *
 * @param min the smallest number that the Sun servers accept, in their unit
 * @param words for {@link Quantity#WORD} and {@link Quantity#SWITCH}: what each is in the knob; empty: its default
 * @param keys the knobs; {@code *} is every listener or log, {@code <name>} the name of what the setting belongs to
 * @param note without keys, the reason why it has no meaning; with keys, what an operator should know; may be empty
 * @param special another class applies it
 */
record Setting(
        String name,
        Quantity quantity,
        long min,
        long max,
        Map<String, String> words,
        List<String> keys,
        String note,
        boolean special) {
    private static final Map<String, String> ON_OFF = Map.of("on", "on", "off", "off");

    Setting {
        words = Map.copyOf(words);
        keys = List.copyOf(keys);
    }

    /** A number with the range of the Sun servers. */
    static Setting number(String name, Quantity quantity, long min, long max, String... keys) {
        return new Setting(name, quantity, min, max, Map.of(), List.of(keys), "", false);
    }

    /** A switch that is one here, too. */
    static Setting flag(String name, String... keys) {
        return new Setting(name, Quantity.SWITCH, 0, 0, ON_OFF, List.of(keys), "", false);
    }

    /** A switch that is another value here; an empty text leaves the knob's default. */
    static Setting either(String name, String on, String off, String... keys) {
        return new Setting(name, Quantity.SWITCH, 0, 0, Map.of("on", on, "off", off), List.of(keys), "", false);
    }

    /** One of some words. */
    static Setting words(String name, Map<String, String> words, String... keys) {
        return new Setting(name, Quantity.WORD, 0, 0, words, List.of(keys), "", false);
    }

    static Setting text(String name, String... keys) {
        return new Setting(name, Quantity.TEXT, 0, 0, Map.of(), List.of(keys), "", false);
    }

    /** A setting that has no meaning here. */
    static Setting noted(String name, Quantity quantity, String reason) {
        return new Setting(name, quantity, Long.MIN_VALUE, Long.MAX_VALUE, Map.of(), List.of(), reason, false);
    }

    /** A setting that another class applies to these knobs; the note says how. */
    static Setting special(String name, String note, String... keys) {
        return new Setting(name, Quantity.TEXT, 0, 0, Map.of(), List.of(keys), note, true);
    }

    /** The same with what an operator should know. */
    Setting and(String more) {
        return new Setting(name, quantity, min, max, words, keys, more, special);
    }

    boolean applied() {
        return !keys.isEmpty();
    }

    /**
     * Checks a value and applies it, or notes why not.
     *
     * @param owner what the setting belongs to, for messages; empty: nothing
     * @param keyOf the key for one of {@link #keys}
     */
    void apply(Layer layer, String owner, String value, Place at, UnaryOperator<String> keyOf) {
        String called = owner.isEmpty() ? name : owner + " " + name;
        String wrong = wrong(value);
        if (wrong != null) {
            layer.problem(at, called + ": " + wrong);
        } else if (!applied()) {
            layer.note(at, called + " has no effect: " + note);
        } else if (quantity.isNumber()) {
            number(layer, called, Long.parseLong(value), at, keyOf);
        } else {
            String text = quantity == Quantity.TEXT ? value : words.getOrDefault(word(value), "");
            if (!text.isEmpty()) {
                keys.forEach(key -> layer.put(keyOf.apply(key), at, text, called));
            }
        }
    }

    private void number(Layer layer, String called, long number, Place at, UnaryOperator<String> keyOf) {
        for (String key : keys) {
            long base = quantity == Quantity.COUNT_OR_ALL && number == 0 ? Long.MAX_VALUE : quantity.base(number);
            layer.number(keyOf.apply(key), at, quantity, base, called, number);
        }
    }

    /** The word of {@link #words}. */
    private String word(String value) {
        Boolean flag = quantity == Quantity.SWITCH ? Quantity.flag(value) : null;
        return flag == null ? value.toLowerCase(Locale.ROOT) : flag ? "on" : "off";
    }

    private @Nullable String wrong(String value) {
        if (quantity.isNumber()) {
            Long number = quantity.number(value);
            if (number == null) {
                return "expected " + quantity.expected() + range() + ", found \"" + value + "\"";
            }
            return number < min || number > max
                    ? "expected " + quantity.expected() + range() + ", found " + number
                    : null;
        }
        if (quantity == Quantity.SWITCH && Quantity.flag(value) == null) {
            return "expected on or off, found \"" + value + "\"";
        }
        if (quantity == Quantity.WORD && !words.containsKey(word(value))) {
            return "expected " + String.join(", ", new TreeSet<>(words.keySet())) + ", found \"" + value + "\""
                    + nearest(value, words.keySet());
        }
        return null;
    }

    private String range() {
        return min == Long.MIN_VALUE ? "" : " from " + min + " to " + max;
    }

    /** The continuation of a message that names what was meant; empty if nothing is near. */
    static String nearest(String word, Collection<String> known) {
        String nearest = Nearest.of(word, known);
        return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
    }
}
