package io.weir.server.assembly;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.cluster.log.LocalLog;
import io.weir.journal.ClaimedDisk;
import io.weir.journal.disk.Disk;
import io.weir.journal.settings.JournalFault;
import io.weir.server.cluster.Clustering;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.FolderLock;
import io.weir.server.history.Recorder;
import io.weir.server.start.Share;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The locks of everything that a server opens in its data directory, except the directory's own lock. They are taken
 * together, before anything is read or truncated, so that a start that is refused because of one of them has changed
 * nothing. Confined to start and stop.
 */
public final class Claims implements AutoCloseable {
    private final Deque<AutoCloseable> held = new ArrayDeque<>();
    private final @Nullable Disk messages;
    private final @Nullable Disk clusterLog;

    /**
     * Takes all of them, or none.
     *
     * @throws IOException with what is in use, by whom, and what to do
     */
    public Claims(Path dataDir, WeirConfig config, Share share) throws IOException {
        try {
            boolean stored =
                    Messaging.wanted(config) && config.messaging().jmsServer().storeEnabled();
            Path cluster = dataDir.resolve(Clustering.FOLDER);
            messages = share.first() && stored
                    ? claim(
                            BrokerAdmin.JOURNAL,
                            dataDir.resolve(DataDirectory.MESSAGES),
                            config.messaging().journal().fileLocking())
                    : null;
            if (share.first()) {
                held.push(FolderLock.take(cluster));
            }
            clusterLog = share.first() && config.cluster().alone()
                    ? claim(LocalLog.NAME, cluster.resolve(Clustering.LOG), true)
                    : null;
            if (!share.supervised()) {
                held.push(FolderLock.take(dataDir.resolve(Recorder.FOLDER)));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private ClaimedDisk claim(String journal, Path directory, boolean locking) throws IOException {
        try {
            ClaimedDisk disk = ClaimedDisk.of(journal, directory, locking);
            held.push(disk);
            return disk;
        } catch (JournalFault e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Where persistent messages are stored; null if none are. */
    @Nullable
    public Disk messages() {
        return messages;
    }

    /** Where the log of a single member is; null if there is none. */
    @Nullable
    public Disk clusterLog() {
        return clusterLog;
    }

    /** Releases all that no part has taken over. */
    @Override
    public void close() throws IOException {
        for (AutoCloseable each = held.poll(); each != null; each = held.poll()) {
            try {
                each.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
