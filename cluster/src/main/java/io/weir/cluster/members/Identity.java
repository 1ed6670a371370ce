package io.weir.cluster.members;

import io.weir.base.OwnerOnly;
import io.weir.cluster.ratis.RatisPeer;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * This member's identity as stored on disk: a random identifier of the directory, the address of its log, its cluster
 * and the cluster's first voters. A small file, replaced atomically and synced. Immutable.
 *
 * @param storage random identifier created with the directory
 * @param address host:port of its log; empty until known
 * @param cluster identifier of the cluster; null if none yet
 * @param first the voters when the cluster was formed; empty if this member joined later
 */
record Identity(UUID storage, String address, @Nullable UUID cluster, List<RatisPeer> first) {
    private static final String FILE = "identity";

    Identity {
        first = List.copyOf(first);
    }

    /** Reads the identity, or creates one if there is none. */
    static Identity of(Path directory) throws IOException {
        OwnerOnly.folder(directory);
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            Identity made = new Identity(UUID.randomUUID(), "", null, List.of());
            made.save(directory);
            return made;
        }
        Properties p = new Properties();
        p.load(new StringReader(Files.readString(file)));
        try {
            return new Identity(
                    UUID.fromString(p.getProperty("storage", "")),
                    p.getProperty("address", ""),
                    p.containsKey("cluster") ? UUID.fromString(p.getProperty("cluster")) : null,
                    peers(p));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the identity of this member in " + file
                            + " is damaged; delete the directory and it rejoins as a new member: " + e.getMessage(),
                    e);
        }
    }

    private static List<RatisPeer> peers(Properties p) {
        List<RatisPeer> peers = new ArrayList<>();
        for (int i = 0; p.containsKey("peer." + i); i++) {
            String[] f = p.getProperty("peer." + i).split(" ", -1);
            if (f.length != 5) {
                throw new IllegalArgumentException("peer." + i);
            }
            peers.add(new RatisPeer(
                    f[0], UUID.fromString(f[1]), f[2], Integer.parseInt(f[3]), Boolean.parseBoolean(f[4])));
        }
        return peers;
    }

    Identity at(String logAddress) {
        return new Identity(storage, logAddress, cluster, first);
    }

    Identity in(UUID newCluster, List<RatisPeer> peers) {
        return new Identity(storage, address, newCluster, peers);
    }

    /** Writes the identity; it is durable when this returns. */
    void save(Path directory) throws IOException {
        StringBuilder text = new StringBuilder(
                "# identity of this member's disk in its cluster: do not copy it to" + " another disk\n");
        text.append("storage=").append(storage).append('\n');
        text.append("address=").append(address).append('\n');
        if (cluster != null) {
            text.append("cluster=").append(cluster).append('\n');
        }
        for (int i = 0; i < first.size(); i++) {
            RatisPeer p = first.get(i);
            text.append("peer." + i + "=" + p.name() + " " + p.storage() + " " + p.host() + " " + p.port() + " "
                    + p.witness() + "\n");
        }
        Path temporary = directory.resolve(FILE + ".tmp");
        try (FileChannel out = OwnerOnly.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(
                temporary,
                directory.resolve(FILE),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
