package io.weir.proxy.program.match;

import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import io.weir.http.semantics.NormalPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The path in the form that rules are matched against: the normal form of RFC 3986 6.2.2, in which percent-encoded
 * unreserved characters are decoded and dot segments removed. Origins interpret some paths differently still (encoded
 * or doubled slashes, backslashes, {@code ..;}); such a path is refused if that interpretation would match another
 * rule, so that no spelling bypasses a rule. Parameters of segments ({@code /shop;jsessionid=1}) are usual: such a path
 * is refused only if a check would apply without them. Confined to a run, reused; a path without any of these is
 * matched in place.
 */
public final class PathForms {
    private static final byte[] ROOT = {'/'};
    private static final byte[] NOTHING = {};

    private final NormalPath form = new NormalPath();
    // grown when a path needs it: most need neither, and each miss creates a run
    private byte[] normal = NOTHING;
    private byte[] other = NOTHING;

    /** Sets the input's path. */
    public void read(RequestHead head, MatchInput into) {
        byte[] b = head.bytes();
        int from = head.pathStart();
        int to = head.queryStart();
        form.reset();
        into.pathBytes = b;
        into.pathFrom = from;
        into.pathTo = to;
        if (head.targetForm() == TargetForm.ABSOLUTE && from == to) {
            into.pathBytes = ROOT;
            into.pathFrom = 0;
            into.pathTo = 1;
        } else if (head.targetForm() == TargetForm.AUTHORITY) {
            into.pathTo = from;
        } else if (form.needsWork(b, from, to)) {
            normal = room(normal, to - from);
            into.pathTo = form.write(b, from, to, normal, NormalPath.Form.NORMAL);
            into.pathBytes = normal;
            into.pathFrom = 0;
        }
    }

    private static byte[] room(byte[] known, int length) {
        return known.length < length ? new byte[length] : known;
    }

    /**
     * Whether the path has another interpretation for which other rules apply.
     *
     * @param mapped the origin gets another path, whose beginning the rules chose: it must not be left
     * @param rules a number for those that apply to the input
     * @param checks a number for those of them that may refuse it
     */
    public boolean ambiguous(MatchInput input, boolean mapped, LongSupplier rules, LongSupplier checks) {
        return (form.suspect() && (differs(input, NormalPath.Form.LOOSE, rules) || (mapped && climbs(input))))
                || (form.parameters() && differs(input, NormalPath.Form.WITHOUT_PARAMETERS, checks));
    }

    private boolean climbs(MatchInput input) {
        writeOther(input, NormalPath.Form.LOOSE);
        return form.climbs();
    }

    private boolean differs(MatchInput input, NormalPath.Form as, LongSupplier rules) {
        long sent = rules.getAsLong();
        byte[] bytes = input.pathBytes;
        int from = input.pathFrom;
        int to = input.pathTo;
        input.pathTo = writeOther(input, as);
        input.pathBytes = other;
        input.pathFrom = 0;
        long instead = rules.getAsLong();
        input.pathBytes = bytes;
        input.pathFrom = from;
        input.pathTo = to;
        return sent != instead;
    }

    /** The path as origins may interpret it; empty if they interpret it as it is matched. Allocates. */
    public List<String> others(MatchInput input) {
        List<String> others = new ArrayList<>(2);
        if (form.suspect()) {
            others.add(text(input, NormalPath.Form.LOOSE));
        }
        if (form.parameters()) {
            others.add(text(input, NormalPath.Form.WITHOUT_PARAMETERS));
        }
        return others;
    }

    private String text(MatchInput input, NormalPath.Form as) {
        return new String(other, 0, writeOther(input, as), StandardCharsets.ISO_8859_1);
    }

    private int writeOther(MatchInput input, NormalPath.Form as) {
        other = room(other, input.pathTo - input.pathFrom);
        return form.write(input.pathBytes, input.pathFrom, input.pathTo, other, as);
    }
}
