package io.weir.proxy.program.functions;

import com.google.re2j.Matcher;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with groups of a match: {@code $1} to {@code $9} (or {@code \1}), {@code $&} for the whole, {@code $$} for a
 * dollar sign. Immutable.
 */
final class GroupText {
    /** A text that stands as it is, or a group's number. */
    private record Piece(String text, int group) {}

    private final List<Piece> pieces;

    private GroupText(List<Piece> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    /**
     * Parses it.
     *
     * @param groups how many the expression has
     * @throws IllegalArgumentException if it names one that the expression does not have
     */
    static GroupText parse(String text, int groups) {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            char next = i + 1 < text.length() ? text.charAt(i + 1) : 0;
            int group = next == '&' ? 0 : next - '0';
            boolean marks = (c == '$' || c == '\\') && ((next >= '1' && next <= '9') || (c == '$' && next == '&'));
            if (!marks) {
                literal.append(c);
                i += c == '$' && next == '$' ? 2 : 1;
                continue;
            }
            if (group > groups) {
                throw new IllegalArgumentException("\"to\" has group " + group + ", and \"from\" has " + groups);
            }
            pieces.add(new Piece(literal.toString(), -1));
            literal.setLength(0);
            pieces.add(new Piece("", group));
            i += 2;
        }
        pieces.add(new Piece(literal.toString(), -1));
        return new GroupText(pieces);
    }

    /** Whether it has no groups. */
    boolean isConstant() {
        return pieces.size() == 1;
    }

    /** The text for a match; a group that took no part is empty. */
    String of(Matcher match) {
        StringBuilder out = new StringBuilder();
        for (Piece piece : pieces) {
            String group = piece.group() < 0 ? piece.text() : match.group(piece.group());
            out.append(group == null ? "" : group);
        }
        return out.toString();
    }
}
