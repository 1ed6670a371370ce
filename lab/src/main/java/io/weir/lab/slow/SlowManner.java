package io.weir.lab.slow;

import java.nio.ByteBuffer;

/** The behaviour of a slow client on one connection. Confined to the clients' thread. */
interface SlowManner {
    /** Reads everything as it arrives. */
    int ALL = Integer.MAX_VALUE;

    /** The received data mean that the server refuses, with an answer or by its protocol. */
    final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String said) {
            super(said);
        }
    }

    /** The bytes that are sent first. */
    byte[] opening();

    /** The bytes to send in this second; may be empty. */
    byte[] more();

    /** The number of bytes read in each second: 0, {@link #ALL}, or between. */
    int appetite();

    /** Seconds after which the client disconnects by itself and reconnects. */
    int patience();

    /**
     * Called when bytes have arrived.
     *
     * @throws Refused if the server refuses
     */
    void came(ByteBuffer bytes) throws Refused;
}
