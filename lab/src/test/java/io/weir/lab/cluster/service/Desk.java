package io.weir.lab.cluster.service;

import io.weir.wire.invoke.Idempotent;

/** What clients call of {@link Booking}. */
public interface Desk {
    /**
     * Notes the word under {@code booked}, then waits while there is a file {@code hold-WORD}. Twice is once too often.
     *
     * @return the member that did it
     */
    String book(String word);

    /** The same under {@code asked}; may be done again. */
    @Idempotent
    String ask(String word);

    /**
     * Waits for a file {@code bind-WORD}, binds the service under the word on a thread of its own and then in this call,
     * and notes under {@code bound} how each ended.
     *
     * @return whether either was bound
     */
    boolean bindOnceTold(String word) throws InterruptedException;
}
