package io.weir.lab.bench.growth;

import jakarta.jms.JMSException;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Messages of 1 KB, not persistent, sent without waiting for answers, of which only so many are on the way at a time,
 * whatever the size. Lives until closed; confined to its thread.
 */
interface MessageFlow extends AutoCloseable {
    /** Bytes of a body. */
    int BYTES = 1024;

    /**
     * Sends while it may, then waits until all has been received.
     *
     * @return messages received
     * @throws JMSException also if one is not received within some seconds
     */
    long run(BooleanSupplier more, RandomGenerator random) throws JMSException;

    @Override
    void close() throws JMSException;
}
