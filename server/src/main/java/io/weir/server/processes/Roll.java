package io.weir.server.processes;

import java.util.List;
import java.util.Map;

/**
 * The living and the ended processes. Immutable.
 *
 * @param living processes that can be queried, including draining ones, by their ids
 * @param ended processes that have ended since the previous call
 */
record Roll(Map<Long, Place> living, List<Ended> ended) {
    /**
     * A process and the address of its admin listener.
     *
     * @param process its number
     * @param admin host and port
     */
    record Place(int process, String admin) {}

    /**
     * A process that has ended.
     *
     * @param counted its final statistics; empty if it could not report them
     */
    record Ended(long pid, int process, String counted) {}
}
