package io.weir.proxy.program.run;

import io.weir.base.Nearest;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.proxy.program.config.BucketConfig;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.proxy.program.server.VirtualServers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The performance buckets of a program in the order of their definition: the two that are predefined, then those of
 * {@code proxy.buckets}. Immutable.
 */
public final class PerformanceBuckets {
    /** Maximum of buckets, with the predefined ones: a run keeps the set of those that it used in a number. */
    public static final int MAX = 64;

    /** The bucket of calls that name none; predefined. */
    public static final String DEFAULT = "default-bucket";

    /** Predefined; empty unless directives name it, and then not shown by perfdump. */
    public static final String CACHE = "cache-bucket";

    /** The sum of all; no directive can name it. */
    public static final String ALL = "all-requests";

    /** None: nothing is counted ({@code proxy.profiling: off}). */
    public static final PerformanceBuckets OFF = new PerformanceBuckets(Map.of(), List.of());

    private static final List<StatSpec> COUNTERS = List.of(
            ProxyStats.BUCKET_REQUESTS,
            ProxyStats.BUCKET_INVOCATIONS,
            ProxyStats.BUCKET_TIME,
            ProxyStats.BUCKET_DISPATCH);

    private final Map<String, PerformanceBucket> byName;
    private final List<String> servers;
    private final @Nullable PerformanceBucket unnamed;

    private PerformanceBuckets(Map<String, PerformanceBucket> byName, List<String> servers) {
        this.byName = new LinkedHashMap<>(byName);
        this.servers = servers;
        this.unnamed = byName.get(DEFAULT);
    }

    /**
     * The predefined buckets and the declared ones.
     *
     * @param problem is told the key below {@code proxy.buckets}, or an empty one, and what is wrong
     */
    public static PerformanceBuckets of(
            Map<String, BucketConfig> declared, VirtualServers virtualServers, BiConsumer<String, String> problem) {
        Map<String, String> described = new LinkedHashMap<>();
        described.put(DEFAULT, "Default bucket");
        described.put(CACHE, "Cached responses");
        declared.forEach((name, bucket) -> {
            String description = bucket.description() == null ? name : bucket.description();
            described.put(name, description);
            if (name.equals(ALL)) {
                problem.accept(name, "is the sum of all buckets; choose another name");
            } else if (!plain(name, 64) || !plain(description, 256)) {
                problem.accept(
                        name,
                        "expected a name of at most 64 and a description of at most 256 characters, both in one line");
            }
        });
        List<String> servers =
                virtualServers.all().stream().map(VirtualServer::name).toList();
        if (described.size() > MAX) {
            problem.accept("", "at most " + (MAX - 2) + " buckets can be declared, found " + (described.size() - 2));
        } else if (described.size() * servers.size() > Stats.MAX_CHILDREN) {
            problem.accept(
                    "",
                    described.size() + " buckets, with the two predefined ones, of " + servers.size()
                            + " virtual servers are more than " + Stats.MAX_CHILDREN + " sets of counters");
        }
        Map<String, PerformanceBucket> byName = new LinkedHashMap<>();
        described.forEach((name, text) -> byName.put(name, new PerformanceBucket(byName.size(), name, text, servers)));
        return new PerformanceBuckets(byName, servers);
    }

    /** The predefined buckets only. */
    public static PerformanceBuckets predefined(VirtualServers virtualServers) {
        return of(Map.of(), virtualServers, (_, _) -> {});
    }

    private static boolean plain(String text, int most) {
        return !text.isBlank() && text.length() <= most && text.chars().noneMatch(Character::isISOControl);
    }

    /** Whether anything is counted. */
    public boolean on() {
        return unnamed != null;
    }

    /** All of them, in the order of their definition; empty if nothing is counted. */
    public List<PerformanceBucket> all() {
        return List.copyOf(byName.values());
    }

    /** The one of this name; null: there is none, and its calls belong to the default bucket. */
    public @Nullable PerformanceBucket named(String name) {
        return byName.get(name);
    }

    /** Why calls that name this bucket are counted in the default one; null: they are not. */
    public @Nullable String undeclared(@Nullable String name) {
        return name == null || !on() || byName.containsKey(name)
                ? null
                : "there is no bucket \"" + name + "\"" + Nearest.known(name, byName.keySet())
                        + ". Its calls are counted in " + DEFAULT + " until proxy.buckets declares it";
    }

    /** The default bucket; null: nothing is counted. */
    @Nullable
    PerformanceBucket unnamed() {
        return unnamed;
    }

    /** Shows the counters of the declared buckets before any call, and no longer those that this program lacks. */
    void begin(Stats stats) {
        if (!on()) {
            return;
        }
        for (StatSpec spec : COUNTERS) {
            stats.samples(spec.name()::equals).stream()
                    .map(Stats.Sample::labels)
                    .filter(l -> !byName.containsKey(l.getFirst()) || !servers.contains(l.getLast()))
                    .forEach(l -> stats.remove(spec, l.toArray(String[]::new)));
        }
        byName.values().stream().filter(b -> !b.name().equals(CACHE)).forEach(b -> b.begin(stats));
    }
}
