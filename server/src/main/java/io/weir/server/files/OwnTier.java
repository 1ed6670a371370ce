package io.weir.server.files;

import io.weir.base.OwnerOnly;
import io.weir.proxy.cache.disk.DiskFolders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which disk tier is a process's own, and whether it took part in the last start of the server. Used by the starting
 * thread.
 */
// Two files. That of the data directory names the last start in which clients were served, and the one before: written
// by its first process that is about to serve. That of the process's folder names its tier and the start in which it
// was
// used, with the last one before that: after a start that failed, it is still up to date. A tier that was used neither
// in
// the last start nor after it has missed the purges of that start.
public final class OwnTier implements DiskFolders.Own {
    private static final String STARTS = "cache-starts";
    private static final String TIER = "cache-tier";

    private final Path starts;
    private final Path tier;
    private final String run;
    private final String last;
    private final @Nullable List<String> noted;
    private boolean used;

    /**
     * Reads what is known.
     *
     * @param folder of the process
     * @param run names this start; empty: nothing is checked nor noted
     */
    public OwnTier(Path dataDir, Path folder, String run) throws IOException {
        this.starts = dataDir.resolve(STARTS);
        this.tier = folder.resolve(TIER);
        this.run = run;
        this.last = last();
        this.noted = run.isEmpty() ? null : read(tier, 3);
    }

    /** The words of a file; null if it is not there, or none of these. */
    private static @Nullable List<String> read(Path file, int words) throws IOException {
        try {
            List<String> all = List.of(Files.readString(file).strip().split(" ", -1));
            return all.size() == words ? all : null;
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    /** The last start before this one, whose processes may have begun to serve. */
    private String last() throws IOException {
        List<String> known = read(starts, 2);
        if (known == null) {
            return "none";
        }
        return known.getFirst().equals(run) ? known.getLast() : known.getFirst();
    }

    @Override
    public boolean is(String name) {
        List<String> known = noted;
        return known == null || known.getFirst().equals(name);
    }

    @Override
    public boolean tookPart() {
        List<String> known = noted;
        if (known == null) {
            return true;
        }
        String in = known.get(1);
        return in.equals(last) || in.equals(run) || known.get(2).equals(last);
    }

    @Override
    public void uses(String name) throws IOException {
        used = true;
        List<String> next = List.of(name, run, last);
        if (!run.isEmpty() && !next.equals(noted)) {
            PrivateFiles.write(tier, String.join(" ", next) + "\n");
        }
    }

    /** Clients are about to be served. */
    public void serves() throws IOException {
        if (run.isEmpty() || !(used || Files.exists(starts))) {
            // without a tier so far there is none that could miss this start
            return;
        }
        Path lock = starts.resolveSibling(STARTS + ".lock");
        try (FileChannel one = OwnerOnly.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var _ = one.lock();
            List<String> known = read(starts, 2);
            if (known == null || !known.getFirst().equals(run)) {
                PrivateFiles.write(starts, run + " " + (known == null ? "none" : known.getFirst()) + "\n");
            }
        }
    }
}
