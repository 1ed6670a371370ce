package io.weir.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * What one client asked, when, and how it ended. Immutable.
 *
 * @param process who asked: one operation at a time each
 * @param key what it was about: histories are checked key by key
 * @param action what was asked, in the words of the model: {@code acquire}, {@code write}…
 * @param input what was given with it, 0 where the action takes nothing
 * @param outcome how it ended
 * @param output what was answered; only an {@link Outcome#OK} has one
 * @param called when it was asked, on one clock for the whole history
 * @param returned when it ended; of an {@link Outcome#INFO} it is {@link Long#MAX_VALUE}, since it may take effect at any time
 */
public record Operation(
        long process,
        String key,
        String action,
        long input,
        Outcome outcome,
        @Nullable Long output,
        long called,
        long returned) {

    /** How an operation ended, as far as the client knows. */
    public enum Outcome {
        /** It took effect, and this is its answer. */
        OK,
        /** It surely took no effect. */
        FAIL,
        /** Nobody knows: it may take effect at any time after it was asked, or never. */
        INFO
    }

    /** The answer; fails where there is none. */
    public long answer() {
        if (output == null) {
            throw new IllegalStateException("no answer: " + this);
        }
        return output;
    }

    /** Whether its effect is certain. */
    public boolean certain() {
        return outcome == Outcome.OK;
    }

    @Override
    public String toString() {
        String end = returned == Long.MAX_VALUE ? "…" : Long.toString(returned);
        return "[" + called + ".." + end + "] p" + process + " " + action + "(" + key + ", " + input + ") " + outcome
                + (output == null ? "" : " " + output);
    }
}
