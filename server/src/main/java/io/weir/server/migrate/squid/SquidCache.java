package io.weir.server.migrate.squid;

import io.weir.base.ByteSize;
import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.DiskDraft;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a {@code squid.conf} says of its disks, of the largest bodies in memory and on them, and of fetches that clients
 * leave, as section {@code cache}. Confined to one migration.
 */
final class SquidCache {
    private static final Set<String> TYPES = Set.of("ufs", "aufs", "diskd", "rock");
    /** {@code cache.max-object-size}, unless it is given. */
    private static final long IN_MEMORY = 8L << 20;
    /** Smaller bodies have no file of their own: they reach the disk from memory. */
    private static final long LEAST_FILE = 1L << 20;
    /** What Squid stores on disks without {@code maximum_object_size}. */
    private static final long USUAL = 4L << 20;

    private final Section root;
    private final Findings findings;
    private final Map<String, List<Directive>> directives;
    private final DiskDraft disks;

    SquidCache(Section root, Findings findings, Map<String, List<Directive>> directives) {
        this.root = root;
        this.findings = findings;
        this.directives = directives;
        this.disks = new DiskDraft(root, findings);
    }

    private List<Directive> take(String name) {
        List<Directive> found = directives.remove(name);
        return found == null ? List.of() : found;
    }

    /** Takes what it understands out of the directives. */
    void translate() {
        List<Directive> folders = take("cache_dir");
        folders.forEach(this::folder);
        disks.write();
        sizes(folders.isEmpty() ? Place.of("squid.conf") : folders.getFirst().at());
        marks(folders);
        aborts();
    }

    private void folder(Directive d) {
        String type = d.word(0);
        String path = d.word(1);
        if (type.equals("null")) {
            return;
        }
        if (!TYPES.contains(type)) {
            findings.left(d.at(), d.text(), "only ufs, aufs, diskd and rock are folders; cache.disk names a partition");
        } else if (!d.word(2).matches("[0-9]{1,9}") || path.isEmpty()) {
            findings.problem(
                    d.at(), "cache_dir: expected a type, a folder and a size in MB, found \"" + d.rest(0) + "\"");
        } else if (path.contains("${")) {
            findings.left(d.at(), d.text(), "a folder is one name: each process has a folder of its own in it");
        } else if (d.words().contains("read-only") || d.words().contains("no-store")) {
            findings.left(d.at(), d.text(), "each partition is written to: there is none for this folder");
        } else {
            String name = path.endsWith("/") ? path + "weir" : path + "/weir";
            disks.add("cache_dir", path, name, Long.parseLong(d.word(2)) << 20, d.at());
            for (String option : d.words().subList(3, d.words().size())) {
                if (option.matches("m(in|ax)-size=.*")) {
                    findings.left(
                            d.at(),
                            "cache_dir " + path + " " + option,
                            "a partition has no limits of its own: cache.min-object-size and"
                                    + " cache.disk.max-object-size apply to all");
                }
            }
        }
    }

    /** @param disksAt where the first disk is named */
    private void sizes(Place disksAt) {
        List<Directive> memory = take("maximum_object_size_in_memory");
        List<Directive> all = take("maximum_object_size");
        long inMemory = bytes(memory);
        long largest = bytes(all);
        Section cache = root.section("cache");
        if (disks.isEmpty()) {
            List<Directive> said = inMemory < 0 ? all : memory;
            if (!said.isEmpty() && bytes(said) >= 0) {
                memory(cache, bytes(said), said);
            }
            return;
        }
        long most = largest < 0 ? USUAL : largest;
        Place at = all.isEmpty() ? disksAt : all.getLast().at();
        if (largest < 0) {
            findings.note(at, "cache_dir: without maximum_object_size bodies of up to 4 MB are stored");
        }
        DiskDraft.largest(cache.section("disk"), most, "maximum_object_size is " + new ByteSize(most), at, findings);
        // what is smaller than a file of its own goes through memory
        long used = Math.min(most, inMemory < 0 ? IN_MEMORY : Math.max(inMemory, LEAST_FILE));
        if (inMemory >= 0 && used > inMemory) {
            findings.note(
                    memory.getLast().at(),
                    "maximum_object_size_in_memory: cache.max-object-size is " + new ByteSize(used)
                            + ", as bodies of less than 1MiB reach the disk from memory");
        }
        if (inMemory >= 0) {
            memory(cache, used, memory);
        } else if (used < IN_MEMORY) {
            cache.put("max-object-size", new ByteSize(used), at);
        }
    }

    private static void memory(Section cache, long bytes, List<Directive> from) {
        cache.put(
                "max-object-size",
                new ByteSize(Math.min(bytes, 1L << 30)),
                from.getLast().at());
    }

    /** The last of these counts; -1: none. */
    private long bytes(List<Directive> all) {
        return all.isEmpty() ? -1 : SquidSettings.bytes(all.getLast(), findings);
    }

    /** Between these marks Squid removes what it has not used for long. */
    private void marks(List<Directive> folders) {
        List<Directive> low = take("cache_swap_low");
        List<Directive> high = take("cache_swap_high");
        if (low.isEmpty() && high.isEmpty()) {
            return;
        }
        Place at = (high.isEmpty() ? low : high).getLast().at();
        boolean marked = folders.stream().anyMatch(d -> !d.word(0).equals("rock") && TYPES.contains(d.word(0)));
        if (disks.isEmpty() || !marked) {
            findings.note(at, "cache_swap_low, cache_swap_high: no cache_dir that is translated has marks");
            return;
        }
        long above = percent(high, 95, 10);
        long below = Math.min(percent(low, 90, 5), above);
        root.section("cache.disk.gc")
                .put("mode", "automatic", at)
                .put("high-margin", above, at)
                .put("low-margin", below, at);
    }

    private long percent(List<Directive> all, long usual, long least) {
        if (all.isEmpty()) {
            return usual;
        }
        Directive d = all.getLast();
        if (!d.word(0).matches("[0-9]{1,3}%?")) {
            findings.problem(d.at(), d.name() + ": expected a percentage, found \"" + d.rest(0) + "\"");
            return usual;
        }
        return Math.clamp(Long.parseLong(d.word(0).replace("%", "")), least, 100);
    }

    /** Squid looks at what is left of an answer before it looks at the share that has arrived. */
    private void aborts() {
        List<Directive> min = take("quick_abort_min");
        List<Directive> max = take("quick_abort_max");
        List<Directive> pct = take("quick_abort_pct");
        Section cache = root.section("cache");
        if (!min.isEmpty() && min.getLast().word(0).startsWith("-")) {
            cache.put("term-percent", 0, min.getLast().at());
            return;
        }
        if (!pct.isEmpty()) {
            cache.put("term-percent", percent(pct, 95, 0), pct.getLast().at());
            findings.note(
                    pct.getLast().at(),
                    "quick_abort_pct: it decides about all fetches; in Squid only about those of which more than"
                            + " quick_abort_min and less than quick_abort_max is left");
        }
        if (isNothing(min) && isNothing(max)) {
            cache.put("term-percent", 100, max.getLast().at());
            return;
        }
        for (List<Directive> each : List.of(min, max)) {
            each.forEach(d -> findings.left(
                    d.at(),
                    d.text(),
                    "cache.term-percent decides by the share of an answer that has arrived, not by what is left"));
        }
    }

    private static boolean isNothing(List<Directive> size) {
        return !size.isEmpty() && size.getLast().word(0).equals("0");
    }
}
