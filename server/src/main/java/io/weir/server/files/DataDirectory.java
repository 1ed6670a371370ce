package io.weir.server.files;

import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The data directory while a server holds it: one at a time, by a lock that the system drops with the process, so that
 * nothing stale is left after kill -9. The lock's file has the process that holds it, from the start on; the pid file,
 * for people and for the verbs of {@code ./weir}, has the addresses of a server that is ready. Confined to start and
 * stop.
 */
public final class DataDirectory implements AutoCloseable {
    /** Name of the pid file: the process id, then {@code key=value} lines. */
    public static final String PID_FILE = "weir.pid";

    /** Key of the pid file for the completeness of the start's output. */
    public static final String ANNOUNCED = "announced";

    /** Folder of the persistent messages. */
    public static final String MESSAGES = "messaging";

    private static final String LOCK_FILE = "weir.lock";

    /** Key in the lock's file for a process that holds it briefly. */
    private static final String BRIEF = "brief";

    private static final int LOOKS = 2000;
    private static final long LOOK_NANOS = 5_000_000;

    private final Path path;
    private final DataFolder folder;
    private final FileChannel channel;
    private final FileLock lock;

    private DataDirectory(Path path, DataFolder folder, FileChannel channel, FileLock lock) {
        this.path = path;
        this.folder = folder;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Creates the folder where needed and takes its lock.
     *
     * @throws IOException with the folder, the process that holds it, and what to do; or if it is writable by everybody
     */
    public static DataDirectory open(Path path) throws IOException {
        return open(path, false);
    }

    /**
     * The same for a verb that holds it briefly: a concurrent start waits.
     *
     * @throws IOException as {@link #open(Path)}
     */
    public static DataDirectory openBriefly(Path path) throws IOException {
        return open(path, true);
    }

    private static DataDirectory open(Path path, boolean brief) throws IOException {
        DataFolder folder = DataFolder.at(path);
        FileChannel channel =
                OwnerOnly.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = lock(channel, path);
        if (lock == null) {
            channel.close();
            throw new IOException(inUse(path));
        }
        try {
            Files.deleteIfExists(path.resolve(PID_FILE));
            String text = self() + (brief ? BRIEF + "=1\n" : "");
            channel.truncate(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return new DataDirectory(path, folder, channel, lock);
    }

    /**
     * Checks whether {@link #open} would refuse a folder because of its kind. The folder need not exist yet, and is not
     * changed.
     *
     * @throws IOException with the reason
     */
    public static void check(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            DataFolder.refuseEverybodys(path);
        }
    }

    /**
     * Removes other users' permissions on Weir's files in it, such as those of earlier versions. Called once everything
     * in it is locked.
     *
     * @return what an operator should know; empty if all is well
     */
    public String tidy() throws IOException {
        return folder.tidy();
    }

    /** Whether a living server holds the folder. */
    public static boolean held(Path path) throws IOException {
        Path file = path.resolve(LOCK_FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            FileLock lock = tryLock(channel, true);
            if (lock == null) {
                return true;
            }
            lock.release();
            return false;
        }
    }

    /** The process that holds the folder, ready or not; null if none does, or if it has only just taken it. */
    public static @Nullable Long holder(Path path) throws IOException {
        return held(path) ? living(facts(path.resolve(LOCK_FILE)), path.resolve(LOCK_FILE)) : null;
    }

    /** The process of a server that is ready, or null if there is none. */
    public static @Nullable Long running(Path path) throws IOException {
        return held(path) ? living(pidFile(path), path.resolve(PID_FILE)) : null;
    }

    private static @Nullable Long living(Map<String, String> facts, Path file) throws IOException {
        String pid = facts.get("pid");
        if (pid == null) {
            return null;
        }
        try {
            long id = Long.parseLong(pid);
            return Processes.isSame(id, Long.parseLong(facts.getOrDefault("start-ticks", "-1"))) ? id : null;
        } catch (NumberFormatException e) {
            throw new IOException(file + " is damaged: delete it", e);
        }
    }

    public Path path() {
        return path;
    }

    /** Publishes that the server is ready: its process and its addresses. */
    public void ready(Map<String, String> facts) throws IOException {
        StringBuilder text = new StringBuilder(self());
        facts.forEach((k, v) -> text.append(k).append('=').append(v).append('\n'));
        PrivateFiles.write(path.resolve(PID_FILE), text.toString());
    }

    private static String self() throws IOException {
        long pid = ProcessHandle.current().pid();
        return pid + "\nstart-ticks=" + Processes.startTicks(pid) + "\n";
    }

    /** The content of the pid file: {@code pid} and the lines after it; empty if there is none. */
    public static Map<String, String> pidFile(Path path) throws IOException {
        return facts(path.resolve(PID_FILE));
    }

    private static Map<String, String> facts(Path file) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException absent) {
            // Opened without checking its existence first: a starting server deletes its predecessor's while others
            // read it.
            lines = List.of();
        }
        for (String line : lines) {
            int eq = line.indexOf('=');
            facts.put(
                    eq < 0 ? "pid" : line.substring(0, eq),
                    line.substring(eq + 1).trim());
        }
        return facts;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path.resolve(PID_FILE));
        lock.release();
        channel.close();
    }

    /**
     * The lock; null if a server has it. A process that only checks the directory holds it briefly, so that is waited
     * for; a server is not.
     */
    private static @Nullable FileLock lock(FileChannel channel, Path path) throws IOException {
        Path file = path.resolve(LOCK_FILE);
        FileLock lock = tryLock(channel, false);
        for (int i = 0; lock == null && i < LOOKS && passes(file); i++) {
            LockSupport.parkNanos(LOOK_NANOS);
            lock = tryLock(channel, false);
        }
        return lock;
    }

    /**
     * Whether the lock's holder is not a server, but only checks the directory, or is a verb that changes something.
     */
    private static boolean passes(Path file) throws IOException {
        Map<String, String> facts = facts(file);
        return facts.containsKey(BRIEF) || living(facts, file) == null;
    }

    private static @Nullable FileLock tryLock(FileChannel channel, boolean shared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, shared);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Why no other server can use a folder that is held: who holds it, and what to do. */
    public static String inUse(Path path) throws IOException {
        Long pid = holder(path);
        return "the data directory " + path + " is in use by "
                + (pid == null ? "another server that is starting" : "process " + pid)
                + ": stop that server (./weir stop --set " + quoted("server.data-dir=" + path)
                + "), or give this one its own directory with --set server.data-dir=DIR";
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./=:@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
