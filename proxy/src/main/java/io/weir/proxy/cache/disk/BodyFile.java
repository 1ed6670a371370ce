package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.SegmentFile;

/** An open file with nothing but the body of one answer. Shared. */
final class BodyFile extends HeldFile {
    private static final String PREFIX = "body-";

    private final BodyFiles files;
    final long id;
    private volatile long bytes;
    /** A record names it: it is found after a restart, and may be opened again. */
    private volatile boolean known;

    /** @param known whether a record names it */
    BodyFile(BodyFiles files, long id, SegmentFile file, long bytes, boolean known) {
        super(file);
        this.files = files;
        this.id = id;
        this.bytes = bytes;
        this.known = known;
    }

    static String name(long id) {
        return PREFIX + Long.toHexString(id);
    }

    static boolean isName(String name) {
        return name.matches(PREFIX + "[0-9a-f]{1,16}");
    }

    /** The number in a name; 0 if there is none. */
    static long id(String name) {
        try {
            return Long.parseLong(name.substring(PREFIX.length()), 16);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    @Override
    long bytes() {
        return bytes;
    }

    void bytes(long now) {
        bytes = now;
    }

    boolean known() {
        return known;
    }

    void known(boolean now) {
        known = now;
    }

    @Override
    void closed() {
        files.closed(this);
    }
}
