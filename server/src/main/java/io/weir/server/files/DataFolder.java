package io.weir.server.files;

import io.weir.base.IoReason;
import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The permissions of a data directory. Weir's own folders in it are 0700 and its files 0600, always. The directory
 * itself is made 0700 if Weir creates it or finds it empty; one with anything else in it is not Weir's own, and is not
 * changed; a folder for everybody's temporary files is refused. Confined to the start.
 */
final class DataFolder {
    /** Folders that Weir creates in it; the targets of symbolic links belong to the operator. */
    private static final List<String> FOLDERS =
            List.of("messaging", "cluster", "statistics", "history", "workers", "logs");
    /**
     * Files that Weir creates in it. The administrator's token is not among them: one that others could read is no
     * secret.
     */
    private static final List<String> FILES =
            List.of("weir.lock", "weir.pid", "server.out", "instance", "overrides.yaml", "users");

    /** Files of the background start and the lock, which exist before this check. */
    private static final Set<String> FIRST = Set.of("server.out", "weir.lock");

    private static final int STICKY = 01000;
    private static final int EVERYBODY_WRITES = 0002;

    private final Path path;
    private final List<String> notes = new ArrayList<>();

    private DataFolder(Path path) {
        this.path = path;
    }

    /**
     * Checks a folder, or creates it.
     *
     * @throws IOException if it is everybody's
     */
    static DataFolder at(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            try {
                OwnerOnly.folder(path);
            } catch (IOException e) {
                throw new IOException(
                        "the data directory " + path + " cannot be made: " + IoReason.ofFile(e)
                                + ". Give Weir a folder that it can write, with server.data-dir in the configuration or"
                                + " --set server.data-dir=DIR",
                        e);
            }
            return new DataFolder(path);
        }
        refuseEverybodys(path);
        DataFolder folder = new DataFolder(path);
        if (empty(path)) {
            folder.attempt(path, f -> OwnerOnly.tighten(f.toRealPath()));
        }
        return folder;
    }

    /**
     * Checks that an existing folder is not everybody's.
     *
     * @throws IOException if it is
     */
    static void refuseEverybodys(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        if ((mode & STICKY) != 0 && (mode & EVERYBODY_WRITES) != 0) {
            throw new IOException("the data directory " + path
                    + " is a folder for everybody's temporary files, where other users could place files: give Weir a"
                    + " separate one, such as --set server.data-dir=" + path.resolve("weir"));
        }
    }

    /** Changes permissions. */
    private interface Change {
        void of(Path path) throws IOException;
    }

    private void attempt(Path path, Change change) {
        try {
            change.of(path);
        } catch (IOException e) {
            // another user's, or on a disk without permissions: this does not prevent the server from working
            notes.add(path + " stays as it is, its permissions cannot be changed: " + e);
        }
    }

    private static boolean empty(Path path) throws IOException {
        try (Stream<Path> all = Files.list(path)) {
            return all.allMatch(f -> FIRST.contains(String.valueOf(f.getFileName())));
        }
    }

    /** Tightens the permissions of Weir's files; returns what an operator should know, or nothing. Called once. */
    String tidy() throws IOException {
        for (String name : FOLDERS) {
            attempt(path.resolve(name), OwnerOnly::tightenAll);
        }
        for (String name : FILES) {
            if (Files.exists(path.resolve(name))) {
                attempt(path.resolve(name), OwnerOnly::tighten);
            }
        }
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
        if (now.contains(PosixFilePermission.GROUP_WRITE) || now.contains(PosixFilePermission.OTHERS_WRITE)) {
            notes.add("others may write in it (" + PosixFilePermissions.toString(now) + ")");
        }
        return String.join("; ", notes);
    }
}
