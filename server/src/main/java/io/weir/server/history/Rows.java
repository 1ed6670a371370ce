package io.weir.server.history;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads one file of a ring from its beginning. The format, all numbers big-endian or {@link Varints}:
 *
 * <pre>
 * file:    magic "WEIRSTAT", version (1 byte), time of the start (8 bytes, milliseconds since 1970), records
 * record:  kind (1 byte), length of the content (4 bytes), CRC32C of kind and content (4 bytes), content
 * DEFINED: count; each: part (1 byte), bound, metric, number of labels' texts, the texts (length and UTF-8 each);
 *          numbered through the file in the order of their definition
 * ROW:     milliseconds since the row before (signed); milliseconds that it stands for; for each number its value less the one
 *          before (signed), in order; after a zero: how many more zeros follow
 * ENDED:   count, numbers: these values are not there from the next row on
 * </pre>
 *
 * <p>Confined to its thread; holds one file in memory.
 */
final class Rows {
    static final byte[] MAGIC = "WEIRSTAT".getBytes(StandardCharsets.US_ASCII);
    static final int VERSION = 1;
    static final int HEADER = MAGIC.length + 1 + Long.BYTES;
    static final int RECORD_HEADER = 1 + 2 * Integer.BYTES;
    static final byte DEFINED = 1;
    static final byte ROW = 2;
    static final byte ENDED = 3;

    /** Receives the content of a file, in order. */
    interface Reader {
        /** A file begins: numbers start again. */
        default void begun() {}

        /** A value is assigned the next number. */
        void defined(SeriesKey series);

        /**
         * All values of one time.
         *
         * @param covers milliseconds that the row covers: the ring's interval, or less at a server's end
         * @param values by number; reused, and possibly longer than there are numbers
         */
        void row(long millis, long covers, long[] values);

        /** The series of a number has ended. */
        void ended(int number);
    }

    private final Reader reader;
    private final ByteBuffer in;
    private final List<SeriesKey> known = new ArrayList<>();
    private long[] values = new long[256];
    private long millis;
    private int whole;

    private Rows(ByteBuffer in, Reader reader) {
        this.in = in;
        this.reader = reader;
    }

    /**
     * Reads a file.
     *
     * @return the number of bytes up to the first truncated or damaged record; 0 if the file has another format
     */
    static long read(Path file, Reader reader) throws IOException {
        return new Rows(ByteBuffer.wrap(Files.readAllBytes(file)), reader).read();
    }

    private long read() {
        if (!header()) {
            return 0;
        }
        whole = HEADER;
        reader.begun();
        while (record()) {
            whole = in.position();
        }
        return whole;
    }

    private boolean header() {
        if (in.remaining() < HEADER) {
            return false;
        }
        byte[] magic = new byte[MAGIC.length];
        in.get(magic);
        if (!Arrays.equals(magic, MAGIC) || in.get() != VERSION) {
            return false;
        }
        millis = in.getLong();
        return true;
    }

    private boolean record() {
        if (in.remaining() < RECORD_HEADER) {
            return false;
        }
        byte kind = in.get();
        int length = in.getInt();
        int sum = in.getInt();
        if (length < 0 || length > in.remaining() || sum != sum(kind, in.slice(in.position(), length))) {
            return false;
        }
        ByteBuffer content = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            content(kind, content);
            return true;
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // the checksum is right but the content invalid: written by another program, so nothing after it can be
            // trusted
            return false;
        }
    }

    private void content(byte kind, ByteBuffer content) {
        switch (kind) {
            case DEFINED -> define(content);
            case ROW -> row(content);
            case ENDED -> {
                for (long n = Varints.get(content); n > 0; n--) {
                    reader.ended(Math.toIntExact(Varints.get(content)));
                }
            }
            default -> throw new IllegalArgumentException("kind " + kind);
        }
    }

    private void define(ByteBuffer content) {
        for (long n = Varints.get(content); n > 0; n--) {
            SeriesKey.Part part = SeriesKey.Part.of(content.get());
            long bound = Varints.get(content);
            String metric = text(content);
            int texts = Math.toIntExact(Varints.get(content));
            List<String> labels = new ArrayList<>();
            for (int i = 0; i < texts; i++) {
                labels.add(text(content));
            }
            SeriesKey series = new SeriesKey(metric, part, bound, labels);
            known.add(series);
            reader.defined(series);
        }
        if (known.size() > values.length) {
            values = Arrays.copyOf(values, Math.max(known.size(), 2 * values.length));
        }
    }

    private static String text(ByteBuffer content) {
        int length = Math.toIntExact(Varints.get(content));
        if (length > content.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        content.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void row(ByteBuffer content) {
        millis += Varints.getSigned(content);
        long covers = Varints.get(content);
        for (int i = 0; i < known.size(); i++) {
            long change = Varints.getSigned(content);
            if (change == 0) {
                i += Math.toIntExact(Varints.get(content));
            } else {
                values[i] += change;
            }
        }
        reader.row(millis, covers, values);
    }

    static int sum(byte kind, ByteBuffer content) {
        CRC32C sum = new CRC32C();
        sum.update(kind);
        sum.update(content);
        return (int) sum.getValue();
    }
}
