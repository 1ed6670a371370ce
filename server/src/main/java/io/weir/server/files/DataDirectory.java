package io.weir.server.files;

import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data directory while a server holds it: one at a time, by a lock that the system drops with the process, so that
 * nothing stale is left after kill -9. The pid file is for people and for {@code ./weir stop}. Confined to start and
 * stop.
 */
public final class DataDirectory implements AutoCloseable {
    /** Name of the pid file: the process id, then {@code key=value} lines. */
    public static final String PID_FILE = "weir.pid";

    /** Key of the pid file that says that the start's output is complete. */
    public static final String ANNOUNCED = "announced";

    private static final String LOCK_FILE = "weir.lock";

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
     * @throws IOException naming the folder, the process that holds it, and what to do; or that everybody writes into it
     */
    public static DataDirectory open(Path path) throws IOException {
        DataFolder folder = DataFolder.at(path);
        FileChannel channel =
                OwnerOnly.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            channel.close();
            throw new IOException("the data directory " + path + " is in use by " + holder(path)
                    + ": stop that server, or give this one its own directory with --set server.data-dir=DIR");
        }
        Files.deleteIfExists(path.resolve(PID_FILE));
        return new DataDirectory(path, folder, channel, lock);
    }

    /**
     * Looks whether {@link #open} would refuse a folder for what it is. It need not be there yet, and stays as it is.
     *
     * @throws IOException saying why
     */
    public static void check(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            DataFolder.refuseEverybodys(path);
        }
    }

    /**
     * Takes from others what they may do with Weir's files in it, those of earlier versions. Once everything in it is locked.
     *
     * @return what an operator should know; empty when all is well
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
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                return true;
            }
            lock.release();
            return false;
        }
    }

    public Path path() {
        return path;
    }

    /** Says that the server is ready: who it is and where it is reached. */
    public void ready(Map<String, String> facts) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append(ProcessHandle.current().pid()).append('\n');
        text.append("start-ticks=")
                .append(Processes.startTicks(ProcessHandle.current().pid()))
                .append('\n');
        facts.forEach((k, v) -> text.append(k).append('=').append(v).append('\n'));
        PrivateFiles.write(path.resolve(PID_FILE), text.toString());
    }

    /** What the pid file says: {@code pid} and the lines after it; empty when there is none. */
    public static Map<String, String> pidFile(Path path) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        Path file = path.resolve(PID_FILE);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                int eq = line.indexOf('=');
                facts.put(
                        eq < 0 ? "pid" : line.substring(0, eq),
                        line.substring(eq + 1).trim());
            }
        }
        return facts;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path.resolve(PID_FILE));
        lock.release();
        channel.close();
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String holder(Path path) throws IOException {
        String pid = pidFile(path).get("pid");
        return pid == null ? "another server that is starting" : "process " + pid;
    }
}
