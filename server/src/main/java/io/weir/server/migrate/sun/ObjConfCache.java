package io.weir.server.migrate.sun;

import io.weir.base.ByteSize;
import io.weir.base.ConfigNode.Place;
import io.weir.proxy.program.objconf.ObjConfReader.Written;
import io.weir.server.migrate.draft.DiskDraft;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import java.util.List;
import java.util.Set;

/**
 * The caching functions of {@code obj.conf} as section {@code cache} of a route, and the largest body that the disk tier
 * keeps for all of them. Confined to one migration.
 */
// Configuration File Reference of the Proxy Server 4.0, "cache-enable" and "cache-setting"
final class ObjConfCache {
    private static final String ROUTE = "proxy.routes[].cache.";
    /** {@code cache.max-object-size}, unless it is given. */
    private static final long IN_MEMORY = 8L << 20;

    private final Findings findings;
    private final ObjConfNumbers numbers;

    ObjConfCache(Findings findings, ObjConfNumbers numbers) {
        this.findings = findings;
        this.numbers = numbers;
    }

    void enable(Written w, Section body) {
        Section cache = body.section("cache");
        cache.putFirst("enabled", "on", w.at());
        for (String name : List.of("query-maxlen", "min-size", "max-size")) {
            numbers.put(w, name, cache, ROUTE + name);
        }
        if ("1".equals(w.value("cache-auth"))) {
            cache.putFirst("cache-auth", "on", w.at());
        }
    }

    void setting(Written w, Section body) {
        Section cache = body.section("cache");
        for (String name : List.of("max-uncheck", "cover-errors", "term-percent")) {
            numbers.put(w, name, cache, ROUTE + name);
        }
        String lm = w.value("lm-factor");
        if (lm != null && lm.matches("[01](\\.[0-9]{1,6})?|0?\\.[0-9]{1,6}")) {
            cache.putFirst("lm-factor", lm.startsWith(".") ? "0" + lm : lm, w.at());
        }
        String mode = w.value("connect-mode");
        if (mode != null && !mode.equals("always")) {
            cache.putFirst("connect-mode", mode, w.at());
        }
        List<String> ignored = Set.of("no-cache", "no-store", "private", "reload").stream()
                .filter(d -> "1".equals(w.value("ignore-" + d)))
                .sorted()
                .toList();
        if (!ignored.isEmpty()) {
            cache.putFirst("ignore", ignored, w.at());
        }
        for (String none : List.of("exclude", "replace", "no-merge")) {
            if (w.value(none) != null) {
                findings.left(w.at(), "cache-setting " + none, "stored fields are those of the origin");
            }
        }
    }

    /** The largest body that a route may store, where that is said; empty: any size. */
    private record Largest(long bytes, Place at) {}

    /**
     * All routes are made: the disk tier keeps bodies as large as they allow, or a note says that there is none.
     *
     * @param root the translation
     */
    static void disk(Section root, Findings findings) {
        Largest any = null;
        Largest said = null;
        for (Section route : root.section("proxy").list("routes")) {
            Section cache = route.has("cache") ? route.section("cache") : new Section();
            Section.Entry enabled = cache.entries().get("enabled");
            if (enabled == null || enabled.from() == null || !enabled.value().equals("on")) {
                continue;
            }
            Section.Entry max = cache.entries().get("max-size");
            long bytes =
                    max == null ? 0 : ByteSize.parse(max.value().toString()).bytes();
            if (max == null || max.from() == null || bytes == 0) {
                any = new Largest(Long.MAX_VALUE, enabled.from());
            } else if (said == null || bytes > said.bytes()) {
                said = new Largest(bytes, max.from());
            }
        }
        Largest largest = any == null ? said : any;
        if (largest == null) {
            return;
        }
        Section cache = root.has("cache") ? root.section("cache") : new Section();
        if (cache.has("disk") && cache.section("disk").has("partitions")) {
            String what = any == null
                    ? "max-size is " + new ByteSize(largest.bytes())
                    : "cache-enable without max-size stores bodies of any size";
            DiskDraft.largest(cache.section("disk"), largest.bytes(), what, largest.at(), findings);
        } else if (said != null && said.bytes() > memory(cache)) {
            findings.note(
                    said.at(),
                    "max-size: there is no disk tier (PARTITION of server.xml), so bodies of up to "
                            + new ByteSize(said.bytes())
                            + " would be stored in cache.memory-budget. Add cache.disk.path,"
                            + " and cache.disk.max-object-size: " + new ByteSize(said.bytes()));
        }
    }

    private static long memory(Section cache) {
        String size = cache.text("max-object-size");
        return size == null ? IN_MEMORY : ByteSize.parse(size).bytes();
    }
}
