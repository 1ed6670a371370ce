package io.weir.server.admin;

import tools.jackson.core.io.JsonStringEncoder;

/** Writes the few JSON texts of the admin listener. */
public final class Json {
    private Json() {}

    /** The text as a JSON string with its quotes. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16).append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        return out.append('"').toString();
    }
}
