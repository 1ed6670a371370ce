package io.weir.lab.bench.growth;

import io.weir.lab.bench.http.Entrant;
import java.util.List;

/** Starts the servers of a growth's steps and prepares their loads. */
@FunctionalInterface
interface GrowthSteps {
    /**
     * A contender for each step, in their order.
     *
     * @throws Exception if a server does not hold what its step says
     */
    List<Entrant> entrants(List<Long> steps) throws Exception;
}
