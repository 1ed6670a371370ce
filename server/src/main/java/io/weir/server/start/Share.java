package io.weir.server.start;

import io.weir.kernel.listen.SharedPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server's part of what several processes are together (server.processes); one process has the whole. Immutable.
 *
 * @param process its number, from 1; the first alone has messaging, the cluster and the history of configurations
 * @param processes how many there are
 * @param sockets descriptors of the listening sockets of all processes, in the order of their numbers, by listener
 * @param folder where its logs are
 * @param scratch a folder that ends with the process
 * @param beside whether it starts beside another process of its number, which writes the same logs
 */
public record Share(
        int process, int processes, Map<String, List<Integer>> sockets, Path folder, Path scratch, boolean beside) {
    /** Beside the workers' folders. */
    public static final String IN_FORCE = "in-force.yaml";

    /** Beside it. */
    public static final String TICKETS = "tickets";

    /** Beside it. */
    public static final String NEXT = "next.yaml";

    public Share {
        sockets = Map.copyOf(sockets);
    }

    /** All of it. */
    public static Share whole(Path dataDir) {
        return new Share(1, 1, Map.of(), dataDir, dataDir, false);
    }

    /** The configuration that all processes have, once a change was applied to them. */
    public Path inForce() {
        return folder.resolveSibling(IN_FORCE);
    }

    /** The configuration that they are asked whether they could have. */
    public Path next() {
        return folder.resolveSibling(NEXT);
    }

    /** What all processes derive the keys of TLS session tickets from; null for one process, and where there is no TLS. */
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

    /** Those of some processes. */
    public Set<Integer> sockets(String listener, Set<Integer> of) {
        List<Integer> all = sockets.getOrDefault(listener, List.of());
        return of.stream()
                .filter(p -> p != process && p <= all.size())
                .map(p -> all.get(p - 1))
                .collect(Collectors.toSet());
    }

    /** Whether a supervisor looks after this process. */
    public boolean supervised() {
        return processes > 1;
    }

    /** Whether it is the only one, or the first. */
    public boolean first() {
        return process == 1;
    }
}
