package io.weir.lab.bench.http;

import io.weir.lab.bench.process.Contender;

/** Loads a server from the second processor. */
@FunctionalInterface
public interface LoadRun {
    /** Loads it for about this long, and returns when the load has ended. */
    Counts run(Contender contender, int seconds) throws Exception;
}
