package io.weir.server.migrate.draft;

import io.weir.base.ByteSize;
import io.weir.base.ConfigNode.Place;
import io.weir.proxy.cache.disk.DiskTier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The folders of another server's cache as section {@code cache.disk}: one as {@code path} and {@code size}, several as
 * partitions. Each is a new folder, as the other server's files are not read. Confined to one migration.
 */
public final class DiskDraft {
    private static final long LEAST = 8L << 20;
    private static final long MOST = 900L << 30;
    private static final int MOST_FOLDERS = 64;

    private final Section root;
    private final Findings findings;
    private final List<Folder> folders = new ArrayList<>();

    public DiskDraft(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    private record Folder(String path, ByteSize size, Place at) {}

    /**
     * Adds a folder.
     *
     * @param directive that names it, for remarks
     * @param from the folder of the other server
     * @param path the folder of the translation
     */
    public void add(String directive, String from, String path, long bytes, Place at) {
        if (folders.stream().anyMatch(f -> f.path().equals(path))) {
            findings.left(at, directive + " " + from, "the folder has a partition already");
            return;
        }
        if (folders.size() == MOST_FOLDERS) {
            findings.left(at, directive + " " + from, "cache.disk has at most " + MOST_FOLDERS + " partitions");
            return;
        }
        long used = Math.clamp(bytes, LEAST, MOST);
        if (used != bytes) {
            findings.note(
                    at,
                    directive + " " + from + ": a partition has 8MiB to 900GiB, not " + new ByteSize(bytes)
                            + "; its size is " + new ByteSize(used));
        }
        findings.note(
                at,
                directive + " " + from + ": its files are not read, and the folder is a new one, " + path
                        + ", which the server must be able to create; name another if it is to be on another disk");
        folders.add(new Folder(path, new ByteSize(used), at));
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return folders.isEmpty();
    }

    /** All folders are added: writes them. */
    public void write() {
        if (folders.isEmpty()) {
            return;
        }
        Section disk = root.section("cache.disk");
        if (folders.size() == 1) {
            put(disk, folders.getFirst());
            return;
        }
        for (int i = 0; i < folders.size(); i++) {
            put(disk.section("partitions.part" + (i + 1)), folders.get(i));
        }
    }

    private static void put(Section into, Folder folder) {
        into.put("path", folder.path(), folder.at()).put("size", folder.size(), folder.at());
    }

    /**
     * Writes the largest body that the disk keeps: less than half of the largest partition, with a note if that decides.
     *
     * @param bytes that the source allows; {@link Long#MAX_VALUE}: all
     * @param what says that in a note
     */
    public static void largest(Section disk, long bytes, String what, Place at, Findings findings) {
        LongStream sizes = disk.section("partitions").entries().values().stream()
                .mapToLong(e -> e.value() instanceof Section s ? size(s) : 0);
        long kept =
                DiskTier.largestBody(disk.has("path") ? size(disk) : sizes.max().orElse(0));
        if (disk.section("partitions").isEmpty()) {
            disk.remove("partitions");
        }
        long used = Math.min(Math.min(bytes, kept), MOST);
        if (bytes > used) {
            findings.note(
                    at,
                    what + "; cache.disk.max-object-size is " + new ByteSize(used)
                            + ", as a partition keeps bodies of less than half of its size: for larger ones raise the size"
                            + " of a partition, and this");
        }
        disk.put("max-object-size", new ByteSize(used), at);
    }

    private static long size(Section partition) {
        String size = partition.text("size");
        return size == null ? 0 : ByteSize.parse(size).bytes();
    }
}
