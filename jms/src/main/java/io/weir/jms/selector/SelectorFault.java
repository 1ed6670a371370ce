package io.weir.jms.selector;

/** A selector that does not parse, or exceeds a limit. The message contains what was expected and where. */
public final class SelectorFault extends Exception {
    private static final long serialVersionUID = 1;
    private final int position;

    SelectorFault(String text, int position) {
        super(text, null, false, false);
        this.position = position;
    }

    /** Index of the character in the selector at which parsing failed, from 0. */
    public int position() {
        return position;
    }
}
