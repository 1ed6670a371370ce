package io.weir.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * A sequential object that a history is measured against. Stateless: the state is a value with equals and hashCode.
 *
 * @param <S> its state
 */
public interface Model<S> {
    /** The state before everything. */
    S initial();

    /**
     * The state after an operation, or null where the object would not have answered that. For an operation with an
     * unknown outcome only the effect counts: any answer is right.
     */
    @Nullable
    S step(S state, Operation operation);
}
