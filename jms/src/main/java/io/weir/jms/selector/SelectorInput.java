package io.weir.jms.selector;

import org.jspecify.annotations.Nullable;

/** The values of a selector's identifiers: the header fields and properties of one message. */
public interface SelectorInput {
    /**
     * The value of a property or of a header field that selectors can use.
     *
     * @return a String, Boolean, or a number (Byte, Short, Integer, Long, Float, Double); null if there is none
     */
    @Nullable
    Object value(String identifier);
}
