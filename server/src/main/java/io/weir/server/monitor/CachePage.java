package io.weir.server.monitor;

import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.text.TextTable;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * The file cache status page of the Sun proxy ({@code /nsc}, {@code /nsfc}). Confined to the call; created for each
 * page.
 */
final class CachePage {
    /** Maximum number of entries listed. */
    static final int MAX_LISTED = 10_000;

    private static final DateTimeFormatter MODIFIED = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT);

    private final MonitorSource source;
    private final ZoneId zone;
    private final StringBuilder text = new StringBuilder(4096);
    private final Formatter out = new Formatter(text, Locale.ROOT);

    CachePage(MonitorSource source, ZoneId zone) {
        this.source = source;
        this.zone = zone;
    }

    /**
     * The page.
     *
     * @param listed entries to list; 0 for none
     */
    String write(int listed) {
        Facts.Identity id = source.identity();
        Facts.Cache c = source.cache();
        String title = id.product() + " File Cache Status (pid " + id.pid() + ")";
        out.format("The file cache is %s.\n", c.enabled() ? "enabled" : "disabled");
        if (c.enabled()) {
            resources(c);
            parameters(c);
            if (listed > 0) {
                list(source.cacheEntries(listed));
            }
        }
        return Html.page(title, "<h1>" + Html.text(title) + "</h1>\n<pre>\n" + Html.text(text.toString()) + "</pre>\n");
    }

    private void resources(Facts.Cache c) {
        long lookups = c.hits() + c.misses();
        double percent = lookups == 0 ? 0 : 100.0 * c.hits() / lookups;
        text.append("Cache resource utilization\n\n");
        out.format(
                "Number of cached file entries = %d (%d bytes each, %d total bytes)\n",
                c.entries(), c.entryOverhead(), c.entries() * c.entryOverhead());
        out.format("Heap space used for cache = %d/%d bytes\n", c.bytes(), c.maxBytes());
        out.format("Mapped memory used for medium file contents = 0/0 bytes\n");
        out.format("Number of cache lookup hits = %d/%d (%6.2f %%)\n", c.hits(), lookups, percent);
        out.format("Number of hits/misses on cached file info = %d/%d\n", c.infoHits(), c.infoMisses());
        out.format("Number of hits/misses on cached file content = %d/%d\n", c.contentHits(), c.contentMisses());
        out.format("Number of outdated cache entries deleted = %d\n", c.expired());
        out.format("Number of cache entry replacements = %d\n", c.evicted());
        out.format("Total number of cache entries deleted = %d\n", c.expired() + c.evicted() + c.deleted());
    }

    private void parameters(Facts.Cache c) {
        text.append("\nParameter settings\n\n");
        out.format("ReplaceFiles: true\n");
        out.format("ReplaceInterval: 0 milliseconds\n");
        out.format("HitOrder: true\n");
        out.format("CacheFileContent: true\n");
        out.format("TransmitFile: false\n");
        out.format("MaxAge: %d seconds\n", c.maxAgeSeconds());
        out.format("MaxFiles: %d files\n", c.maxEntries());
        out.format("SmallFileSizeLimit: %d bytes\n", c.maxObjectBytes());
        out.format("MediumFileSizeLimit: 0 bytes\n");
        out.format("CopyFiles: false\n");
    }

    private void list(List<Facts.CacheEntry> entries) {
        if (entries.isEmpty()) {
            text.append("\nFile list\n\nThe store lists no entries.\n");
            return;
        }
        TextTable table = new TextTable("Number", "File", "Hits", "Flags", "Refs", "Age", "Modified", "Size", "FileID");
        int number = 0;
        for (Facts.CacheEntry e : entries) {
            number++;
            table.row(
                    Integer.toString(number),
                    e.uri(),
                    Long.toString(e.hits()),
                    e.flags(),
                    Integer.toString(e.references()),
                    Long.toString(e.ageSeconds()),
                    e.modified() == 0
                            ? ""
                            : MODIFIED.format(Instant.ofEpochMilli(e.modified()).atZone(zone)),
                    Long.toString(e.size()),
                    "[0, " + number + "]");
        }
        text.append("\nFile list\n\n").append(table.text());
    }
}
