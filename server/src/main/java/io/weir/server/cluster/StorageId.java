package io.weir.server.cluster;

import io.weir.base.OwnerOnly;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Which disk a member is on: a number made with the folder, so that an emptied one is known to be another. Stateless. */
final class StorageId {
    private static final String FILE = "storage";

    private StorageId() {}

    /** Reads it, or makes and forces one where there is none. */
    static String openOrCreate(Path folder) throws IOException {
        OwnerOnly.folder(folder);
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            PrivateFiles.write(file, UUID.randomUUID() + "\n");
        }
        return Files.readString(file).strip();
    }
}
