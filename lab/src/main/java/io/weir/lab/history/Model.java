package io.weir.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * A sequential object against which a history is checked. Stateless: the state is a value with equals and hashCode.
 *
 * @param <S> its state
 */
public interface Model<S> {
    /** The initial state. */
    S initial();

    /**
     * The state after an operation, or null if the object would not have returned that result. For an operation with an
     * unknown outcome only the effect counts: any result is right.
     */
    @Nullable
    S step(S state, Operation operation);
}
