package io.weir.lab.bench.disk;

import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.LineProcess;
import java.io.IOException;
import java.io.PrintStream;

/** Stores objects in a server, and proves that they are there. Confined to its thread. */
final class Filling {
    /** A server may store less than it is asked for at once. */
    private static final int PASSES = 20;

    private static final int CONNECTIONS = 4;

    private final Bed bed;
    private final LineProcess load;
    private final PrintStream out;

    Filling(Bed bed, LineProcess load, PrintStream out) {
        this.bed = bed;
        this.load = load;
        this.out = out;
    }

    /**
     * Requests the first objects of a size until all but five in a thousand are hits.
     *
     * @throws BenchFailure if that does not come
     */
    void fill(DiskServer server, String size, long objects) throws IOException, InterruptedException, BenchFailure {
        long fetched = objects;
        int passes = 0;
        while (fetched * 200 > objects) {
            if (passes == PASSES) {
                throw new BenchFailure(server.name() + " fetched " + fetched + " of " + objects + " objects after "
                        + PASSES + " passes: it does not store them");
            }
            long before = bed.originRequests();
            Found.parse(load.order("each " + server.port() + " " + CONNECTIONS + " " + size + " 0 " + objects))
                    .whole(server.name());
            server.settle();
            // the query itself is a request
            fetched = bed.originRequests() - before - 1;
            passes++;
        }
        out.println("  " + server.name() + ": " + objects + " objects, " + passes + " passes");
    }
}
