package io.weir.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * One client's operation, its times and its outcome. Immutable.
 *
 * @param process the client: one operation at a time each
 * @param key the object: histories are checked key by key
 * @param action the action, in the model's terms: {@code acquire}, {@code write}…
 * @param input its argument, 0 if the action has none
 * @param outcome how it ended
 * @param output its result; only an {@link Outcome#OK} has one
 * @param called when it was called, on one clock for the whole history
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

    /** The outcome of an operation, as far as the client knows. */
    public enum Outcome {
        /** It took effect, with this result. */
        OK,
        /** It certainly took no effect. */
        FAIL,
        /** Unknown: it may take effect at any time after its call, or never. */
        INFO
    }

    /** The result; throws if there is none. */
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
