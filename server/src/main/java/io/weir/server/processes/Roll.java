package io.weir.server.processes;

import java.util.List;
import java.util.Map;

/**
 * All processes that are and were. Immutable.
 *
 * @param living those that can be asked, those that drain too, by their ids
 * @param ended those that ended since this was asked before
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
     * @param counted what it said that it had counted in all of its life; empty when it could not say that
     */
    record Ended(long pid, int process, String counted) {}
}
