package io.weir.server.migrate.nginx;

import io.weir.server.migrate.draft.DiskDraft;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.YamlDraft;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.List;

/** {@code proxy_cache_path} as section {@code cache}, with its disk. Confined to one migration. */
final class NginxCachePaths {
    private static final long MOST_MEMORY = 64L << 20;
    private static final long LEAST_MEMORY = 256 << 10;
    /** {@code cache.disk.size}, where the source has no limit. */
    private static final long USUAL = 10L << 30;

    private final Section root;
    private final Findings findings;
    private final DiskDraft disks;
    private long free;

    NginxCachePaths(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
        this.disks = new DiskDraft(root, findings);
    }

    void write(List<Directive> paths) {
        if (paths.isEmpty()) {
            root.section("cache").put("enabled", "off");
            return;
        }
        paths.forEach(this::path);
        disks.write();
        if (!disks.isEmpty()) {
            if (free > 0) {
                root.section("cache.disk")
                        .put("min-space", YamlDraft.size(free), paths.getFirst().at());
            }
            DiskDraft.largest(
                    root.section("cache.disk"),
                    Long.MAX_VALUE,
                    "proxy_cache_path: nginx stores bodies of any size",
                    paths.getFirst().at(),
                    findings);
        }
        if (paths.size() > 1) {
            findings.note(
                    paths.get(1).at(),
                    "proxy_cache_path: all locations share all partitions, an answer's key decides where it lies");
        }
    }

    private void path(Directive d) {
        long size = size(d, "max_size");
        if (size == 0) {
            findings.note(d.at(), "proxy_cache_path: without max_size the size is that of cache.disk.size, 10GiB");
        } else {
            long memory = Math.clamp(size, LEAST_MEMORY, MOST_MEMORY);
            root.section("cache").putFirst("memory-budget", YamlDraft.size(memory), d.at());
        }
        String path = d.argument(0).replaceFirst("(?<=.)/+$", "");
        // beside it: a running nginx removes files of others from its folder
        disks.add("proxy_cache_path", path, path + "-weir", size == 0 ? USUAL : size, d.at());
        free = Math.max(free, size(d, "min_free"));
        for (String option : d.arguments()) {
            if (option.startsWith("inactive=")) {
                findings.note(
                        d.at(), option + ": what is not requested stays until others need the room (cache.disk.gc)");
            }
        }
    }

    /** 0: there is none. */
    private long size(Directive d, String name) {
        for (String option : d.arguments()) {
            if (option.startsWith(name + "=")) {
                String text = option.substring(name.length() + 1);
                long bytes = NginxValues.bytes(text);
                if (bytes < 0) {
                    findings.problem(
                            d.at(),
                            "proxy_cache_path " + name + ": expected a size such as 10g, found \"" + text + "\"");
                }
                return Math.max(0, bytes);
            }
        }
        return 0;
    }
}
