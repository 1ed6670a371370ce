package io.weir.server.migrate.draft;

import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is told of a file beside its translation. Confined to one migration. */
public final class Findings {
    /** Most mistakes that are reported. */
    public static final int MAX_PROBLEMS = 100;
    /** Most remarks of each kind. */
    public static final int MAX_REMARKS = 2_000;

    /**
     * Something that has no counterpart, or one that differs.
     *
     * @param at where it stands
     * @param what the directive, with its reason or the difference
     */
    public record Remark(Place at, String what) {
        @Override
        public String toString() {
            return Findings.where(at) + ": " + what;
        }
    }

    private static final Comparator<Remark> IN_ORDER =
            Comparator.comparing((Remark r) -> r.at().source()).thenComparingInt(r -> r.at().line());

    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<Remark> left = new ArrayList<>();
    private final List<Remark> notes = new ArrayList<>();

    /** A mistake in the file: there will be no translation. */
    public void problem(Place at, String what) {
        if (problems.size() < MAX_PROBLEMS) {
            boolean last = problems.size() == MAX_PROBLEMS - 1;
            problems.add(new ConfigProblem(at, "", last ? what + "; there may be more, reading ends here" : what));
        }
    }

    public void problems(List<ConfigProblem> found) {
        found.forEach(p -> problem(p.at(), p.what()));
    }

    /** Whether no more mistakes are listed. */
    public boolean full() {
        return problems.size() >= MAX_PROBLEMS;
    }

    /** Something was not translated, for this reason. */
    public void left(Place at, String what, String why) {
        add(left, at, what + ": " + why);
    }

    /** Something was not translated; the reason names it. */
    public void left(Place at, String why) {
        add(left, at, why);
    }

    /** Something was translated, and differs in this way. */
    public void note(Place at, String what) {
        add(notes, at, what);
    }

    private static void add(List<Remark> to, Place at, String what) {
        Remark remark = new Remark(at, what);
        if (to.size() < MAX_REMARKS && !to.contains(remark)) {
            to.add(remark);
        }
    }

    public List<ConfigProblem> problems() {
        return problems.stream()
                .sorted(Comparator.comparing((ConfigProblem p) -> p.at().source())
                        .thenComparing(ConfigProblem.IN_ORDER))
                .toList();
    }

    public List<Remark> left() {
        return left.stream().sorted(IN_ORDER).toList();
    }

    public List<Remark> notes() {
        return notes.stream().sorted(IN_ORDER).toList();
    }

    /** A place as comments of the translation name it: the file without its folder, and the line. */
    public static String where(Place at) {
        String name = at.source().substring(at.source().lastIndexOf('/') + 1);
        return at.line() == 0 ? name : name + ":" + at.line();
    }
}
