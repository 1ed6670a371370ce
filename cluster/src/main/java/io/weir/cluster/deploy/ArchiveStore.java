package io.weir.cluster.deploy;

import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Archives on this member's disk, by the SHA-256 of their contents: {@code data/cluster/deployments/SHA.jar}. A file
 * with such a name is complete and was synced to disk. Shared; blocks.
 */
public final class ArchiveStore {
    private static final Pattern SHA = Pattern.compile("[0-9a-f]{64}");
    private static final String SUFFIX = ".jar";

    /** Writes an archive's contents. */
    interface Source {
        void writeTo(OutputStream out) throws IOException, InterruptedException, DeployFault;
    }

    private final Path directory;

    /** Opens the store and removes partial files of an earlier process. */
    public ArchiveStore(Path directory) throws IOException {
        this.directory = OwnerOnly.folder(directory);
        for (Path p : files()) {
            if (!p.toString().endsWith(SUFFIX)) {
                ArchivePath.delete(p);
            }
        }
    }

    /** Folder for the archives unpacked by this process; the next process removes it. */
    Path unpacked() {
        return directory.resolve("unpacked");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    /** The path of the archive with this digest, whether it exists or not. */
    Path path(String sha256) {
        if (!SHA.matcher(sha256).matches()) {
            throw new IllegalArgumentException("not a SHA-256: " + sha256);
        }
        return directory.resolve(sha256 + SUFFIX);
    }

    boolean has(String sha256) {
        return Files.isRegularFile(path(sha256));
    }

    /**
     * Stores an archive unless it is already stored.
     *
     * @throws DeployFault if the written contents have another digest
     */
    void put(String sha256, Source source) throws IOException, InterruptedException, DeployFault {
        if (has(sha256)) {
            return;
        }
        Path part = Files.createTempFile(directory, "in", ".part");
        try {
            try (OutputStream out = Files.newOutputStream(part)) {
                source.writeTo(out);
            }
            String found = Archive.digest(part);
            if (!found.equals(sha256)) {
                throw new DeployFault("the contents have SHA-256 " + found + ", not " + sha256);
            }
            force(part);
            Files.move(part, path(sha256), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /**
     * Reads a part of an archive.
     *
     * @param into is filled up to the end of the archive
     * @return whether this member has it
     */
    boolean read(String sha256, long offset, ByteBuffer into) throws IOException {
        if (!has(sha256)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path(sha256), StandardOpenOption.READ)) {
            int n = 0;
            while (n >= 0 && into.hasRemaining()) {
                n = channel.read(into, offset + into.position());
            }
        }
        return true;
    }

    /** Removes all other archives. */
    void keepOnly(Set<String> sha256s) throws IOException {
        for (Path p : files()) {
            String file = p.getFileName().toString();
            if (file.endsWith(SUFFIX) && !sha256s.contains(file.substring(0, file.length() - SUFFIX.length()))) {
                Files.deleteIfExists(p);
            }
        }
    }
}
