package io.weir.lab.model;

import io.weir.jms.frames.RefusalCode;

/** What a client asked of the broker: what the books do when it is read and answered, what the client does with the answer. */
class Request {
    final int number;
    final String what;
    boolean read;
    boolean answered;
    /** It may rightly stay unanswered for a while: it waits for messages, or for room. */
    boolean patient;

    Request(int number, String what) {
        this.number = number;
        this.what = what;
    }

    /** The broker reads it now. */
    void read() {
        // nothing to book
    }

    /** The broker said yes. */
    void granted() {
        // nothing to book
    }

    /** The broker said no. */
    void refused(RefusalCode code, String text) {
        // nothing to book
    }

    /** The answer reached the client. */
    void arrived(boolean granted) {
        // nothing to do
    }

    @Override
    public String toString() {
        return what + " (request " + number + ")";
    }
}
