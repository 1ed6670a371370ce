package io.weir.proxy.program.run;

/** A condition of a directive beside its rule: an expression of {@code obj.conf}. Immutable, shared by all loops. */
@FunctionalInterface
public interface Guard {
    /** Whether the directive applies to the request; called on its loop, each time the directive would run. */
    boolean holds(FunctionContext run);
}
