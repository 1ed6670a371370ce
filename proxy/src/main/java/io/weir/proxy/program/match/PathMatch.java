package io.weir.proxy.program.match;

/** How a rule's path is matched. Immutable. */
public enum PathMatch {
    /** A prefix that ends at a slash or at the path's end. */
    PREFIX,
    /** The whole path. */
    EXACT,
    /** A shell expression over the whole path, as in {@code assign-name from}: {@code * ? [a-z] (a|b)}. */
    WILDCARD,
    /** A regular expression over the whole path. */
    REGEX
}
