package io.weir.server.config;

import io.weir.base.IoReason;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.disk.files.Identity;
import io.weir.proxy.cache.disk.files.RealFolder;
import io.weir.proxy.cache.disk.files.Strangers;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.InstanceName;
import io.weir.server.files.OwnTier;
import io.weir.server.users.AdminToken;
import io.weir.server.users.FileRealm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tries the folders and files that a start would read and write. Used once. */
final class FolderRehearsal {
    /** Maximum length of a socket's name, in bytes. */
    private static final int MAX_NAME_LENGTH = 107;

    /** In place of the start's name. */
    private static final String CHECKED = "check";

    /** Minimum number of bytes that a start writes. */
    private static final int ROOM = 64 << 10;

    private final RehearsalReport found;
    private final LoadedConfig loaded;
    private final Path dataDir;
    private final Predicate<Path> isWritable;

    FolderRehearsal(RehearsalReport found, LoadedConfig loaded, Path dataDir, Predicate<Path> isWritable) {
        this.found = found;
        this.loaded = loaded;
        this.dataDir = dataDir;
        this.isWritable = isWritable;
    }

    /** Tries all of them. */
    void tryAll() {
        if (found.isClean("server.data-dir")) {
            dataDirectory();
        }
        WeirConfig config = loaded.value();
        disks(config.cache().disk());
        parent("server.log.file", config.server().log().file());
        log("proxy.access-log", config.proxy().accessLog());
        config.proxy().accessLogs().forEach((name, log) -> log("proxy.access-logs." + name, log));
    }

    /** The server starts without a partition whose folder cannot be used, which is hardly intended. */
    private void disks(DiskConfig disk) {
        int processes = loaded.value().server().processes();
        boolean runs = runs();
        disk.named().forEach((name, partition) -> {
            if (!found.isClean(disk.key(name))) {
                return;
            }
            for (int process = 1; process <= processes; process++) {
                Path of = processes == 1 ? dataDir : dataDir.resolve("workers").resolve(Integer.toString(process));
                Path folder = partition.folder(of, process, processes);
                Path whole = of.resolve(partition.path());
                boolean said = !disk(disk.key(name), folder, folder.equals(whole) ? null : whole, runs);
                if (said || !own(disk.key(name), folder, of)) {
                    return;
                }
            }
        });
    }

    /** Warns of what another server has stored; returns whether there was nothing to say. */
    private boolean own(String key, Path folder, Path of) {
        try {
            String tier = Identity.tierOf(folder);
            if (tier == null || new OwnTier(dataDir, of, CHECKED).is(tier)) {
                return true;
            }
            found.warn(
                    key,
                    folder + " has what another server, or this one with another data directory, has stored: a start"
                            + " removes that, and begins empty");
        } catch (IOException e) {
            found.report(key, "the folder " + folder + " cannot be read: " + IoReason.ofFile(e));
        }
        return false;
    }

    /** Whether the server of this configuration runs, and uses the folders. */
    private boolean runs() {
        try {
            return DataDirectory.held(dataDir);
        } catch (IOException e) {
            // problems of the folder are reported
            return false;
        }
    }

    /** Returns whether there was nothing to say, so that it is not said for each process. */
    private boolean disk(String key, Path folder, @Nullable Path above, boolean runs) {
        Path at = folder;
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        if (at == null) {
            return true;
        }
        if (!Files.isDirectory(at)) {
            found.report(key, at + " is a file, but must be a folder: move it away, or name another folder");
            return false;
        }
        String why = isWritable.test(at) ? notMade(at, 0) : refused(at);
        if (why != null) {
            found.report(key, why);
            return false;
        }
        try {
            Strangers strangers = Strangers.in(folder, above);
            if (strangers != null) {
                report(strangers.refused(), key, strangers.what());
                return false;
            }
            if (!runs && RealFolder.isHeld(folder)) {
                found.report(key, "another server uses " + folder + " as its cache: name another folder");
                return false;
            }
            return folder.equals(at) ? alone(key, folder) : true;
        } catch (IOException e) {
            found.report(key, "the folder " + folder + " cannot be read: " + IoReason.ofFile(e));
            return false;
        }
    }

    /** Warns of a folder that others may write. */
    private boolean alone(String key, Path folder) throws IOException {
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(folder);
        if (now.contains(PosixFilePermission.GROUP_WRITE) || now.contains(PosixFilePermission.OTHERS_WRITE)) {
            found.warn(
                    key,
                    "others may write in " + folder + " (" + PosixFilePermissions.toString(now)
                            + "), and remove what is stored: chmod 700 " + folder);
            return false;
        }
        return true;
    }

