package io.weir.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * A register of one number, initially 0: {@code read} returns it, {@code write} sets it, {@code add} returns the sum.
 * Stateless.
 */
public final class Register implements Model<Long> {
    @Override
    public Long initial() {
        return 0L;
    }

    @Override
    public @Nullable Long step(Long state, Operation o) {
        return switch (o.action()) {
            case "read" -> o.certain() && o.answer() != state ? null : state;
            case "write" -> o.input();
            case "add" -> o.certain() && o.answer() != state + o.input() ? null : Long.valueOf(state + o.input());
            default -> throw new IllegalArgumentException("a register cannot " + o.action());
        };
    }
}
