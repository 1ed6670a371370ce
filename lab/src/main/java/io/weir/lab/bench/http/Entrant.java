package io.weir.lab.bench.http;

import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.process.Contender;

/**
 * A contender with its load. Immutable.
 *
 * @param reaching which share of its units may or must reach the origin
 * @param warm its load before it is measured
 * @param load its load when it is measured
 * @param origin counts the units that reached the origin
 */
public record Entrant(Contender contender, Reaching reaching, LoadRun warm, LoadRun load, Origin origin) {
    /** The origin's count. */
    public interface Origin {
        /** Units that reached it since it was started. */
        long requests() throws Exception;
    }
}
