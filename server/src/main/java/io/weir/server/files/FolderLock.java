package io.weir.server.files;

import io.weir.base.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The lock of a folder of the data directory while a server has it. The folder may be a link or a mount that another
 * data directory has, too, so the lock of the data directory is not enough. The system drops the lock with the process.
 * Immutable.
 */
public final class FolderLock implements AutoCloseable {
    private static final String FILE = "weir.lock";
    private static final int LONGEST_PID = 20;

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Creates the folder if necessary, and locks it.
     *
     * @throws IOException with the folder, the process that has it, and what to do
     */
    public static FolderLock take(Path folder) throws IOException {
        OwnerOnly.folder(folder);
        FileChannel channel = OwnerOnly.open(
                folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        String holder = "";
        boolean taken = false;
        try {
            taken = channel.tryLock() != null;
            holder = taken ? "" : holder(channel);
        } catch (OverlappingFileLockException e) {
            holder = "this process";
        } finally {
            if (!taken) {
                channel.close();
            }
        }
        if (!taken) {
            throw new IOException("the folder " + folder + " is in use by " + holder
                    + ": stop that server, or give this one a folder of its own");
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        return new FolderLock(channel);
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(LONGEST_PID);
        channel.read(b, 0);
        String pid = new String(b.array(), 0, b.position(), StandardCharsets.US_ASCII);
        return pid.isEmpty() ? "another process" : "process " + pid;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
