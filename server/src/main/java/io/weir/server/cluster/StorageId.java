package io.weir.server.cluster;

import io.weir.base.OwnerOnly;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The identity of a member's disk: a number created with the folder, so that an emptied folder is recognised as a
 * different one. Stateless.
 */
final class StorageId {
    private static final String FILE = "storage";

    private StorageId() {}

    /** Reads it, or creates and forces one if there is none. */
    static String openOrCreate(Path folder) throws IOException {
        OwnerOnly.folder(folder);
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            PrivateFiles.write(file, UUID.randomUUID() + "\n");
        }
        return Files.readString(file).strip();
    }
}
