package io.weir.server.config;

import io.weir.base.ConfigNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reloaded configuration, compared with the one in force. Immutable.
 *
 * @param next the one in force with the reloaded values of all dynamic knobs
 * @param changed keys that differ and change while the server runs
 * @param atRestart keys that differ and take effect at the next start only
 */
record Reread(ConfigNode.Mapping next, List<String> changed, List<String> atRestart) {
    /** The section in which the order of entries matters. */
    private static final String ORDERED = "virtual-servers";

    static Reread of(ConfigNode.Mapping inForce, ConfigNode.Mapping fresh) {
        Map<String, ConfigNode> a = Overlay.leaves(inForce);
        Map<String, ConfigNode> b = Overlay.leaves(fresh);
        List<String> changed = new ArrayList<>();
        List<String> atRestart = new ArrayList<>();
        Set<String> all = new LinkedHashSet<>(b.keySet());
        all.addAll(a.keySet());
        for (String key : all) {
            // a section that has no key in one of the two: those of the other are compared themselves
            boolean sections = Changes.isSection(inForce, key) && Changes.isSection(fresh, key);
            if (!sections && !same(a.get(key), b.get(key))) {
                boolean live = Changes.live(key) && Changes.reachable(inForce, key) && Changes.reachable(fresh, key);
                (live ? changed : atRestart).add(key);
            }
        }
        if (reordered(inForce, fresh)) {
            atRestart.add(ORDERED);
        }
        ConfigNode.Mapping next = inForce;
        // removals come first: an empty section has the key of one that has keys afterwards
        for (String key : changed) {
            next = b.containsKey(key) ? next : Changes.withEntries(next.without(key), fresh, key);
        }
        for (Map.Entry<String, ConfigNode> e : b.entrySet()) {
            // an equal value may be on another line; what is still in a section that is empty now waits for a restart
            boolean stays = atRestart.contains(e.getKey())
                    || (e.getValue() instanceof ConfigNode.Mapping && Changes.isSection(next, e.getKey()));
            next = stays ? next : next.with(e.getKey(), e.getValue());
        }
        return new Reread(next, List.copyOf(changed), List.copyOf(atRestart));
    }

    /** The first of two virtual servers with the same host gets it, and running ones keep their order. */
    private static boolean reordered(ConfigNode.Mapping a, ConfigNode.Mapping b) {
        if (!(a.find(ORDERED) instanceof ConfigNode.Mapping before)
                || !(b.find(ORDERED) instanceof ConfigNode.Mapping now)) {
            return false;
        }
        List<String> kept = new ArrayList<>(before.entries().keySet());
        kept.retainAll(now.entries().keySet());
        List<String> same = new ArrayList<>(now.entries().keySet());
        same.retainAll(kept);
        return !kept.equals(same);
    }

    /** The second configuration; values that both have keep the place in the first. */
    static ConfigNode.Mapping whole(ConfigNode.Mapping read, ConfigNode.Mapping inForce) {
        Map<String, ConfigNode> a = Overlay.leaves(read);
        ConfigNode.Mapping all = inForce;
        for (Map.Entry<String, ConfigNode> e : Overlay.leaves(inForce).entrySet()) {
            ConfigNode known = a.get(e.getKey());
            all = known != null && same(known, e.getValue()) ? all.with(e.getKey(), known) : all;
        }
        return all;
    }

    private static boolean same(@Nullable ConfigNode a, @Nullable ConfigNode b) {
        return a != null && b != null && Overlay.content(a).equals(Overlay.content(b));
    }
}
