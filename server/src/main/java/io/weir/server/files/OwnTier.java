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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which disk tier is a process's own, and whether it took part in the last start of the server. Used by the starting
 * thread.
 */
// Two files. That of the data directory names the last start in which clients were served, and the one before: written
// by its first process that is about to serve. That of the process's folder is a note of its tier. A tier that was used
// neither in the last start nor after it has missed the purges of that start; after starts that failed it is up to
// date.
// Folders with an older run than the note are copies, or partitions that were away while the others were used.
public final class OwnTier implements DiskFolders.Own {
    private static final String STARTS = "cache-starts";
    private static final String TIER = "cache-tier";
    private static final String NONE = "none";
    private static final Pattern NOTE = Pattern.compile("(\\S+) (\\S+) (\\S+) (\\d{1,18}) (\\d{1,18})\\s*");

    private final Path starts;
    private final Path tier;
    private final String start;
    private final String last;
    private final @Nullable Note noted;
    private boolean used;

    /**
     * What the process's folder has.
     *
     * @param tier its tier
     * @param start in which it was used
     * @param last the start before that in which clients were served
     * @param run what the tier's folders note in that start
     * @param before what they had noted in the last one
     */
    private record Note(String tier, String start, String last, long run, long before) {
        static @Nullable Note read(Path file) throws IOException {
            String text = text(file);
            var m = NOTE.matcher(text == null ? "" : text);
            return m.matches()
                    ? new Note(
                            m.group(1), m.group(2), m.group(3), Long.parseLong(m.group(4)), Long.parseLong(m.group(5)))
                    : null;
        }

        String line() {
            return String.join(" ", tier, start, last, Long.toString(run), Long.toString(before)) + "\n";
        }
    }

    /**
     * Reads what is known.
     *
     * @param folder of the process
     * @param start names this start; empty: nothing is checked nor noted
     */
    public OwnTier(Path dataDir, Path folder, String start) throws IOException {
        this.starts = dataDir.resolve(STARTS);
        this.tier = folder.resolve(TIER);
        this.start = start;
        List<String> known = served();
        this.last = known.getFirst().equals(start) ? known.getLast() : known.getFirst();
        this.noted = start.isEmpty() ? null : Note.read(tier);
    }

    private static @Nullable String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    /** The last start in which clients were served, and the one before. */
    private List<String> served() throws IOException {
        String text = text(starts);
        List<String> all = text == null ? List.of() : List.of(text.strip().split(" ", -1));
        return all.size() == 2 ? all : List.of(NONE, NONE);
    }

    @Override
    public boolean is(String name) {
        Note known = noted;
        return known == null || known.tier().equals(name);
    }

    @Override
    public boolean tookPart(long run) {
        Note known = noted;
        if (known == null) {
            return true;
        }
        if (known.start().equals(last)) {
            return run == known.run();
        }
        // that start has not served, or is this one: the folders may have noted it or not
        boolean within = run >= known.before() && run <= known.run();
        return within && (known.start().equals(start) || known.last().equals(last));
    }

    @Override
    public void uses(String name, long run) throws IOException {
        used = true;
        Note known = noted;
        Note next = new Note(name, start, last, run, before(known, name, run));
        if (!start.isEmpty() && !next.equals(known)) {
            PrivateFiles.write(tier, next.line());
        }
    }

    private long before(@Nullable Note known, String name, long run) {
        if (known == null || !known.tier().equals(name)) {
            return run - 1;
        }
        return known.start().equals(last) ? known.run() : known.before();
    }

    /** Clients are about to be served. */
    public void serves() throws IOException {
        if (start.isEmpty() || !(used || Files.exists(starts))) {
            // without a tier so far there is none that could miss this start
            return;
        }
        Path lock = starts.resolveSibling(STARTS + ".lock");
        try (FileChannel one = OwnerOnly.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var _ = one.lock();
            String before = served().getFirst();
            if (!before.equals(start)) {
                PrivateFiles.write(starts, start + " " + before + "\n");
            }
        }
    }
}
