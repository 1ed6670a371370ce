package io.weir.server.figures;

import java.util.Locale;

/** A part of a whole as perfdump writes it: {@code 3/4 ( 75.00%)}. Stateless. */
public final class Ratio {
    private Ratio() {}

    /** Of nothing it is 0 percent. */
    public static String text(long part, long whole) {
        double percent = whole == 0 ? 0 : part * 100.0 / whole;
        return String.format(Locale.ROOT, "%d/%d (%6.2f%%)", part, whole, percent);
    }
}
