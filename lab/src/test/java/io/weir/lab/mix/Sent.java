package io.weir.lab.mix;

import org.jspecify.annotations.Nullable;

/**
 * An answer as an origin gave it, found again by the number in {@code X-Made}. Immutable.
 *
 * @param heard the ledger's time when the origin had the request's head
 * @param said when it was about to say this
 * @param tag of its content; null where it has none
 * @param origin the origin's name
 * @param shared whether others than the asker may get it
 */
record Sent(
        long number,
        Ask ask,
        long heard,
        long said,
        int status,
        @Nullable String tag,
        String language,
        String origin,
        Plan.Trouble trouble,
        boolean shared) {
    @Override
    public String toString() {
        return "answer " + number + " to #" + ask.id + " (" + status + ", " + tag + ", " + trouble + ", heard at "
                + heard + (shared ? ", shared" : ", for the asker") + ")";
    }
}
