package io.weir.broker;

import io.weir.journal.disk.Disk;
import io.weir.journal.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A disk in memory that is full, fails or is taken away when the test says so. What was written is durable. */
final class FaultyDisk implements Disk {
    private static final class Content {
        byte[] bytes = new byte[0];
    }

    private final Map<String, Content> files = new TreeMap<>();
    /** No file is made. */
    boolean full;
    /** No byte is written. */
    boolean failing;
    /** What happens while the next write is under way, which then fails; those behind it do not. */
    @Nullable
    Runnable whileOneFails;
    /** The process that had it is dead: nothing that it still does counts. */
    private boolean gone;

    /** The same content for the next process; this one is cut off. */
    FaultyDisk kill() {
        FaultyDisk next = new FaultyDisk();
        files.forEach((name, c) -> {
            Content copy = new Content();
            copy.bytes = c.bytes.clone();
            next.files.put(name, copy);
        });
        gone = true;
        return next;
    }

    /** Flips a bit of the first byte of a text, wherever it stands. */
    void flip(String text) {
        int flipped = 0;
        for (Content c : files.values()) {
            int at = new String(c.bytes, StandardCharsets.ISO_8859_1).indexOf(text);
            if (at >= 0) {
                c.bytes[at] ^= 1;
                flipped++;
            }
        }
        if (flipped != 1) {
            throw new AssertionError(text + " stands in " + flipped + " files");
        }
    }

    @Override
    public List<String> list() {
        return new ArrayList<>(files.keySet());
    }

    @Override
    public DiskFile create(String name) throws IOException {
        if (full) {
            throw new IOException("No space left on device");
        }
        files.put(name, new Content());
        return new Open(name, files.get(name));
    }

    @Override
    public DiskFile open(String name, boolean direct) throws IOException {
        Content c = files.get(name);
        if (c == null) {
            throw new IOException("there is no " + name);
        }
        return new Open(name, c);
    }

    @Override
    public void delete(String name) {
        files.remove(name);
    }

    @Override
    public void rename(String from, String to) {
        files.put(to, files.remove(from));
    }

    @Override
    public void forceDirectory() {
        // always durable
    }

    @Override
    public Closeable lock(String name) {
        return () -> {};
    }

    @Override
    public String place() {
        return "memory";
    }

    private final class Open implements DiskFile {
        private final String name;
        private final Content content;

        Open(String name, Content content) {
            this.name = name;
            this.content = content;
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            Runnable meanwhile = whileOneFails;
            whileOneFails = null;
            if (meanwhile != null) {
                meanwhile.run();
            }
            if (gone || failing || meanwhile != null) {
                throw new IOException("Input/output error on " + name);
            }
            int n = from.remaining();
            int end = (int) position + n;
            if (end > content.bytes.length) {
                content.bytes = Arrays.copyOf(content.bytes, end);
            }
            from.get(content.bytes, (int) position, n);
            return n;
        }

        @Override
        public int read(ByteBuffer into, long position) {
            int n = Math.min(into.remaining(), content.bytes.length - (int) position);
            if (n <= 0) {
                return -1;
            }
            into.put(content.bytes, (int) position, n);
            return n;
        }

        @Override
        public void force() throws IOException {
            if (gone || failing) {
                throw new IOException("Input/output error on " + name);
            }
        }

        @Override
        public long size() {
            return content.bytes.length;
        }

        @Override
        public void truncate(long size) {
            content.bytes = Arrays.copyOf(content.bytes, (int) size);
        }

        @Override
        public void close() {
            // nothing is held
        }
    }
}
