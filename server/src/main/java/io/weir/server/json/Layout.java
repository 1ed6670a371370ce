package io.weir.server.json;

/** What stands around the items of an array: people read them, too, and compare them line by line. */
public enum Layout {
    /** All in one line. */
    FLAT("[", ","),
    /** Each on a line of its own. */
    LINES("[", ",\n"),
    /** Each on a line of its own, behind a space. */
    INDENTED("[\n ", ",\n ");

    final String start;
    final String between;

    Layout(String start, String between) {
        this.start = start;
        this.between = between;
    }
}
