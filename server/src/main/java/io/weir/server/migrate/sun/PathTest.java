package io.weir.server.migrate.sun;

import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths that a route can match. What is said of two sets is certain; where it is not, the answer is the one that
 * promises nothing. Immutable.
 *
 * @param head the text that all of its paths begin with
 * @param tail the text that all of them end with
 */
record PathTest(PathMatch match, String text, String head, String tail) {
    private static final String GLOB = "*?[](|)~\\";
    private static final String REGEX = "*?[](|)~\\.+{}^$";

    static final PathTest ALL = of(PathMatch.PREFIX, "/");

    static PathTest of(PathMatch match, String text) {
        return switch (match) {
            case EXACT -> new PathTest(match, text, text, text);
            case PREFIX -> new PathTest(match, text, text, "");
            case WILDCARD -> new PathTest(match, text, head(text, GLOB), tail(text));
            case REGEX -> new PathTest(match, text, head(text, REGEX), "");
        };
    }

    private static String head(String text, String meta) {
        int n = 0;
        while (n < text.length() && meta.indexOf(text.charAt(n)) < 0) {
            n++;
        }
        if (text.indexOf('|') >= 0 && text.indexOf('(') < 0) {
            return "";
        }
        // what is repeated may be absent
        boolean repeated = meta.equals(REGEX) && n > 0 && n < text.length() && "*?{".indexOf(text.charAt(n)) >= 0;
        return text.substring(0, repeated ? n - 1 : n);
    }

    private static String tail(String text) {
        int n = text.length();
        while (n > 0 && GLOB.indexOf(text.charAt(n - 1)) < 0) {
            n--;
        }
        return text.indexOf('\\') >= 0 || text.indexOf('~') >= 0 || text.indexOf('|') > text.lastIndexOf(')')
                ? ""
                : text.substring(n);
    }

    private boolean everything() {
        return match == PathMatch.PREFIX && text.equals("/");
    }

    /** Paths that begin with a text, and nothing else is demanded; null: it is no such set. */
    private @Nullable String beginning() {
        boolean tree = match == PathMatch.PREFIX && text.endsWith("/");
        return tree || (match == PathMatch.WILDCARD && text.equals(head + "*")) ? head : null;
    }

    private boolean isEnding() {
        return match == PathMatch.WILDCARD && text.equals("*" + tail) && !tail.isEmpty();
    }

    private boolean has(String path) {
        boolean star = match == PathMatch.WILDCARD && text.equals(head + "*" + tail);
        return switch (match) {
            case EXACT -> text.equals(path);
            case PREFIX -> everything() || path.equals(text) || path.startsWith(text.endsWith("/") ? text : text + "/");
            default ->
                star
                        ? path.length() >= text.length() - 1 && path.startsWith(head) && path.endsWith(tail)
                        : Patterns.matches(Patterns.parse(match, text), path);
        };
    }

    /** Whether every path of the other is one of these; false if that is not certain. */
    boolean covers(PathTest b) {
        if (equals(b) || everything()) {
            return true;
        }
        if (b.match == PathMatch.EXACT) {
            return has(b.text);
        }
        String begin = beginning();
        if (begin != null) {
            return b.head.startsWith(begin);
        }
        if (match == PathMatch.PREFIX) {
            return b.head.startsWith(text + "/") || (b.match == PathMatch.PREFIX && b.text.equals(text));
        }
        return isEnding() && b.tail.endsWith(tail) && b.match == PathMatch.WILDCARD;
    }

    /** Whether no path is in both; false if that is not certain. */
    boolean apart(PathTest b) {
        if (match == PathMatch.EXACT) {
            return !b.has(text);
        }
        if (b.match == PathMatch.EXACT) {
            return !has(b.text);
        }
        boolean heads = head.startsWith(b.head) || b.head.startsWith(head);
        boolean tails = tail.endsWith(b.tail) || b.tail.endsWith(tail);
        return !heads || !tails || segmentsApart(b) || b.segmentsApart(this);
    }

    /** Whether a prefix of whole segments ends inside a segment of the other. */
    private boolean segmentsApart(PathTest b) {
        return match == PathMatch.PREFIX
                && !text.endsWith("/")
                && b.head.length() > text.length()
                && b.head.charAt(text.length()) != '/';
    }

    /** The paths that are in both; null: no match of a route says it. */
    @Nullable
    PathTest and(PathTest b) {
        if (covers(b)) {
            return b;
        }
        if (b.covers(this)) {
            return this;
        }
        String mine = beginningOfStar();
        String other = b.beginningOfStar();
        if (mine == null || other == null || lacksSegment(b) || b.lacksSegment(this)) {
            return null;
        }
        String begin = mine.length() > other.length() ? mine : other;
        String end = tail.length() > b.tail.length() ? tail : b.tail;
        boolean some = begin.startsWith(mine) && begin.startsWith(other) && end.endsWith(tail) && end.endsWith(b.tail);
        for (int n = 1; n <= Math.min(begin.length(), end.length()); n++) {
            some &= !begin.endsWith(end.substring(0, n));
        }
        return some ? of(PathMatch.WILDCARD, begin + "*" + end) : null;
    }

    /** What stands before the only asterisk, if there is nothing else special; null: there is. */
    private @Nullable String beginningOfStar() {
        if (match == PathMatch.PREFIX) {
            return text.endsWith("/") ? text : text + "/";
        }
        return match == PathMatch.WILDCARD && text.equals(head + "*" + tail) ? head : null;
    }

    /** Whether the path of a prefix itself, without a slash, is one of the other. */
    private boolean lacksSegment(PathTest b) {
        return match == PathMatch.PREFIX && !text.endsWith("/") && b.has(text);
    }
}
