package io.weir.base;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A configured file with the text that it had when the configuration was read. Written as its path; in a configuration
 * that is handed on, to other processes and to the history, as a word that holds the text as well: what these run must
 * not depend on what the file has become. Immutable.
 *
 * @param name the path as it was written
 */
public record TextFile(String name, String text) {
    /** Bytes of a file, at most. */
    public static final int MAX_BYTES = 16 << 20;

    /** Characters of what {@link #held} gives, at most. */
    public static final int MAX_HELD = 8 << 20;

    private static final String HELD = "data:;gzip;name=";
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String AFTER_NAME = ";base64,";

    /**
     * Reads the file of this path, or what {@link #held} gave.
     *
     * @throws IllegalArgumentException saying why it cannot be read
     */
    public static TextFile parse(String value) {
        try {
            int base64 = value.startsWith(HELD) ? value.indexOf(AFTER_NAME) : -1;
            return base64 < 0
                    ? read(value)
                    : new TextFile(
                            value.substring(HELD.length(), base64),
                            unpacked(value.substring(base64 + AFTER_NAME.length())));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("expected the path of a file: " + e.getReason(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file cannot be read: " + IoReason.ofFile(e), e);
        }
    }

    private static TextFile read(String name) throws IOException {
        Path path = Path.of(name);
        if (Files.isDirectory(path)) {
            throw new IllegalArgumentException("expected the path of a file: it is a folder");
        }
        return new TextFile(name, decoded(bounded(RegularFile.read(path, MAX_BYTES))));
    }

    private static byte[] bounded(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the file has more than " + new ByteSize(MAX_BYTES) + ", the most allowed");
        }
        return bytes;
    }

    /**
     * As UTF-8, without the byte order mark that some editors begin it with; what is none is ISO 8859-1, as files of the
     * years before are.
     */
    private static String decoded(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    private static String unpacked(String base64) throws IOException {
        byte[] packed = Base64.getDecoder().decode(base64);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return new String(bounded(in.readNBytes(MAX_BYTES + 1)), StandardCharsets.UTF_8);
        }
    }

    /**
     * A word from which {@link #parse} gets the same name and text, whatever becomes of the file.
     *
     * @throws IllegalArgumentException if it would be longer than {@link #MAX_HELD}
     */
    public String held() {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String held = HELD + name + AFTER_NAME + Base64.getEncoder().encodeToString(packed.toByteArray());
        if (held.length() > MAX_HELD) {
            throw new IllegalArgumentException("the file has " + new ByteSize(packed.size())
                    + " bytes when compressed, more than can be handed to other processes");
        }
        return held;
    }

    /** How many characters of a text are what {@link #held} gave, at most {@link #MAX_HELD}. */
    public static int heldIn(String text) {
        int from = text.indexOf(HELD);
        int to = from < 0 ? -1 : text.indexOf('"', from);
        return from < 0 ? 0 : Math.min(MAX_HELD, (to < 0 ? text.length() : to) - from);
    }

    /**
     * What stands for a value where people read it: the path in what {@link #held} gave, with the CRC-32 of what it
     * holds, by which two of them can be told apart; other texts as they are.
     */
    public static String shown(String value) {
        int base64 = value.startsWith(HELD) ? value.indexOf(AFTER_NAME) : -1;
        if (base64 < 0) {
            return value;
        }
        CRC32 sum = new CRC32();
        sum.update(value.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%s (%08x)", value.substring(HELD.length(), base64), sum.getValue());
    }

    /** Its path. */
    @Override
    public String toString() {
        return name;
    }
}
