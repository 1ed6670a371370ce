package io.weir.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Header or trailer fields in wire order: those that a decoder found, and those that program code adds. All text is in
 * one array, each field is four positions in it. Confined to the thread that owns the message. Fields of a decoded head
 * are valid until its decoder starts the next one; {@link #copy()} creates fields that own their bytes.
 *
 * <p>Indexes run from 0 to {@link #size()}; removing a field shifts the following ones. Values are ISO-8859-1 without
 * surrounding white space. Fields added by program code are checked: a name must be a token and a value must not
 * contain control characters except the tab (RFC 9110 5.5), otherwise {@link IllegalArgumentException} is thrown.
 */
public final class Fields implements FieldValues {
    static final int STRIDE = 4;

    private static final int[] NO_SPANS = new int[0];
    private static final int UNKNOWN = 0xFF;
    private static final int LENGTH_MASK = 0xFFFFFF;
    private static final int MAX_VALUE = DecoderLimits.MAX_SECTION_BYTES;

    private byte[] bytes = Ascii.EMPTY;
    private int end;
    // per field: start of the name; id << 24 | length of the name; start and end of the value
    private int[] spans = NO_SPANS;
    private int count;
    // names that may be present: a clear bit saves the search
    private long seenLow;
    private long seenHigh;

    /** Number of field lines. */
    public int size() {
        return count;
    }

    /** The known name of field {@code i}, or null. */
    public @Nullable FieldName id(int i) {
        int id = spans[i * STRIDE + 1] >>> 24;
        return id == UNKNOWN ? null : FieldName.at(id);
    }

    /** The name of field {@code i} as it was spelled. */
    public String name(int i) {
        FieldName id = id(i);
        int start = nameStart(i);
        if (id != null && Ascii.same(id.canonicalBytes(), bytes, start)) return id.canonical();
        return Ascii.string(bytes, start, nameEnd(i));
    }

    /** The value of field {@code i}. */
    public String value(int i) {
        return Ascii.string(bytes, valueStart(i), valueEnd(i));
    }

    /** Whether there is a field of this name. */
    public boolean has(FieldName name) {
        return indexOf(name, 0) >= 0;
    }

    /** Index of the first field of this name at or after {@code from}, or -1. Allocates nothing. */
    public int indexOf(FieldName name, int from) {
        int id = name.index();
        if (((id < 64 ? seenLow : seenHigh) & 1L << id) == 0) return -1;
        for (int i = from; i < count; i++) if (spans[i * STRIDE + 1] >>> 24 == id) return i;
        return -1;
    }

    /** Index of the first field of this name, in any case, at or after {@code from}, or -1. */
    public int indexOf(String name, int from) {
        FieldName known = FieldName.of(name);
        if (known != null) return indexOf(known, from);
        String lower = Encoder.lower(name);
        for (int i = from; i < count; i++) {
            if (Ascii.sameIgnoreCase(lower, bytes, nameStart(i), nameEnd(i))) return i;
        }
        return -1;
    }

    /** The value of the first field of this name, or null. */
    public @Nullable String first(FieldName name) {
        int i = indexOf(name, 0);
        return i < 0 ? null : value(i);
    }

    /**
     * The values of all fields of this name joined by a comma and a space (RFC 9110 5.3), or null. Not for
     * Set-Cookie, whose lines must not be joined.
     */
    @Override
    public @Nullable String combined(FieldName name) {
        int i = indexOf(name, 0);
        if (i < 0) return null;
        int next = indexOf(name, i + 1);
        if (next < 0) return value(i);
        StringBuilder joined = new StringBuilder(value(i));
        for (; next >= 0; next = indexOf(name, next + 1)) joined.append(", ").append(value(next));
        return joined.toString();
    }

    /** As {@link #combined(FieldName)}, for any name; the name matches in any case. */
    public @Nullable String combined(String name) {
        int i = indexOf(name, 0);
        if (i < 0) return null;
        int next = indexOf(name, i + 1);
        if (next < 0) return value(i);
        StringBuilder joined = new StringBuilder(value(i));
        for (; next >= 0; next = indexOf(name, next + 1)) joined.append(", ").append(value(next));
        return joined.toString();
    }

    /**
     * Whether the comma-separated lists of this name contain the token, in any case. Commas inside quoted strings do
     * not separate elements. Allocates nothing.
     */
    public boolean hasToken(FieldName name, String lowerCaseToken) {
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            int to = valueEnd(i);
            for (int from = valueStart(i); from <= to; ) {
                int comma = elementEnd(from, to);
                int start = Ascii.skipBlanks(bytes, from, comma);
                int stop = Ascii.trimBlanks(bytes, start, comma);
                if (Ascii.sameIgnoreCase(lowerCaseToken, bytes, start, stop)) return true;
                from = comma + 1;
            }
        }
        return false;
    }

    /** Whether the value of field {@code i} is this text, in any case. Allocates nothing. */
    public boolean valueIs(int i, String lowerCase) {
        return Ascii.sameIgnoreCase(lowerCase, bytes, valueStart(i), valueEnd(i));
    }

    private int elementEnd(int from, int to) {
        boolean quoted = false;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b == ',' && !quoted) return i;
            if (b == '"') quoted = !quoted;
            else if (b == '\\' && quoted) i++;
        }
        return to;
    }

    /** Appends a field. */
    public void add(FieldName name, String value) {
        int room = checkValue(value);
        byte[] text = name.canonicalBytes();
        reserve(text.length + room + 4);
        System.arraycopy(text, 0, bytes, end, text.length);
        append(text.length, value, name);
    }

    /** Appends a field; a known name keeps the spelling given here. */
    public void add(String name, String value) {
        checkName(name);
        int room = checkValue(value);
        reserve(name.length() + room + 4);
        for (int i = 0; i < name.length(); i++) bytes[end + i] = (byte) name.charAt(i);
        append(name.length(), value, FieldName.of(bytes, end, end + name.length()));
    }

    private void append(int nameLength, String value, @Nullable FieldName id) {
        int start = end;
        int at = start + nameLength;
        bytes[at++] = ':';
        bytes[at++] = ' ';
        int valueStart = at;
        for (int i = 0; i < value.length(); i++) bytes[at++] = (byte) value.charAt(i);
        bytes[at] = '\r';
        bytes[at + 1] = '\n';
        end = at + 2;
        addSpan(start, start + nameLength, valueStart, at, id);
    }

    /** Appends field {@code i} of {@code other} as it is spelled there. */
    public void addFrom(Fields other, int i) {
        int nameLength = other.nameEnd(i) - other.nameStart(i);
        int valueLength = other.valueEnd(i) - other.valueStart(i);
        reserve(nameLength + valueLength + 4);
        int start = end;
        end = copyLine(other, i, bytes, start);
        int valueStart = start + nameLength + 2;
        addSpan(start, start + nameLength, valueStart, valueStart + valueLength, other.id(i));
    }

    private static int copyLine(Fields from, int i, byte[] to, int start) {
        int nameLength = from.nameEnd(i) - from.nameStart(i);
        int valueLength = from.valueEnd(i) - from.valueStart(i);
        int at = start;
        System.arraycopy(from.bytes, from.nameStart(i), to, at, nameLength);
        at += nameLength;
        to[at++] = ':';
        to[at++] = ' ';
        System.arraycopy(from.bytes, from.valueStart(i), to, at, valueLength);
        at += valueLength;
        to[at++] = '\r';
        to[at++] = '\n';
        return at;
    }

    /** Removes all fields of this name; returns how many there were. */
    public int remove(FieldName name) {
        int id = name.index();
        if (((id < 64 ? seenLow : seenHigh) & 1L << id) == 0) return 0;
        int kept = 0;
        for (int i = 0; i < count; i++) if (spans[i * STRIDE + 1] >>> 24 != id) keep(i, kept++);
        if (id < 64) seenLow &= ~(1L << id);
        else seenHigh &= ~(1L << id);
        return shrinkTo(kept);
    }

    /** Removes all fields of this name in any case; returns how many there were. */
    public int removeAll(String name) {
        FieldName known = FieldName.of(name);
        if (known != null) return remove(known);
        String lower = Encoder.lower(name);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!Ascii.sameIgnoreCase(lower, bytes, nameStart(i), nameEnd(i))) keep(i, kept++);
        }
        return shrinkTo(kept);
    }

    /** Removes field {@code i}. */
    public void removeAt(int i) {
        System.arraycopy(spans, (i + 1) * STRIDE, spans, i * STRIDE, (count - i - 1) * STRIDE);
        count--;
    }

    private void keep(int i, int to) {
        if (i != to) System.arraycopy(spans, i * STRIDE, spans, to * STRIDE, STRIDE);
    }

    private int shrinkTo(int kept) {
        int removed = count - kept;
        count = kept;
        return removed;
    }

    /** Replaces all fields of this name by one at the end. */
    public void set(FieldName name, String value) {
        checkValue(value);
        remove(name);
        add(name, value);
    }

    /** Removes all fields; keeps the arrays for reuse. */
    public void clear() {
        end = 0;
        count = 0;
        seenLow = 0;
        seenHigh = 0;
    }

    /** The same fields in newly allocated arrays of exactly their size, spelled {@code Name: value CRLF}. */
    public Fields copy() {
        int total = 0;
        for (int i = 0; i < count; i++) total += nameEnd(i) - nameStart(i) + valueEnd(i) - valueStart(i) + 4;
        Fields copy = new Fields();
        copy.bytes = new byte[total];
        copy.spans = new int[count * STRIDE];
        for (int i = 0; i < count; i++) copy.addFrom(this, i);
        return copy;
    }

    /**
     * The same fields at the same positions, with all text before {@link #end()}: for heads whose positions refer to
     * it.
     */
    Fields snapshot() {
        Fields copy = new Fields();
        copy.bytes = Arrays.copyOf(bytes, end);
        copy.end = end;
        copy.spans = Arrays.copyOf(spans, count * STRIDE);
        copy.count = count;
        copy.seenLow = seenLow;
        copy.seenHigh = seenHigh;
        return copy;
    }

    /** Writes field {@code i} as {@code Name: value CRLF}. */
    public void writeLine(int i, ByteBuf out) {
        int start = nameStart(i);
        if (plain(i)) {
            out.writeBytes(bytes, start, valueEnd(i) + 2 - start);
            return;
        }
        out.writeBytes(bytes, start, nameEnd(i) - start);
        out.writeByte(':').writeByte(' ');
        out.writeBytes(bytes, valueStart(i), valueEnd(i) - valueStart(i));
        out.writeByte('\r').writeByte('\n');
    }

    /** Whether the bytes of field {@code i} already are {@code Name: value CRLF}. */
    boolean plain(int i) {
        int nameEnd = nameEnd(i);
        int valueEnd = valueEnd(i);
        return valueStart(i) == nameEnd + 2 && bytes[nameEnd + 1] == ' ' && bytes[valueEnd] == '\r';
    }

    /** Position in {@link #bytes()} where the name of field {@code i} starts. */
    public int nameStart(int i) {
        return spans[i * STRIDE];
    }

    /** Position in {@link #bytes()} after the name of field {@code i}. */
    public int nameEnd(int i) {
        return spans[i * STRIDE] + (spans[i * STRIDE + 1] & LENGTH_MASK);
    }

    /** Position in {@link #bytes()} where the value of field {@code i} starts. */
    public int valueStart(int i) {
        return spans[i * STRIDE + 2];
    }

    /** Position in {@link #bytes()} after the value of field {@code i}. */
    public int valueEnd(int i) {
        return spans[i * STRIDE + 3];
    }

    /** The text that positions refer to; replaced when fields are added. Must not be modified. */
    public byte[] bytes() {
        return bytes;
    }

    /** Heap bytes used by these fields: the object and both arrays, with their headers and padding. */
    public long memoryBytes() {
        return 56 + padded(16L + bytes.length) + padded(16L + 4L * spans.length);
    }

    private static long padded(long size) {
        return (size + 7) & ~7L;
    }

    // for decoders

    int end() {
        return end;
    }

    void end(int position) {
        end = position;
    }

    void adopt(byte[] array, int[] spanArray) {
        bytes = array;
        spans = spanArray;
        clear();
    }

    void giveTo(HeadScratch scratch) {
        if (bytes.length > 0) scratch.give(bytes, spans);
        adopt(Ascii.EMPTY, NO_SPANS);
    }

    boolean holdsMemory() {
        return bytes.length > 0;
    }

    /** Makes room for {@code more} bytes after {@link #end()}, doubling. */
    void reserve(int more) {
        int needed = Math.addExact(end, more);
        if (needed > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(needed, Math.max(256, bytes.length * 2)));
    }

    void addSpan(int nameStart, int nameEnd, int valueStart, int valueEnd, @Nullable FieldName id) {
        int at = count * STRIDE;
        if (at == spans.length) spans = Arrays.copyOf(spans, Math.max(8 * STRIDE, at * 2));
        int index = id == null ? UNKNOWN : id.index();
        spans[at] = nameStart;
        spans[at + 1] = index << 24 | (nameEnd - nameStart);
        spans[at + 2] = valueStart;
        spans[at + 3] = valueEnd;
        count++;
        if (index < 64) seenLow |= 1L << index;
        else if (index != UNKNOWN) seenHigh |= 1L << index;
    }

    private static void checkName(String name) {
        if (name.isEmpty() || name.length() >= MAX_VALUE)
            throw new IllegalArgumentException("field name is empty or too long");
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c > 0x7F || !Ascii.isToken(c)) throw new IllegalArgumentException("field name is not a token, at " + i);
        }
    }

    private static int checkValue(String value) {
        if (value.length() > MAX_VALUE) throw new IllegalArgumentException("field value is too long");
        Encoder.checkText(value, "field value");
        return value.length();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++)
            text.append(name(i)).append(": ").append(value(i)).append('\n');
        return text.toString();
    }
}
