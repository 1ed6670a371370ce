package io.weir.server.monitor.jmx;

import io.weir.server.figures.cluster.ClusterDeclarations;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.cluster.ClusterFigures.Lease;
import io.weir.server.figures.cluster.ClusterFigures.Member;
import io.weir.server.figures.cluster.ClusterFigures.Singleton;
import io.weir.server.figures.cluster.ClusterFigures.Timer;
import io.weir.server.monitor.jmx.MessagingBeans.Name;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.ReadOnlyBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as beans with WebLogic's attribute names where Weir has the figure; they show the latest refresh. Shared:
 * refreshed by the admin loop, read by the threads of JMX.
 */
public final class ClusterBeans {
    private volatile @Nullable ClusterFigures latest;
    private volatile Map<String, Member> members = Map.of();
    private volatile Map<String, Lease> leases = Map.of();
    private volatile Map<String, Singleton> singletons = Map.of();
    private volatile Map<String, Timer> timers = Map.of();

    /** Updates the figures and returns the current beans; a bounded number. */
    public Map<Name, Supplier<ReadOnlyBean>> refresh(@Nullable ClusterFigures now) {
        latest = now;
        Map<Name, Supplier<ReadOnlyBean>> beans = new LinkedHashMap<>();
        if (now == null) {
            return beans;
        }
        members = byName(now.members(), Member::name);
        leases = byName(now.leases(), Lease::name);
        singletons = byName(now.singletons(), Singleton::name);
        timers = byName(now.timers(), Timer::id);
        beans.put(new Name("ClusterRuntime", "cluster"), this::totals);
        members.keySet().forEach(n -> beans.put(new Name("ClusterMemberRuntime", n), () -> member(n)));
        leases.keySet().forEach(n -> beans.put(new Name("LeaseRuntime", n), () -> lease(n)));
        singletons.keySet().forEach(n -> beans.put(new Name("SingletonServiceRuntime", n), () -> singleton(n)));
        timers.keySet().forEach(n -> beans.put(new Name("TimerRuntime", n), () -> timer(n)));
        return beans;
    }

    private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
        Map<String, T> map = new LinkedHashMap<>();
        ClusterFigures.shown(all).forEach(t -> map.put(name.apply(t), t));
        return map;
    }

    private ReadOnlyBean totals() {
        return FigureViews.bean(ClusterDeclarations.TOTALS, "The cluster", () -> {
            ClusterFigures c = latest;
            return c == null ? null : c.totals();
        });
    }

    private ReadOnlyBean member(String name) {
        return FigureViews.bean(ClusterDeclarations.MEMBER, "Member " + name, () -> members.get(name));
    }

    private ReadOnlyBean lease(String name) {
        return FigureViews.bean(ClusterDeclarations.LEASE, "Lease " + name, () -> leases.get(name));
    }

    private ReadOnlyBean singleton(String name) {
        return FigureViews.bean(ClusterDeclarations.SINGLETON, "Singleton " + name, () -> singletons.get(name));
    }

    private ReadOnlyBean timer(String name) {
        return FigureViews.bean(ClusterDeclarations.TIMER, "Timer " + name, () -> timers.get(name));
    }
}
