package io.weir.lab.load;

import java.io.IOException;

/** A connection of an {@link OpenLoop}. Confined to its loop's thread; lives until closed. */
interface OpenLoopConnection extends AutoCloseable {
    /** What takes the answers. */
    interface Arrival {
        /** An answer is complete. */
        void answered(OpenLoopConnection from, long due);
    }

    /** Requests that may be outstanding. */
    int room();

    /**
     * Sends a request.
     *
     * @param due when it was due, on the loop's clock
     */
    void ask(long due) throws IOException;

    /**
     * Reads the available bytes.
     *
     * @throws IOException also if the server answers anything but 200, or ends the connection
     */
    void read(Arrival to) throws IOException;

    @Override
    void close() throws IOException;
}
