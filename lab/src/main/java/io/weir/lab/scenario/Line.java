package io.weir.lab.scenario;

import java.util.List;

/**
 * One line of a scenario with the deeper indented lines below it. Immutable.
 *
 * @param number counted from 1 in its file
 * @param text the line without its indentation
 * @param children the lines of its block; empty if it has none
 */
record Line(int number, String text, List<Line> children) {
    Line {
        children = List.copyOf(children);
    }

    String word() {
        int space = text.indexOf(' ');
        return space < 0 ? text : text.substring(0, space);
    }

    /** The text after the first word. */
    String rest() {
        int space = text.indexOf(' ');
        return space < 0 ? "" : text.substring(space + 1).strip();
    }
}
