package io.weir.jms.selector;

import io.weir.jms.frames.MessageView;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A parsed selector, section 3.8.1. Any number of threads can match with it: its only mutable state is one spare row.
 */
public final class Selector {
    /** Longest selector, in characters. */
    public static final int MAX_LENGTH = 32 * 1024;

    private final String text;
    private final Condition condition;
    private final AtomicReference<@Nullable MessageRow> spare = new AtomicReference<>();

    private Selector(String text, Condition condition) {
        this.text = text;
        this.condition = condition;
    }

    /**
     * Parses a selector. Null or the empty string means no selector, which the caller must handle.
     *
     * @throws SelectorFault if it does not parse, uses header fields that selectors must not use, compares incomparable
     * types, is longer than {@link #MAX_LENGTH}, nested deeper than 200, or has a LIKE pattern over 256 characters
     */
    public static Selector parse(String text) throws SelectorFault {
        if (text.length() > MAX_LENGTH) {
            throw new SelectorFault(
                    "the selector has " + text.length() + " characters, the most allowed is " + MAX_LENGTH, MAX_LENGTH);
        }
        return new Selector(text, new Parser(text, true).parse());
    }

    /**
     * Parses a selector that an earlier version accepted and stored: comparisons of incomparable types are not a fault,
     * they match nothing.
     */
    public static Selector parseStored(String text) throws SelectorFault {
        return new Selector(text, new Parser(text, false).parse());
    }

    /** Whether the selector is true for the message; false and unknown both do not match. */
    public boolean matches(SelectorInput message) {
        return condition.test(new InputRow(message)) == Condition.TRUE;
    }

    /**
     * The same on a message block, in place: without garbage except for LIKE, for IN with more than 16 strings, and for
     * comparing two properties.
     */
    public boolean matches(MessageRow message) {
        return condition.test(message) == Condition.TRUE;
    }

    /**
     * The same with a row that the selector keeps.
     *
     * @param deliveryCount JMSXDeliveryCount of the delivery that would follow
     */
    public boolean matches(MessageView message, int deliveryCount) {
        MessageRow row = spare.getAndSet(null);
        if (row == null) {
            row = new MessageRow();
        }
        boolean matches = matches(row.set(message, deliveryCount));
        spare.set(row);
        return matches;
    }

    /** True, false or unknown, for tests. */
    int test(SelectorInput message) {
        return condition.test(new InputRow(message));
    }

    /** The selector as it was written. */
    @Override
    public String toString() {
        return text;
    }
}
