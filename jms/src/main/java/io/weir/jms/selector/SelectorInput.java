package io.weir.jms.selector;

import org.jspecify.annotations.Nullable;

/** What a selector's identifiers stand for: the header fields and properties of one message. */
public interface SelectorInput {
    /**
     * The value of a property or of a header field that selectors may name.
     *
     * @return a String, Boolean, or a number (Byte, Short, Integer, Long, Float, Double); null where there is none
     */
    @Nullable
    Object value(String identifier);
}
