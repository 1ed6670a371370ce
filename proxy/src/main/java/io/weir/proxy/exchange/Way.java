package io.weir.proxy.exchange;

import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;

/**
 * Callbacks by which the parts of an exchange report their outcome; the exchange then chooses the next step. Called on
 * its muxer; a call during a step is handled after it.
 */
interface Way {
    /**
     * Answers with an error where the head is not written yet; else cuts the connection. What is under way is ended at
     * once.
     */
    void fail(ProxyFault fault, String detail);

    /** Filter or Output ended the answer before its head was written; what others wait for goes on. */
    void refused(RunState state);

    /** The answer is complete. */
    void answered();

    /** The answer cannot be completed: the client sees it by the connection's end, behind all that was written. */
    void abort();

    /** The function that is waited for took too long. */
    void functionLate();

    /** Writes out what was written, if there is still a client. */
    void flushOut();

    /** An error of Weir's own: this exchange and its connection end, nothing else. */
    void unexpected(RuntimeException e);
}
