package io.weir.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * A lease with fences and the resource that it guards. Actions: {@code acquire} returns the fence, which is higher than
 * all before; {@code release} with the fence; {@code use} with the fence returns 1 if the resource accepted it and 0 if
 * it refused it as old; {@code read} returns the fence in force, or 0 if the lease is free. Fences are numbers here, in
 * the order of fences. A lease that expires can be acquired while it is held, a mutex cannot. Stateless.
 *
 * @param expires whether leases expire
 */
public record FencedLease(boolean expires) implements Model<FencedLease.Held> {
    /**
     * The holder of the lease.
     *
     * @param holder the fence in force, or 0
     * @param highest the highest fence ever issued
     */
    public record Held(long holder, long highest) {}

    @Override
    public Held initial() {
        return new Held(0, 0);
    }

    @Override
    public @Nullable Held step(Held state, Operation o) {
        return switch (o.action()) {
            case "acquire" -> acquire(state, o);
            case "release" -> state.holder() == o.input() ? new Held(0, state.highest()) : lateRelease(state, o);
            case "use" -> used(state, o) ? state : null;
            case "read" -> read(state, o);
            default -> throw new IllegalArgumentException("a lease cannot " + o.action());
        };
    }

    private @Nullable Held acquire(Held state, Operation o) {
        if (state.holder() != 0 && !expires) {
            return null;
        }
        if (!o.certain()) {
            // a fence may have been issued unseen: the next one is higher in any case
            return new Held(state.highest(), state.highest());
        }
        return o.answer() > state.highest() ? new Held(o.answer(), o.answer()) : null;
    }

    /** A release that succeeds is the holder's; a lease that has expired in the meantime cannot be released. */
    private @Nullable Held lateRelease(Held state, Operation o) {
        return !o.certain() || expires ? state : null;
    }

    private static boolean used(Held state, Operation o) {
        return !o.certain() || (o.answer() == 1) == (o.input() >= state.highest());
    }

    private @Nullable Held read(Held state, Operation o) {
        if (!o.certain() || o.answer() == state.holder()) {
            return state;
        }
        return o.answer() == 0 && expires ? new Held(0, state.highest()) : null;
    }
}
