package io.weir.jms.selector;

/** A part of a parsed selector. Immutable. */
sealed interface Node permits Value, Condition {
    /** The maximum nesting depth. */
    int depth();
}
