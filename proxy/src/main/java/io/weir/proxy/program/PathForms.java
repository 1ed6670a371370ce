package io.weir.proxy.program;

import io.weir.http.RequestHead;
import org.jspecify.annotations.Nullable;

/** The path in the form that rules are matched against. Confined to a run, reused. */
final class PathForms {
    @Nullable
    ProxyFault read(RequestHead head, MatchInput into) {
        into.pathBytes = head.bytes();
        into.pathFrom = head.pathStart();
        into.pathTo = head.queryStart();
        return null;
    }

    @Nullable
    ProxyFault ambiguity(Program program, MatchInput input) {
        return null;
    }
}
