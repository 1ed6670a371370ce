package io.weir.lab.slow;

import java.nio.ByteBuffer;

/** What a slow client does on one connection. Confined to the clients' thread. */
interface SlowManner {
    /** Reads whatever comes, as it comes. */
    int ALL = Integer.MAX_VALUE;

    /** What came means that the server ends this, with an answer or by its protocol. */
    final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String said) {
            super(said);
        }
    }

    /** What is sent first. */
    byte[] opening();

    /** What is sent in this second; empty for nothing. */
    byte[] more();

    /** How many bytes are read in each second: 0, {@link #ALL}, or between. */
    int appetite();

    /** Seconds after which the client goes by itself and comes again. */
    int patience();

    /**
     * Bytes came.
     *
     * @throws Refused when the server does not go along
     */
    void came(ByteBuffer bytes) throws Refused;
}
