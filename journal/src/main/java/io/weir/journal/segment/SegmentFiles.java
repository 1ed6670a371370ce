package io.weir.journal.segment;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.DiskFile;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.WritePolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates, opens and deletes segment files; runs on the background thread, one task at a time, and on the opening
 * thread. Immutable except for the source of salts.
 */
public final class SegmentFiles {
    private static final String SUFFIX = ".journal";
    private static final int CHUNK = 1 << 20;

    private final String journal;
    private final Disk disk;
    private final Clock clock;
    private final Chance chance;
    private final JournalConfig config;

    public SegmentFiles(String journal, Disk disk, Clock clock, Chance chance, JournalConfig config) {
        this.journal = journal;
        this.disk = disk;
        this.clock = clock;
        this.chance = chance;
        this.config = config;
    }

    public String journal() {
        return journal;
    }

    public String name(long number) {
        return "%s-%010d%s".formatted(journal, number, SUFFIX);
    }

    /** Names by number of all segment files of this journal. */
    public NavigableMap<Long, String> list() throws IOException {
        TreeMap<Long, String> found = new TreeMap<>();
        for (String file : disk.list()) {
            String prefix = journal + "-";
            if (file.startsWith(prefix) && file.endsWith(SUFFIX)) {
                String digits = file.substring(prefix.length(), file.length() - SUFFIX.length());
                if (digits.length() == 10 && digits.chars().allMatch(Character::isDigit)) {
                    found.put(Long.parseLong(digits), file);
                }
            }
        }
        return found;
    }

    /**
     * Creates a durable file, zero-filled after its header, ready for the first batch. Leaves nothing behind if it
     * fails.
     */
    public Segment prepare(long number, long bytes) throws IOException {
        String name = name(number);
        int first = (int) Records.align(SegmentHeader.AREA, config.blockSize().bytes());
        SegmentHeader header = new SegmentHeader(number, chance.random().nextLong(), first, bytes, clock.millis());
        boolean done = false;
        try {
            try (DiskFile file = disk.create(name)) {
                fill(file, header, bytes);
                file.force();
            }
            disk.forceDirectory();
            boolean direct = config.synchronousWritePolicy() == WritePolicy.DIRECT_WRITE;
            Segment made = new Segment(name, header, disk.open(name, direct), bytes);
            done = true;
            return made;
        } finally {
            if (!done) {
                discard(name);
            }
        }
    }

    /** Opens an existing file; null if its header is unreadable. Not for writing batches. */
    @Nullable
    public Segment open(String name) throws IOException, JournalFault {
        DiskFile file = disk.open(name, false);
        ByteBuffer b = ByteBuffer.allocate(SegmentHeader.AREA);
        while (b.hasRemaining() && file.read(b, b.position()) > 0) {
            // until full or at the end
        }
        SegmentHeader header = SegmentHeader.read(b.flip());
        if (header == null || !name(header.number()).equals(name)) {
            file.close();
            return null;
        }
        return new Segment(name, header, file, file.size());
    }

    void delete(Segment s) throws IOException {
        s.file.close();
        disk.delete(s.name);
    }

    void forceDirectory() throws IOException {
        disk.forceDirectory();
    }

    /** Renames a file that is not a usable segment; returns the new name. */
    public String setAside(String name) throws IOException {
        String aside = name + ".damaged";
        disk.rename(name, aside);
        return aside;
    }

    /** Whether there is anything but zeros after the header. */
    public boolean holdsAnything(String name) throws IOException {
        try (DiskFile file = disk.open(name, false)) {
            ByteBuffer b = ByteBuffer.allocate(CHUNK);
            for (long at = SegmentHeader.AREA; file.read(b.clear(), at) > 0; at += b.position()) {
                for (int i = 0; i < b.position(); i++) {
                    if (b.get(i) != 0) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    public void deleteLeftOver(String name) throws IOException {
        disk.delete(name);
    }

    private static void fill(DiskFile file, SegmentHeader header, long bytes) throws IOException {
        ByteBuffer b = ByteBuffer.allocateDirect((int) Math.min(CHUNK, bytes));
        header.write(b);
        b.clear();
        long at = 0;
        while (at < bytes) {
            b.limit((int) Math.min(b.capacity(), bytes - at)).position(0);
            at += writeAll(file, b, at);
            for (int i = 0; i < SegmentHeader.AREA; i++) {
                b.put(i, (byte) 0);
            }
        }
    }

    /** Writes all remaining bytes of the buffer, even if the disk's writes are short. */
    public static int writeAll(DiskFile file, ByteBuffer b, long at) throws IOException {
        int sum = 0;
        while (b.hasRemaining()) {
            int n = file.write(b, at + sum);
            if (n <= 0) {
                throw new IOException("the disk wrote no byte at offset " + (at + sum));
            }
            sum += n;
        }
        return sum;
    }

    private void discard(String name) {
        try {
            disk.delete(name);
        } catch (IOException e) {
            // the fault that led here is reported; the next start finds the file and deletes it
            return;
        }
    }
}
