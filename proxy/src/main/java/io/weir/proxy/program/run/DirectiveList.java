package io.weir.proxy.program.run;

import io.weir.proxy.program.match.MatchInput;
import io.weir.proxy.program.match.RuleIndex;
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

    RuleIndex index() {
        return index;
    }

    List<Directive> all() {
        return all;
    }

    Directive get(int i) {
        return array[i];
    }

    /** The first directive at or after {@code from} that applies, or -1. */
    int next(MatchInput input, int from) {
        return from >= array.length ? -1 : index.first(input, from);
    }
}
