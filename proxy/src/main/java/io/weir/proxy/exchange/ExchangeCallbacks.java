package io.weir.proxy.exchange;

import io.weir.http.ResponseHead;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.upstream.Fetch;

/**
 * Callbacks with which the parts of an exchange report their outcome; the exchange then selects the next step. Called
 * on its muxer; a call during a step is handled after it.
 */
interface ExchangeCallbacks {
    /**
     * Answers with an error if the head is not written yet; otherwise cuts the connection. What is in progress is ended
     * at once.
     */
    void fail(ProxyFault fault, String detail);

    /** Filter or Output ended the answer before its head was written; a fetch that others wait for continues. */
    void refused(RunState state);

    /** The answer that begins is storable, although the request was sent without the store: it leads this fill. */
    void stores(Fill into, Fetch own, ResponseHead received);

    /** The answer is complete. */
    void answered();

    /** The answer cannot be completed: the client detects it by the end of the connection, after everything written. */
    void abort();

    /** The awaited function has timed out. */
    void functionTimedOut();

    /** What it awaited from the disk is in memory, or will not come: calls the cache again. */
    void lookAgain();

    /** There may be more to write to the client. */
    void more();

    /** Flushes what was written, if there is still a client. */
    void flushOut();

    /** An internal error: ends this exchange and its connection, nothing else. */
    void unexpected(RuntimeException e);
}
