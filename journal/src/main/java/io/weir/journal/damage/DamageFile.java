package io.weir.journal.damage;

import io.weir.journal.disk.Disk;
import io.weir.journal.disk.DiskFile;
import io.weir.journal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The file format of the damage list: {@code NAME.damage} beside the segments, text with a line for each place and a
 * checksum at the end, replaced as a whole. Immutable.
 */
public final class DamageFile {
    private static final String FORMAT = "weir-damage 1";
    private static final String NEXT = ".new";
    private static final String UNREADABLE = ".unreadable";
    private static final int FIELDS = 8;

    private final Disk disk;
    private final String name;

    /** The content: the places, the next number, and how many more places there were. */
    public record Content(List<Damage> places, long next, long beyond) {
        static final Content NONE = new Content(List.of(), 1, 0);
    }

    public DamageFile(Disk disk, String journal) {
        this.disk = disk;
        this.name = journal + ".damage";
    }

    String name() {
        return name;
    }

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, or its checksum does not match
     */
    public Content read() throws IOException {
        if (!disk.list().contains(name)) {
            return Content.NONE;
        }
        String text = text();
        int end = text.lastIndexOf("\nend ");
        if (end < 0 || !text.substring(end + 1).equals(seal(text.substring(0, end + 1)))) {
            throw new IOException(name + " does not match its checksum");
        }
        try {
            return parse(text.substring(0, end).split("\n", -1));
        } catch (RuntimeException e) {
            throw new IOException(name + " cannot be parsed: " + e.getMessage(), e);
        }
    }

    /** Sets an unreadable file aside. */
    void putAside() throws IOException {
        disk.rename(name, name + UNREADABLE);
    }

    void write(Content content) throws IOException {
        StringBuilder text = new StringBuilder(FORMAT + "\t" + content.next() + "\t" + content.beyond() + "\n");
        for (Damage d : content.places()) {
            List<String> fields = new ArrayList<>(List.of(
                    Long.toString(d.number()),
                    Long.toString(d.found()),
                    d.by(),
                    d.file(),
                    Long.toString(d.offset()),
                    Long.toString(d.length()),
                    d.cause(),
                    d.acknowledged()));
            fields.addAll(d.lost());
            text.append(String.join(
                            "\t", fields.stream().map(DamageFile::escaped).toList()))
                    .append('\n');
        }
        byte[] bytes = (text + seal(text.toString())).getBytes(StandardCharsets.UTF_8);
        if (disk.list().contains(name + NEXT)) {
            disk.delete(name + NEXT);
        }
        try (DiskFile file = disk.create(name + NEXT)) {
            SegmentFiles.writeAll(file, ByteBuffer.wrap(bytes), 0);
            file.force();
        }
        disk.rename(name + NEXT, name);
        disk.forceDirectory();
    }

    private String text() throws IOException {
        try (DiskFile file = disk.open(name, false)) {
            ByteBuffer b = ByteBuffer.allocate(Math.toIntExact(file.size()));
            while (b.hasRemaining() && file.read(b, b.position()) > 0) {
                // until full or at the end
            }
            return StandardCharsets.UTF_8.decode(b.flip()).toString();
        }
    }

    private static Content parse(String[] lines) {
        String[] head = lines[0].split("\t", -1);
        if (!head[0].equals(FORMAT)) {
            throw new IllegalArgumentException("its format is " + head[0]);
        }
        List<Damage> places = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            String[] f = lines[i].split("\t", -1);
            List<String> lost = new ArrayList<>();
            for (int k = FIELDS; k < f.length; k++) {
                lost.add(plain(f[k]));
            }
            places.add(new Damage(
                    Long.parseLong(f[0]),
                    Long.parseLong(f[1]),
                    plain(f[2]),
                    plain(f[3]),
                    Long.parseLong(f[4]),
                    Long.parseLong(f[5]),
                    plain(f[6]),
                    lost,
                    plain(f[7])));
        }
        return new Content(List.copyOf(places), Long.parseLong(head[1]), Long.parseLong(head[2]));
    }

    private static String seal(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return "end " + Long.toHexString(crc.getValue()) + "\n";
    }

    private static String escaped(String field) {
        return field.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    private static String plain(String field) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\') {
                char next = field.charAt(++i);
                c = next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next;
            }
            plain.append(c);
        }
        return plain.toString();
    }
}
