package io.weir.server.history;

import io.weir.base.OwnerOnly;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The newest file of a ring, to which rows are appended, in the format of {@link Rows}. Nothing is forced to the disk:
 * a crash of the machine may lose the last seconds, which the checksums detect. Confined to the recorder's thread.
 */
final class RowFile implements AutoCloseable {
    private final FileChannel channel;
    private final long start;
    private final Map<SeriesKey, Integer> numbers = new HashMap<>();
    private long[] before = new long[256];
    private int defined;
    private long lastMillis;
    private long size;

    private RowFile(FileChannel channel, long start) {
        this.channel = channel;
        this.start = start;
        this.lastMillis = start;
    }

    /**
     * Creates a file. If that fails, no file is left behind on a full disk.
     *
     * @param disk wraps the file that is written
     */
    static RowFile create(Path file, long millis, UnaryOperator<FileChannel> disk) throws IOException {
        FileChannel channel = disk.apply(OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        RowFile fresh = new RowFile(channel, millis);
        ByteBuffer header = ByteBuffer.allocate(Rows.HEADER);
        header.put(Rows.MAGIC).put((byte) Rows.VERSION).putLong(millis).flip();
        try {
            fresh.write(header);
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
        return fresh;
    }

    /** Continues a file of an earlier process; a truncated or damaged end is removed. */
    static RowFile reopen(Path file, long start, UnaryOperator<FileChannel> disk) throws IOException {
        FileChannel channel = disk.apply(FileChannel.open(file, StandardOpenOption.WRITE));
        try {
            RowFile old = new RowFile(channel, start);
            old.size = Rows.read(file, old.new Recovery());
            if (old.size == 0) {
                // perhaps the file of a later version, to which an operator may return
                throw new IOException(file + " is not a file of the history");
            }
            channel.truncate(old.size).position(old.size);
            return old;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Restores the state on which the next row is based. */
    private final class Recovery implements Rows.Reader {
        private final List<SeriesKey> inOrder = new ArrayList<>();

        @Override
        public void defined(SeriesKey series) {
            inOrder.add(series);
            number(series);
        }

        @Override
        public void row(long millis, long covers, long[] values) {
            lastMillis = millis;
            System.arraycopy(values, 0, before, 0, defined);
        }

        @Override
        public void ended(int number) {
            numbers.remove(inOrder.get(number), number);
        }
    }

    /** The scheduled time of its first row. */
    long start() {
        return start;
    }

    /** The time of its last row. */
    long lastMillis() {
        return lastMillis;
    }

    long size() {
        return size;
    }

    /**
     * Appends all values of one time.
     *
     * @param covers milliseconds that the row covers
     * @param most maximum size of the file including the row
     * @throws IOException if it was not written completely; then this must be closed
     */
    void append(long millis, long covers, Map<SeriesKey, Long> row, long most) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        end(out, row.keySet());
        define(out, row.keySet());
        long[] now = new long[before.length];
        System.arraycopy(before, 0, now, 0, defined);
        row.forEach((series, value) -> now[numbers.getOrDefault(series, -1)] = value);
        record(out, Rows.ROW, changes(millis, covers, now));
        if (size + out.size() > most) {
            throw new IOException(row.size() + " values take more than the half of history.max-size");
        }
        write(ByteBuffer.wrap(out.toByteArray()));
        before = now;
        lastMillis = millis;
    }

    private ByteArrayOutputStream changes(long millis, long covers, long[] now) {
        ByteArrayOutputStream content = new ByteArrayOutputStream(512);
        Varints.putSigned(content, millis - lastMillis);
        Varints.put(content, covers);
        for (int i = 0; i < defined; i++) {
            long change = now[i] - before[i];
            Varints.putSigned(content, change);
            if (change == 0) {
                int zeros = 0;
                while (i + 1 < defined && now[i + 1] == before[i + 1]) {
                    zeros++;
                    i++;
                }
                Varints.put(content, zeros);
            }
        }
        return content;
    }

    private void end(ByteArrayOutputStream out, Set<SeriesKey> present) {
        if (present.containsAll(numbers.keySet())) {
            return;
        }
        Set<SeriesKey> gone = new HashSet<>(numbers.keySet());
        gone.removeAll(present);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Varints.put(content, gone.size());
        for (SeriesKey series : gone) {
            Integer number = numbers.remove(series);
            Varints.put(content, number == null ? 0 : number);
        }
        record(out, Rows.ENDED, content);
    }

    private void define(ByteArrayOutputStream out, Set<SeriesKey> present) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int fresh = 0;
        for (SeriesKey series : present) {
            if (!numbers.containsKey(series)) {
                fresh++;
                number(series);
                content.write(series.part().number());
                Varints.put(content, series.bound());
                text(content, series.metric());
                Varints.put(content, series.labels().size());
                series.labels().forEach(label -> text(content, label));
            }
        }
        if (fresh > 0) {
            ByteArrayOutputStream counted = new ByteArrayOutputStream(content.size() + 4);
            Varints.put(counted, fresh);
            counted.writeBytes(content.toByteArray());
            record(out, Rows.DEFINED, counted);
        }
    }

    private void number(SeriesKey series) {
        numbers.put(series, defined);
        defined++;
        if (defined > before.length) {
            before = Arrays.copyOf(before, 2 * before.length);
        }
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Varints.put(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static void record(ByteArrayOutputStream out, byte kind, ByteArrayOutputStream content) {
        byte[] bytes = content.toByteArray();
        ByteBuffer header = ByteBuffer.allocate(Rows.RECORD_HEADER);
        header.put(kind).putInt(bytes.length).putInt(Rows.sum(kind, ByteBuffer.wrap(bytes)));
        out.writeBytes(header.array());
        out.writeBytes(bytes);
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            size += channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
