package io.weir.server.json;

/** The separators of an array's items, so that people can read and compare them line by line. */
public enum Layout {
    /** All in one line. */
    FLAT("[", ","),
    /** Each on a separate line. */
    LINES("[", ",\n"),
    /** Each on a separate line, after a space. */
    INDENTED("[\n ", ",\n ");

    final String start;
    final String between;

    Layout(String start, String between) {
        this.start = start;
        this.between = between;
    }
}
