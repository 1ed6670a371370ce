package io.weir.kernel;

/**
 * By what a work manager orders the work that waits: the place for fair share, response time and context request classes.
 * Immutable.
 */
public sealed interface RequestClass {
    /** Work of no particular class: first come, first served. */
    RequestClass DEFAULT = new FirstCome();

    /** First come, first served. */
    record FirstCome() implements RequestClass {}
}
