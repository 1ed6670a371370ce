package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Nearest;
import io.weir.kernel.Kernel;
import io.weir.kernel.work.RequestClassConfig;
import io.weir.kernel.work.WorkManagerConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks references among work managers, request classes and constraints. Used once. */
final class WorkChecks {
    private final WeirConfig config;
    private final ConfigNode.Mapping tree;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private WorkChecks(WeirConfig config, ConfigNode.Mapping tree) {
        this.config = config;
        this.tree = tree;
    }

    static List<ConfigProblem> of(WeirConfig config, ConfigNode.Mapping tree) {
        WorkChecks checks = new WorkChecks(config, tree);
        config.workManagers().forEach(checks::workManager);
        config.requestClasses().forEach((name, c) -> checks.context("request-classes." + name + ".context.", c));
        return checks.problems;
    }

    private void workManager(String name, WorkManagerConfig w) {
        String key = "work-managers." + name + ".";
        if (w.minThreads() > 0 && w.maxThreads() >= 0 && w.minThreads() > w.maxThreads()) {
            report(key + "min-threads", "is " + w.minThreads() + ", more than max-threads " + w.maxThreads());
        }
        var c = config.constraints();
        known(
                key + "request-class",
                "request class",
                w.requestClass(),
                config.requestClasses().keySet());
        known(
                key + "min-threads-constraint",
                "min-threads constraint",
                w.minThreadsConstraint(),
                c.minThreads().keySet());
        known(
                key + "max-threads-constraint",
                "max-threads constraint",
                w.maxThreadsConstraint(),
                c.maxThreads().keySet());
        known(key + "capacity", "capacity", w.capacity(), c.capacity().keySet());
        threadsOf(name, key + "threads-of", w.threadsOf());
    }

    private void threadsOf(String name, String key, @Nullable String other) {
        if (other == null) {
            return;
        }
        TreeSet<String> owners = new TreeSet<>(config.workManagers().keySet());
        owners.add(Kernel.DEFAULT);
        known(key, "work manager", other, owners);
        WorkManagerConfig owner = config.workManagers().get(other);
        if (name.equals(Kernel.DEFAULT)) {
            report(key, "the work manager default has threads of its own");
        } else if (owner != null && owner.threadsOf() != null) {
            report(key, "the work manager " + other + " has no threads of its own");
        }
    }

    private void context(String key, RequestClassConfig c) {
        List<String> plain = config.requestClasses().entrySet().stream()
                .filter(e -> !e.getValue().context().given())
                .map(e -> e.getKey())
                .toList();
        String what = "request class with a share or a goal";
        c.context().users().forEach((user, of) -> known(key + "users." + user, what, of, plain));
        c.context().groups().forEach((group, of) -> known(key + "groups." + group, what, of, plain));
        known(key + "otherwise", what, c.context().otherwise(), plain);
    }

    private void known(String key, String what, @Nullable String name, Collection<String> known) {
        if (name != null && !known.contains(name)) {
            report(key, "there is no " + what + " \"" + name + "\"" + Nearest.known(name, known));
        }
    }

    private void report(String key, String what) {
        problems.add(new ConfigProblem(tree.nearestPlace(key), key, what));
    }
}
