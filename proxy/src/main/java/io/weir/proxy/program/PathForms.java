package io.weir.proxy.program;

import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import org.jspecify.annotations.Nullable;

/**
 * The path in the form that rules are matched against: RFC 3986 6.2.2's normal form, in which percent-encoded unreserved
 * characters are decoded and dot segments removed. Origins read some paths otherwise still (encoded or doubled slashes,
 * backslashes, {@code ..;}); such a path is refused when that other reading would fall under another rule, so that no
 * spelling goes around a rule. Confined to a run, reused; a path without any of that is matched where it lies.
 */
final class PathForms {
    private static final byte[] ROOT = {'/'};
    private static final byte[] NOTHING = {};

    // grown when a path needs it: most need neither, and a run is made for every miss
    private byte[] normal = NOTHING;
    private byte[] other = NOTHING;
    private boolean suspect;

    /** Sets the input's path. */
    void read(RequestHead head, MatchInput into) {
        byte[] b = head.bytes();
        int from = head.pathStart();
        int to = head.queryStart();
        suspect = false;
        into.pathBytes = b;
        into.pathFrom = from;
        into.pathTo = to;
        if (head.targetForm() == TargetForm.ABSOLUTE && from == to) {
            into.pathBytes = ROOT;
            into.pathFrom = 0;
            into.pathTo = 1;
        } else if (head.targetForm() == TargetForm.AUTHORITY) {
            into.pathTo = from;
        } else if (needsWork(b, from, to)) {
            normalize(into, from, to);
        }
    }

    private boolean needsWork(byte[] b, int from, int to) {
        boolean work = false;
        byte last = 0;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '%' || (c == '.' && last == '/')) {
                work = true;
            } else if (c == '\\' || (c == '/' && last == '/')) {
                suspect = true;
            }
            last = c;
        }
        return work;
    }

    private void normalize(MatchInput into, int from, int to) {
        if (normal.length < to - from) {
            normal = new byte[to - from];
        }
        int length = decode(into.pathBytes, from, to, normal, false);
        into.pathBytes = normal;
        into.pathFrom = 0;
        into.pathTo = withoutDots(normal, length, false);
    }

    /**
     * The fault when the path's other reading falls under another rule of the program, else null.
     *
     * @param rules the first object's NameTrans directives
     */
    @Nullable
    ProxyFault ambiguity(DirectiveList rules, MatchInput input) {
        if (!suspect) {
            return null;
        }
        int as = rules.next(input, 0);
        byte[] bytes = input.pathBytes;
        int from = input.pathFrom;
        int to = input.pathTo;
        if (other.length < to - from) {
            other = new byte[to - from];
        }
        int length = decode(bytes, from, to, other, true);
        input.pathTo = withoutDots(other, length, true);
        input.pathBytes = other;
        input.pathFrom = 0;
        int instead = rules.next(input, 0);
        input.pathBytes = bytes;
        input.pathFrom = from;
        input.pathTo = to;
        return as == instead ? null : ProxyFault.PATH_AMBIGUOUS;
    }

    /**
     * Decodes what is percent-encoded without need; {@code loose} takes backslashes, encoded slashes and backslashes for
     * slashes, and several slashes for one.
     */
    private int decode(byte[] b, int from, int to, byte[] into, boolean loose) {
        int at = 0;
        for (int i = from; i < to; i++) {
            int c = b[i];
            if (c == '%' && i + 2 < to) {
                int value = (hex(b[i + 1]) << 4) | hex(b[i + 2]);
                if (isSlash(value)) {
                    suspect = true;
                }
                if (value >= 0 && (isUnreserved(value) || (loose && isSlash(value)))) {
                    c = value;
                    i += 2;
                }
            }
            c = loose && c == '\\' ? '/' : c;
            if (!loose || c != '/' || at == 0 || into[at - 1] != '/') {
                into[at++] = (byte) c;
            }
        }
        return at;
    }

    private static boolean isSlash(int c) {
        return c == '/' || c == '\\';
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
    }

    /** The value of a hexadecimal digit, or a negative number. */
    static int hex(byte c) {
        return Character.digit(c, 16);
    }

    /** Removes dot segments in place (RFC 3986 5.2.4); returns the new length. */
    private int withoutDots(byte[] b, int length, boolean loose) {
        int at = 0;
        int i = 0;
        while (i < length) {
            int end = i + 1;
            while (end < length && b[end] != '/') {
                end++;
            }
            int dots = dots(b, i + 1, end, loose);
            if (dots == 2) {
                while (at > 0 && b[--at] != '/') {
                    // back to the slash before
                }
            } else if (dots == 0) {
                System.arraycopy(b, i, b, at, end - i);
                at += end - i;
            }
            if (dots > 0 && end == length) {
                b[at++] = '/';
            }
            i = end;
        }
        return at;
    }

    /** 1 or 2 when the segment is {@code .} or {@code ..}, else 0; {@code loose} drops a parameter behind it. */
    private int dots(byte[] b, int from, int to, boolean loose) {
        int end = from;
        while (end < to && b[end] == '.') {
            end++;
        }
        int dots = end - from;
        boolean parameter = dots > 0 && end < to && b[end] == ';';
        if (dots > 2) {
            return 0;
        }
        suspect |= parameter;
        return end == to || (loose && parameter) ? dots : 0;
    }
}
