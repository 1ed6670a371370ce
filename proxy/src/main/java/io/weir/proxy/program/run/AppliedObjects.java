package io.weir.proxy.program.run;

import io.weir.proxy.function.Stage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The objects that apply to a request, the default one first. Confined to its run, reused; allocates nothing. */
final class AppliedObjects {
    /** Bound on the objects that apply to one request. */
    static final int MAX = 32;

    /** The stages whose directives may depend on the path, after the one that names objects. */
    private static final Stage[] BY_PATH = {Stage.PATH_CHECK, Stage.OBJECT_TYPE, Stage.ROUTE, Stage.SERVICE};

    /** The stage whose directives refuse requests. */
    private static final Stage[] CHECKS = {Stage.PATH_CHECK};

    private final FunctionContext run;
    private final @Nullable ProgramObject[] objects = new @Nullable ProgramObject[MAX];
    private int count;

    AppliedObjects(FunctionContext run) {
        this.run = run;
    }

    void clear() {
        Arrays.fill(objects, 0, count, null);
        count = 0;
    }

    int count() {
        return count;
    }

    ProgramObject get(int i) {
        ProgramObject o = objects[i];
        if (o == null) {
            throw new IllegalStateException("no object at " + i);
        }
        return o;
    }

    boolean contains(ProgramObject object) {
        for (int i = 0; i < count; i++) {
            if (objects[i] == object) {
                return true;
            }
        }
        return false;
    }

    /** Adds an object, once; returns false if there are too many. */
    boolean add(ProgramObject object) {
        if (contains(object)) {
            return true;
        }
        if (count == MAX) {
            return false;
        }
        objects[count++] = object;
        return true;
    }

    /** Whether a directive of theirs chooses an origin for the request. */
    boolean route() {
        for (int i = 0; i < count; i++) {
            if (get(i).list(Stage.ROUTE).routes(run)) {
                return true;
            }
        }
        return false;
    }

    /** Whether they can have answers retrieved, and name no origin. */
    boolean onlyForward() {
        boolean retrieves = false;
        for (int i = 0; i < count; i++) {
            if (get(i).routes()) {
                return false;
            }
            retrieves |= get(i).retrieves();
        }
        return retrieves;
    }

    /**
     * What applies to the request because of its path, as a number that differs with it: the directives that may name
     * an object, the objects with a partial path, and all later directives.
     */
    long meaning(Program p) {
        return applied(p, BY_PATH, false);
    }

    /** The same of what may refuse it: directives of PathCheck, and objects that have such ones. */
    long checks(Program p) {
        return applied(p, CHECKS, true);
    }

    private long applied(Program p, Stage[] stages, boolean checking) {
        long all = named(p, checking);
        for (int i = 0; i < p.pathObjects(); i++) {
            ProgramObject object = p.byPath(i, run);
            all = mixed(all, object == null || (checking && !object.checks()) ? 0 : 1);
        }
        for (int k = 0; k < count; k++) {
            for (Stage stage : stages) {
                all = mixed(directives(all, get(k).list(stage)), -1);
            }
        }
        return all;
    }

    private long directives(long before, DirectiveList list) {
        long all = before;
        for (int i = list.next(run, 0); i >= 0; i = list.next(run, i + 1)) {
            all = mixed(all, i);
        }
        return all;
    }

    /** Directives of NameTrans up to the first one that surely is the last. */
    private long named(Program p, boolean checking) {
        DirectiveList names = p.start().list(Stage.NAME_TRANS);
        long all = 0;
        int i = names.next(run, 0);
        while (i >= 0) {
            Directive directive = names.get(i);
            if (!checking || p.namesChecks(directive)) {
                all = mixed(all, i);
            }
            i = directive.function().name().equals(ServerFunction.ASSIGN_NAME) ? -1 : names.next(run, i + 1);
        }
        return all;
    }

    private static long mixed(long all, int next) {
        long z = (all + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L + next;
        return (z ^ (z >>> 29)) * 0x94D049BB133111EBL;
    }
}
