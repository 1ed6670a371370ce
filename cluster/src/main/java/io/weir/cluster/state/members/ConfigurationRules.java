package io.weir.cluster.state.members;

import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides what operators may remove: nothing that is defined in the configuration of a live member. Pure. */
public final class ConfigurationRules {
    private final Liveness live;
    private final SortedMap<String, Configuration> configurations;

    ConfigurationRules(Liveness live, SortedMap<String, Configuration> configurations) {
        this.live = live;
        this.configurations = configurations;
    }

    /** Why it may not be removed; null if no configuration defines it. */
    public @Nullable Answer refusal(String name, Predicate<Configuration> has) {
        List<String> have = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        for (MemberState m : live.members().values()) {
            if (!live.alive(m.name())) {
                continue;
            }
            Configuration c = configurations.get(m.name());
            if (c == null || c.incarnation() != m.incarnation()) {
                silent.add(m.name());
            } else if (has.test(c)) {
                have.add(m.name());
            }
        }
        if (!have.isEmpty()) {
            return Draft.refused(
                    Refusal.CONFIGURED,
                    "the configuration of " + String.join(", ", have) + " has " + name
                            + ": remove it there and restart, otherwise the next start defines it again");
        }
        return silent.isEmpty()
                ? null
                : Draft.refused(
                        Refusal.BUSY,
                        String.join(", ", silent) + " has not reported its configuration yet: try again soon");
    }
}
