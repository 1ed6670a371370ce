package io.weir.lab.bench.disk;

import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import java.util.List;

/**
 * The options of {@link DiskCommand}. Immutable.
 *
 * @param size of the objects of {@code hits}
 * @param rounds turns of each server
 * @param seconds length of a turn; {@code zipf} and {@code start} have turns of so many requests instead
 * @param objects stored objects of {@code start}
 * @param install whether missing programs are installed
 * @param seed of the random orders and of the bootstrap
 */
public record DiskOptions(
        DiskScenario scenario,
        Size size,
        List<Peer> peers,
        int rounds,
        int seconds,
        int objects,
        boolean install,
        long seed) {
    public DiskOptions {
        peers = List.copyOf(peers);
    }
}
