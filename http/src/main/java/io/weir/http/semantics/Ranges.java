package io.weir.http.semantics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Range field in bytes (RFC 9110 14), resolved against the length of a representation. Immutable; lives for one
 * request. Ranges apply to GET only (14.2): callers must not use it for other methods.
 *
 * <p>Protection (14.2, 17.15): more than {@link #MAX_SPECS} ranges are ignored as a whole; ranges that overlap or are
 * closer than {@link #MIN_GAP} bytes are merged.
 */
public final class Ranges {

    /** With more ranges than this the field is ignored. */
    public static final int MAX_SPECS = 16;

    /** Gap in bytes between two ranges below which a second part costs more than it saves. */
    public static final int MIN_GAP = 80;

    private static final long LARGEST = Long.MAX_VALUE / 16;
    private static final long ABSENT = -1;

    /**
     * Bytes of a representation, both ends included, counted from 0.
     *
     * @param first position of the first byte
     * @param last position of the last byte, not before the first
     */
    public record Span(long first, long last) {

        public Span {
            if (first < 0 || last < first) {
                throw new IllegalArgumentException("not a span: " + first + "-" + last);
            }
        }

        /** Number of bytes, at least 1. */
        public long length() {
            return last - first + 1;
        }

        /** The Content-Range of a 206 with this part (14.4). */
        public String contentRange(long completeLength) {
            return "bytes " + first + "-" + last + "/" + completeLength;
        }
    }

    /** The result of resolving the ranges for a representation of a known length. */
    public sealed interface Resolved {}

    /** Answer 200 with the whole representation. */
    public record Whole() implements Resolved {}

    /** Answer 416 with the Content-Range of {@link #unsatisfied}. */
    public record Unsatisfiable() implements Resolved {}

    /** Answer 206: one part as it is; for several parts the whole may be sent instead (14.2). */
    public record Parts(List<Span> spans) implements Resolved {

        public Parts {
            spans = List.copyOf(spans);
        }
    }

    private static final Resolved WHOLE = new Whole();
    private static final Resolved UNSATISFIABLE = new Unsatisfiable();

    /** {@code first} is {@link #ABSENT} for a suffix, whose length is then in {@code last}. */
    private record Spec(long first, long last) {}

    private final List<Spec> specs;

    private Ranges(List<Spec> specs) {
        this.specs = specs;
    }

    /**
     * Parses a field; null if it must be ignored: absent, another unit, malformed, or more than {@link #MAX_SPECS}
     * ranges.
     */
    public static @Nullable Ranges parse(@Nullable String value) {
        if (value == null || !value.regionMatches(true, 0, "bytes=", 0, 6)) {
            return null;
        }
        List<Spec> specs = new ArrayList<>(1);
        FieldScanner scanner = new FieldScanner(value.substring(6));
        while (scanner.nextElement()) {
            Spec spec = spec(scanner.token());
            if (spec == null || !scanner.atElementEnd() || specs.size() == MAX_SPECS) {
                return null;
            }
            specs.add(spec);
        }
        return specs.isEmpty() ? null : new Ranges(specs);
    }

    private static @Nullable Spec spec(@Nullable String text) {
        int dash = text == null ? -1 : text.indexOf('-');
        if (text == null || dash < 0) {
            return null;
        }
        long first = dash == 0 ? ABSENT : DeltaSeconds.parseUpTo(text, 0, dash, LARGEST);
        boolean open = dash == text.length() - 1;
        long last = open ? LARGEST : DeltaSeconds.parseUpTo(text, dash + 1, text.length(), LARGEST);
        boolean valid =
                last != DeltaSeconds.INVALID && (dash == 0 ? !open : first != DeltaSeconds.INVALID && first <= last);
        return valid ? new Spec(first, last) : null;
    }

    /**
     * The response for a representation of that length. An empty representation has no part to send: a suffix of it is
     * the whole.
     *
     * @param length bytes, 0 or more
     */
    public Resolved resolve(long length) {
        List<Span> spans = new ArrayList<>(specs.size());
        for (Spec spec : specs) {
            if (spec.first == ABSENT && spec.last > 0 && length == 0) {
                return WHOLE;
            }
            Span span = span(spec, length);
            if (span != null) {
                spans.add(span);
            }
        }
        return spans.isEmpty() ? UNSATISFIABLE : new Parts(coalesce(spans));
    }

    private static @Nullable Span span(Spec spec, long length) {
        if (spec.first == ABSENT) {
            long size = Math.min(spec.last, length);
            return size == 0 ? null : new Span(length - size, length - 1);
        }
        return spec.first >= length ? null : new Span(spec.first, Math.min(spec.last, length - 1));
    }

    /** Merges ranges that overlap or nearly touch; if none are merged, the request's order is kept. */
    private static List<Span> coalesce(List<Span> spans) {
        if (spans.size() == 1) {
            return spans;
        }
        List<Span> sorted = new ArrayList<>(spans);
        sorted.sort(Comparator.comparingLong(Span::first));
        List<Span> joined = new ArrayList<>();
        Span open = sorted.getFirst();
        for (Span next : sorted.subList(1, sorted.size())) {
            if (next.first() - open.last() <= MIN_GAP) {
                open = new Span(open.first(), Math.max(open.last(), next.last()));
            } else {
                joined.add(open);
                open = next;
            }
        }
        joined.add(open);
        return joined.size() == spans.size() ? spans : joined;
    }

    /** The Content-Range of a 416 (14.4). */
    public static String unsatisfied(long length) {
        return "bytes */" + length;
    }
}
