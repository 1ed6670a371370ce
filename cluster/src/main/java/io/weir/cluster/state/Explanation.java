package io.weir.cluster.state;

import java.util.List;

/** Why a singleton is where it is, and why not elsewhere: a pure function of the state. */
final class Explanation {
    private Explanation() {}

    static List<String> of(ClusterState state, String singleton) {
        return List.of("not explained yet: " + singleton + " at " + state.applied());
    }
}
