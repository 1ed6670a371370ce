package io.weir.server.monitor;

import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.text.TextTable;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file cache status page of the Sun proxy ({@code /nsc}, {@code /nsfc}). Confined to the call; created for each
 * page.
 */
final class CachePage {
    /** Maximum number of entries listed. */
    static final int MAX_LISTED = 10_000;

    private static final DateTimeFormatter MODIFIED = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT);

    private final ZoneId zone;
    private final StringBuilder text = new StringBuilder(4096);
    private final Formatter out = new Formatter(text, Locale.ROOT);

    CachePage(ZoneId zone) {
        this.zone = zone;
    }

    /**
     * The page.
     *
     * @param pids of the processes whose figures are shown
     * @param listed entries to list; null: none are wanted
     */
    String write(String product, List<Long> pids, Facts.Cache c, @Nullable List<Facts.CacheEntry> listed) {
        String processes = (pids.size() == 1 ? "pid " : "pids ")
                + pids.stream().map(String::valueOf).collect(Collectors.joining(", "));
        String title = product + " File Cache Status (" + processes + ")";
        out.format("The file cache is %s.\n", c.enabled() ? "enabled" : "disabled");
        if (c.enabled()) {
            resources(c);
            parameters(c);
            if (listed != null) {
                list(listed);
            }
        }
        return Html.page(title, "<h1>" + Html.text(title) + "</h1>\n<pre>\n" + Html.text(text.toString()) + "</pre>\n");
    }

    /** The page for a GET that asks for a change: it says how the change is made. */
    static String change(String path, String change) {
        String title = "File Cache: " + change;
        return Html.page(
                title,
                "<h1>" + Html.text(title)
                        + "</h1>\n<p>A GET changes nothing: send a POST to the admin listener, with the"
                        + " token of the data directory, or with an administrator's user and password.</p>\n<pre>\n"
                        + Html.text("curl -X POST -u USER 'http://ADMIN" + path + "?" + change + "'\n"
                                + "curl -X POST -H 'Authorization: Bearer TOKEN' 'http://ADMIN" + path + "?" + change
                                + "'\n")
                        + "</pre>\n");
    }

    private void resources(Facts.Cache c) {
        long lookups = c.hits() + c.misses();
        double percent = lookups == 0 ? 0 : 100.0 * c.hits() / lookups;
        text.append("Cache resource utilization\n\n");
        out.format(
                "Number of cached file entries = %d (%d bytes each, %d total bytes)\n",
                c.entries(), c.entryOverhead(), c.entries() * c.entryOverhead());
        out.format("Number of cached open file descriptors = %d/%d\n", c.openEntries(), c.maxOpenEntries());
        out.format("Heap space used for cache = %d/%d bytes\n", c.bytes(), c.maxBytes());
        out.format("Mapped memory used for medium file contents = 0/0 bytes\n");
        out.format("Number of cache lookup hits = %d/%d (%6.2f %%)\n", c.hits(), lookups, percent);
        out.format("Number of hits/misses on cached file info = %d/%d\n", c.infoHits(), c.infoMisses());
        out.format("Number of hits/misses on cached file content = %d/%d\n", c.contentHits(), c.contentMisses());
        out.format("Number of outdated cache entries deleted = %d\n", c.expired());
        out.format("Number of cache entry replacements = %d\n", c.evicted());
        out.format("Total number of cache entries deleted = %d\n", c.expired() + c.evicted() + c.deleted());
        out.format("Number of busy cache entries deleted = %d\n", c.busy());
    }

    private void parameters(Facts.Cache c) {
        text.append("\nParameter settings\n\n");
        out.format("ReplaceFiles: true\n");
        out.format("ReplaceInterval: 0 milliseconds\n");
        out.format("HitOrder: true\n");
        out.format("CacheFileContent: true\n");
        out.format("TransmitFile: %s\n", c.sendsFiles());
        out.format("MaxAge: %d seconds\n", c.maxAgeSeconds());
        out.format("MaxFiles: %d files\n", c.maxEntries());
        out.format("SmallFileSizeLimit: %d bytes\n", c.maxObjectBytes());
        out.format("MediumFileSizeLimit: 0 bytes\n");
        out.format("MaxOpenFiles: %d files\n", c.maxOpenEntries());
        out.format("CopyFiles: false\n");
        out.format("Hash table size: %d buckets\n", c.places());
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
                    "[" + e.pid() + ", " + number + "]");
        }
        text.append("\nFile list\n\n").append(table.text());
    }
}
