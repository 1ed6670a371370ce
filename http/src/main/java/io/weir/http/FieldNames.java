package io.weir.http;

/** A set of known field names, queried for each field of each message. Immutable. */
public final class FieldNames {
    private final long low;
    private final long high;

    private FieldNames(long low, long high) {
        this.low = low;
        this.high = high;
    }

    /** The set of these names. */
    public static FieldNames of(FieldName... names) {
        long low = 0;
        long high = 0;
        for (FieldName name : names) {
            if (name.index() < 64) low |= 1L << name.index();
            else high |= 1L << name.index();
        }
        return new FieldNames(low, high);
    }

    /** These and further ones. */
    public FieldNames and(FieldName... names) {
        FieldNames more = of(names);
        return new FieldNames(low | more.low, high | more.high);
    }

    /** Whether the name is one of them. */
    public boolean contains(FieldName name) {
        int index = name.index();
        return ((index < 64 ? low : high) & 1L << index) != 0;
    }
}
