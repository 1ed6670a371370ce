package io.weir.proxy.program.match;

/** A compiled pattern over a whole path. Immutable, shared; matching takes time linear in the path and no memory. */
@FunctionalInterface
public interface PathPattern {
    /** Whether bytes {@code [from, to)} match. */
    boolean matches(byte[] bytes, int from, int to);
}
