package io.weir.jms.selector;

/** A part of a parsed selector. Immutable. */
sealed interface Node permits Value, Condition {
    /** How many parts lie within each other, at most. */
    int depth();
}
