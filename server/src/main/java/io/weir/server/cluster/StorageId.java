package io.weir.server.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Which disk a member is on: a number made with the folder, so that an emptied one is known to be another. Stateless. */
final class StorageId {
    private static final String FILE = "storage";

    private StorageId() {}

    /** Reads it, or makes and forces one where there is none. */
    static String openOrCreate(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            Path fresh = Files.writeString(folder.resolve(FILE + ".new"), UUID.randomUUID() + "\n");
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return Files.readString(file).strip();
    }
}
