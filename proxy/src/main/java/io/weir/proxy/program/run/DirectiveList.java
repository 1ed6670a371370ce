package io.weir.proxy.program.run;

import io.weir.proxy.program.match.RuleIndex;
import io.weir.proxy.program.server.VirtualServers;
import java.util.List;

/** The directives of one stage of one object, with an index from requests to those that apply. Immutable. */
final class DirectiveList {
    static final DirectiveList EMPTY = new DirectiveList(List.of(), VirtualServers.DEFAULT);

    private final List<Directive> all;
    private final Directive[] array;
    private final RuleIndex index;

    DirectiveList(List<Directive> all, VirtualServers virtualServers) {
        this.all = List.copyOf(all);
        this.array = all.toArray(Directive[]::new);
        this.index = new RuleIndex(all.stream().map(Directive::when).toList(), virtualServers.ordinals());
    }

    List<Directive> all() {
        return all;
    }

    Directive get(int i) {
        return array[i];
    }

    /** The first directive at or after {@code from} that applies, or -1. */
    int next(FunctionContext run, int from) {
        int i = from >= array.length ? -1 : index.first(run.input, from);
        while (i >= 0 && !holds(array[i], run)) {
            i = i + 1 >= array.length ? -1 : index.first(run.input, i + 1);
        }
        return i;
    }

    /** Whether a directive applies that chooses an origin. */
    boolean routes(FunctionContext run) {
        int i = next(run, 0);
        while (i >= 0 && ServerFunction.NO_ORIGIN.contains(array[i].function().name())) {
            i = next(run, i + 1);
        }
        return i >= 0;
    }

    /** A guard that fails is the directive's failure: the directive applies, and fails instead of running. */
    private static boolean holds(Directive directive, FunctionContext run) {
        Guard guard = directive.guard();
        if (guard == null) {
            return true;
        }
        try {
            return guard.holds(run);
        } catch (RuntimeException e) {
            run.guardFailed(directive, e);
            return true;
        }
    }
}
