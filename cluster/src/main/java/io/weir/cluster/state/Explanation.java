package io.weir.cluster.state;

import io.weir.cluster.state.entry.Transition;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.Placement;
import io.weir.cluster.state.singletons.SingletonState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Explains why a singleton is on its member and not on others: a pure function of the state. */
final class Explanation {
    private final ClusterState state;
    private final SingletonState singleton;
    private final Map<String, Integer> load;

    private Explanation(ClusterState state, SingletonState singleton) {
        this.state = state;
        this.singleton = singleton;
        this.load = Placement.load(state.singletons().values());
    }

    static List<String> of(ClusterState state, String name) {
        SingletonState s = state.singleton(name);
        if (s == null) {
            return gone(state, name);
        }
        return new Explanation(state, s).lines();
    }

    /** The explanation on a member that gets no answer from the cluster: stale facts must not look current. */
    static List<String> before(ClusterState state, String name, CutOff member) {
        List<String> lines = new ArrayList<>();
        lines.add(member.since() + ": later decisions of the cluster are unknown on " + member.self()
                + "; query a member that gets answers, if there is one");
        SingletonState s = state.singleton(name);
        if (s == null) {
            lines.add("before that there was no singleton " + name);
            removal(state, name).forEach(t -> lines.add(line(t)));
            return List.copyOf(lines);
        }
        boolean here = !member.phase().equals(CutOff.UNKNOWN);
        lines.add((here
                        ? name + " is " + member.phase() + " on " + member.self()
                        : "the location of " + name + " is unknown")
                + "; before that it was " + s.place() + " since entry " + s.version() + ": " + s.reason());
        LeaseState l = state.lease(s.lease());
        lines.add(
                member.held()
                        ? "its lease is held by " + member.self() + " until it ends; it cannot be renewed now"
                        : "the holder of its lease is unknown; before that "
                                + (l == null || l.owner() == null ? "it was free" : "it was " + l.owner())
                                + (l == null ? "" : ", and the last fence was " + l.fence()));
        for (String m : new TreeSet<>(state.members().keySet())) {
            if (m.equals(member.self())) {
                lines.add(m + ": cut off" + (here ? ", " + member.phase() + " here" : ""));
            } else {
                lines.add(m + ": unknown");
            }
        }
        return List.copyOf(lines);
    }

    private static String line(Transition t) {
        String from = t.from().isEmpty() ? "" : " (" + t.from() + ")";
        return "entry " + t.index() + ", " + Instant.ofEpochMilli(t.atMillis()) + ", by " + t.by() + from + ": "
                + t.reason();
    }

    /** The explanation of a removed singleton: its history, and whether it still runs. */
    private static List<String> gone(ClusterState state, String name) {
        List<String> lines = new ArrayList<>();
        lines.add("there is no singleton " + name);
        LeaseState l = state.lease(Leases.ofSingleton(name));
        if (l != null && l.owner() != null) {
            lines.add("its lease is held by " + l.owner() + " with fence " + l.fence()
                    + ": it still must deactivate and release it");
        } else if (l != null) {
            lines.add("it does not run: its lease is free; the last fence was " + l.fence());
        }
        removal(state, name).forEach(t -> lines.add(line(t)));
        return List.copyOf(lines);
    }

    /** Its last removal in the history, and the consequences. */
    private static List<Transition> removal(ClusterState state, String name) {
        List<Transition> own = state.history().stream()
                .filter(t -> t.what() == Transition.What.SINGLETON && t.name().equals(name))
                .toList();
        int from = own.size();
        while (from > 0 && own.get(from - 1).to().isEmpty()) {
            from--;
        }
        return own.subList(from, own.size());
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(singleton.name() + " is " + singleton.place() + " since entry " + singleton.version() + ": "
                + singleton.reason());
        lines.add(lease());
        String phase = phase();
        if (!phase.isEmpty()) {
            lines.add(phase);
        }
        Set<String> names = new TreeSet<>(state.members().keySet());
        names.addAll(singleton.spec().candidates());
        if (singleton.spec().preferred() != null) {
            names.add(singleton.spec().preferred());
        }
        names.forEach(n -> lines.add(n + ": " + member(n)));
        return List.copyOf(lines);
    }

    private String lease() {
        LeaseState l = state.lease(singleton.lease());
        if (l == null) {
            return "its lease was never held";
        }
        if (l.owner() == null) {
            return "its lease is free; the last fence was " + l.fence();
        }
        boolean there = singleton.running() && singleton.runsOn(l.owner(), l.fence());
        return "its lease is held by " + l.owner() + " with fence " + l.fence() + ", renewed at entry " + l.renewal()
                + (there ? "" : "; it must deactivate and release it first");
    }

    private String phase() {
        return switch (singleton.phase()) {
            case UNPLACED ->
                state.boot().pending()
                        ? "placement waits for members to join after the cluster's start (initial-boot-delay)"
                        : "no candidate is up";
            case WAITING ->
                "circuit " + (singleton.circuits() + 1) + " of "
                        + (singleton.spec().additionalAttempts() + 1) + " begins after a pause of "
                        + singleton.pauseMillis() + " ms";
            case FAILED -> "it stays deactivated until it is resumed or migrated";
            case PAUSED -> "it stays deactivated until it is resumed";
            case PLACED, ACTIVATING, ACTIVE -> "";
        };
    }

    private String member(String name) {
        String cannot = cannot(name);
        if (name.equals(singleton.member())) {
            return "here" + (cannot == null ? "" : ", although it " + cannot);
        }
        if (cannot != null) {
            return "not here: it " + cannot;
        }
        if (singleton.tried().contains(name)) {
            return "not here: it failed there in this circuit";
        }
        if (name.equals(singleton.origin())) {
            return "not here: this migration began there, and another candidate is up";
        }
        return singleton.member() == null ? "could have it" : "could have it; " + whyNot(name, singleton.member());
    }

    /** Why the member can never be chosen; null if it can. */
    private @Nullable String cannot(String name) {
        MemberState m = state.member(name);
        if (!singleton.spec().mayRunOn(name)) {
            return "is no candidate";
        }
        if (m == null) {
            return "has not joined the cluster";
        }
        if (m.witness()) {
            return "is a witness";
        }
        if (!state.alive(name)) {
            return "is not alive: its lease " + Leases.ofMember(name) + " ended";
        }
        if (m.leaving()) {
            return "shuts down";
        }
        return state.eligible(name) ? null : "has not renewed its lease since the log's leader took over";
    }

    private String whyNot(String name, String there) {
        if (there.equals(singleton.spec().preferred())) {
            return there + " is its preferred server";
        }
        if (name.equals(singleton.spec().preferred())) {
            return preferred(name);
        }
        int here = load.getOrDefault(name, 0);
        int other = load.getOrDefault(there, 0);
        return "it has " + here + (here == 1 ? " singleton, " : " singletons, ") + there + " has " + other
                + "; an active one is not moved for balance";
    }

    private String preferred(String name) {
        MemberState m = state.member(name);
        if (m != null && m.incarnation() == singleton.preferredFailure()) {
            return "it is preferred, but activation failed there, and it was not restarted since";
        }
        if (singleton.spec().failBack() != FailBackMode.OFF && state.holds(singleton)) {
            return "it is preferred, but an operator moved it: it goes back once that server has come up again";
        }
        return switch (singleton.spec().failBack()) {
            case OFF -> "it is preferred, but fail-back is off";
            case IMMEDIATE -> "it is preferred: it goes back once it is active";
            case AFTER ->
                "it is preferred: it goes back once that was there for "
                        + singleton.spec().failBackMillis() + " ms";
        };
    }
}
