package io.weir.proxy.cache.disk;

import io.weir.base.Log;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.Identity;
import io.weir.proxy.cache.disk.files.RealFolder;
import io.weir.proxy.cache.disk.files.Routing;
import io.weir.proxy.cache.disk.files.Strangers;
import io.weir.proxy.cache.store.KeyHash;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The folders of a tier's partitions, and the seeds of its keys' hashes. Opened before the cache, which needs them; each
 * is locked until the tier is closed.
 */
// All partitions have the same seeds, written in each, so that any of them can be replaced. A start numbers itself, one
// more than the last run of any partition, and notes that in each. So a partition that was away while others were used
// is recognised: it has missed purges, and begins empty. For a tier whose partitions were all away, and for folders of
// another server, there is the data directory: it tells which tier is its own, and whether that took part in the last
// start.
public final class DiskFolders implements AutoCloseable {
    private final List<Opened> opened;
    private final Routing routing;
    private final long k0;
    private final long k1;
    private final long newest;
    private final @Nullable Identity missed;

    /** What is known outside of the folders. */
    public interface Own {
        /** Nothing: the folders are whose they say. */
        Own UNKNOWN = new Own() {
            @Override
            public boolean is(String tier) {
                return true;
            }

            @Override
            public boolean tookPart(long run) {
                return true;
            }

            @Override
            public void uses(String tier, long run) {
                // as before
            }
        };

        /** Whether this tier is this server's; also if none is known to be. */
        boolean is(String tier);

        /**
         * Whether its own took part in the last start, and so in all purges.
         *
         * @param run the last that a folder of it knows: a copy may be older
         */
        boolean tookPart(long run);

        /** This tier is used from now on, in the run after the last. Called before anything of it is. */
        void uses(String tier, long run) throws IOException;
    }

    /**
     * A partition as it is configured.
     *
     * @param key of the configuration that names the folder
     * @param above the folder in which several processes have theirs; null: there is none
     * @param bytes its size, of this process
     */
    public record Wanted(
            String name, String key, Path path, @Nullable Path above, long bytes) {}

    /** A partition and its folder; null: it cannot be used. */
    record Opened(String name, long bytes, @Nullable Folder folder) {}

    DiskFolders(List<Opened> folders, Own own, RandomGenerator random) throws IOException {
        this.opened = List.copyOf(folders);
        this.routing = new Routing(
                folders.stream().map(Opened::name).toList(),
                folders.stream().map(Opened::bytes).toList());
        Identity latest = null;
        for (Opened one : folders) {
            Identity known = one.folder() == null ? null : Identity.read(one.folder());
            if (known != null && own.is(known.tier()) && (latest == null || known.run() > latest.run())) {
                latest = known;
            }
        }
        this.missed = latest == null || own.tookPart(latest.run()) ? null : latest;
        // one that has missed purges becomes another tier: also a start that is killed now must not find it again
        Identity next =
                latest == null || missed != null ? new Identity(random.nextLong(), random.nextLong(), 0, 0) : latest;
        this.k0 = next.k0();
        this.k1 = next.k1();
        this.newest = next.run();
        own.uses(next.tier(), newest + 1);
    }

    /**
     * Opens the folders, which are created if there are none. Those that cannot be used are left out: their keys are not
     * on a disk.
     *
     * @param follows whether another process may still use them, which this one replaces
     * @param own what is known of them
     * @param random makes the seeds, which clients must not guess
     * @throws IOException if none can be used; its message names all of them and says why
     */
    public static DiskFolders open(List<Wanted> wanted, boolean follows, Own own, RandomGenerator random, Log messages)
            throws IOException {
        List<Opened> opened = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        IOException first = null;
        for (Wanted one : wanted) {
            Folder folder = null;
            try {
                Strangers strangers = Strangers.in(one.path(), one.above());
                if (strangers != null && strangers.refused()) {
                    throw new IOException(strangers.what());
                }
                if (strangers != null) {
                    messages.log(DiskMessages.NOT_ALONE, one.name(), strangers.what());
                }
                folder = follows ? RealFolder.unclaimed(one.path()) : RealFolder.open(one.path());
            } catch (IOException e) {
                String what = one.key() + ": " + one.path() + " cannot be used: " + reason(e);
                absent.add(what);
                first = first == null ? e : first;
                if (wanted.size() > 1) {
                    messages.log(DiskMessages.ABSENT, one.name(), what);
                }
            }
            opened.add(new Opened(one.name(), one.bytes(), folder));
        }
        if (absent.size() == wanted.size()) {
            throw new IOException(
                    absent.isEmpty() ? "the disk tier has no partition" : String.join("; ", absent), first);
        }
        try {
            return new DiskFolders(opened, own, random);
        } catch (IOException e) {
            close(opened);
            throw e;
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "it is not a folder";
            case NotDirectoryException _ -> "a part of its path is not a folder";
            case FileSystemException f when f.getReason() == null -> "the folder above it cannot be written";
            default -> String.valueOf(e.getMessage());
        };
    }

    List<Opened> opened() {
        return opened;
    }

    Routing routing() {
        return routing;
    }

    /** What a partition's folder is made to. */
    Adoption adoption(int partition) {
        Identity own = new Identity(k0, k1, newest + 1, routing.fingerprint(partition));
        return new Adoption(opened.get(partition).name(), own, missed, newest, routing, partition);
    }

    /** The hash of all keys. */
    public KeyHash hash() {
        return new KeyHash(k0, k1);
    }

    private static void close(List<Opened> folders) {
        for (Opened one : folders) {
            if (one.folder() != null) {
                one.folder().close();
            }
        }
    }

    @Override
    public void close() {
        close(opened);
    }
}