    private void report(boolean refused, String key, String what) {
        if (refused) {
            found.report(key, what);
        } else {
            found.warn(key, what);
        }
    }

    private void dataDirectory() {
        String why = notWritable(dataDir);
        if (why != null) {
            found.report("server.data-dir", why);
        }
        if (Files.isDirectory(dataDir)) {
            own();
            kinds();
            try (Stream<Path> all = Files.list(dataDir)) {
                all.filter(p -> Files.isDirectory(p) && !isWritable.test(p))
                        .forEach(p -> found.report("server.data-dir", refused(p)));
            } catch (IOException e) {
                found.report("server.data-dir", "the folder " + dataDir + " cannot be read: " + IoReason.ofFile(e));
            }
        }
        Path link = dataDir.resolve("workers").resolve("link");
        if (loaded.value().server().processes() > 1
                && link.toString().getBytes(StandardCharsets.UTF_8).length > MAX_NAME_LENGTH) {
            found.report(
                    "server.data-dir",
                    "with several processes it has a socket, and " + link + " is too long a name for one");
        }
    }

    /** Tries the folder itself, and what an earlier start left in it. */
    private void own() {
        reporting(() -> DataDirectory.check(dataDir));
        if (Files.exists(dataDir.resolve(AdminToken.FILE))) {
            reporting(() -> AdminToken.read(dataDir));
        }
        if (Files.exists(dataDir.resolve(InstanceName.FILE))) {
            reporting(() -> InstanceName.read(dataDir));
        }
    }

    /** Tries whether folders are folders and files are files. */
    private void kinds() {
        for (String folder : List.of("messaging", "cluster", "statistics", "history", "workers")) {
            Path at = dataDir.resolve(folder);
            if (Files.exists(at) && !Files.isDirectory(at)) {
                found.report("server.data-dir", at + " is a file, but must be a folder: move it away");
            }
        }
        for (String file : List.of("weir.lock", DataDirectory.PID_FILE, Overrides.FILE, FileRealm.FILE)) {
            Path at = dataDir.resolve(file);
            if (Files.isDirectory(at)) {
                found.report("server.data-dir", at + " is a folder, but must be a file: move it away");
            }
        }
    }

    /** Reads what a start reads. */
    private interface Look {
        void at() throws IOException;
    }

    private void reporting(Look look) {
        try {
            look.at();
        } catch (IOException e) {
            found.report("server.data-dir", IoReason.of(e));
        }
    }

    private void log(String key, AccessLogConfig log) {
        if (log.format() != AccessLogConfig.Style.OFF) {
            parent(key + ".file", log.file());
        }
    }

    /** A log that cannot be written does not prevent a start: its records are lost, and counted. */
    private void parent(String key, String file) {
        if (file.isEmpty() || !found.isClean(key)) {
            return;
        }
        try {
            Path at = dataDir.resolve(file);
            if (Files.isDirectory(at)) {
                unwritten(key, at + " is a folder, but must be a file");
            } else if (Files.exists(at) && !isWritable.test(at)) {
                unwritten(key, "the file " + at + " cannot be written");
            } else if (at.getParent() != null && (found.problems().isEmpty() || !at.startsWith(dataDir))) {
                // otherwise the problem of the data directory covers it
                String why = notWritable(at.getParent());
                if (why != null) {
                    unwritten(key, why);
                }
            }
        } catch (InvalidPathException e) {
            found.report(key, String.valueOf(e.getMessage()));
        }
    }

    private void unwritten(String key, String why) {
        found.warn(key, why + ". A server would run, and nothing would be written there");
    }

    /** Why a folder is missing and cannot be created, or nothing can be created in it; null if all is well. */
    private @Nullable String notWritable(Path folder) {
        Path at = folder;
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        if (at == null) {
            return null;
        }
        if (!Files.isDirectory(at)) {
            return at + " is not a folder" + (at.equals(folder) ? "" : ", so " + folder + " cannot be made in it");
        }
        return isWritable.test(at) ? notMade(at, ROOM) : refused(at);
    }

    /** Permissions are not enough: in /proc, or on a read-only mount, nothing can be created. */
    private static @Nullable String notMade(Path in, int room) {
        try {
            Path folder = Files.createTempDirectory(in, ".weir-check");
            Path file = folder.resolve("room");
            try {
                // an empty file can be created even on a full disk
                Files.write(file, new byte[room]);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
            return null;
        } catch (IOException e) {
            String why = e instanceof NoSuchFileException ? "the system does not permit it" : IoReason.ofFile(e);
            return "nothing can be made in the folder " + in + ": " + why;
        }
    }

    private static String refused(Path folder) {
        return "the folder " + folder + " cannot be written by this user";
    }
}
