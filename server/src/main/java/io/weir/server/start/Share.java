package io.weir.server.start;

import io.weir.base.Chance;
import io.weir.kernel.listen.SharedPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A process's part of a server with several processes (server.processes); a single process has the whole. Immutable.
 *
 * @param process its number, from 1; the first alone has messaging, the cluster and the history of configurations
 * @param processes the number of processes
 * @param sockets descriptors of the listening sockets of all processes, in the order of their numbers, by listener
 * @param run names the start of the server that this one belongs to; empty: unknown, as with an older supervisor
 * @param folder where its logs are
 * @param scratch a folder that ends with the process
 * @param beside whether it starts beside another process with its number, which writes the same logs
 * @param post to and from the other processes
 */
public record Share(
        int process,
        int processes,
        Map<String, List<Integer>> sockets,
        String run,
        Path folder,
        Path scratch,
        boolean beside,
        Post post) {
    /** The environment variable with the name of the operator's file: programs of other releases take no such option. */
    public static final String ORIGINAL = "WEIR_CONFIG_ORIGINAL";

    /** The environment variable with the start that a worker belongs to. */
    public static final String RUN = "WEIR_RUN";

    /** The file in force, beside the workers' folders. */
    public static final String IN_FORCE = "in-force.yaml";

    /** Beside it. */
    public static final String TICKETS = "tickets";

    /** Beside it. */
    public static final String NEXT = "next.yaml";

    private static final int RUN_BYTES = 8;

    public Share {
        sockets = Map.copyOf(sockets);
    }

    /** The whole, for a single process. */
    public static Share whole(Path dataDir) {
        return new Share(1, 1, Map.of(), newRun(), dataDir, dataDir, false, new Post(null));
    }

    /** A name for a start, unlike all others. */
    public static String newRun() {
        return HexFormat.of().formatHex(Chance.secret(RUN_BYTES));
    }

    /** The configuration that all processes have after a live change. */
    public Path inForce() {
        return folder.resolveSibling(IN_FORCE);
    }

    /** The configuration that processes are told to check. */
    public Path next() {
        return folder.resolveSibling(NEXT);
    }

    /**
     * The file from which all processes derive the keys of TLS session tickets; null for one process, and without TLS.
     */
    @Nullable
    public Path tickets() {
        Path file = folder.resolveSibling(TICKETS);
        return supervised() && Files.exists(file) ? file : null;
    }

    /** The descriptor of a listener's socket of this process, or none. */
    public int socket(String listener) {
        List<Integer> all = sockets.get(listener);
        return all == null ? SharedPort.NONE : all.get(process - 1);
    }

    /** The descriptors of some processes. */
    public Set<Integer> sockets(String listener, Set<Integer> of) {
        List<Integer> all = sockets.getOrDefault(listener, List.of());
        return of.stream()
                .filter(p -> p != process && p <= all.size())
                .map(p -> all.get(p - 1))
                .collect(Collectors.toSet());
    }

    /** Whether this process has a supervisor. */
    public boolean supervised() {
        return processes > 1;
    }

    /** Whether it is the only one, or the first. */
    public boolean first() {
        return process == 1;
    }
}
