package io.weir.server.figures.http;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.context.EngineStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.monitor.source.Facts.Cache;
import io.weir.server.monitor.source.Facts.DiskCache;
import io.weir.server.monitor.source.Facts.Dns;
import java.util.List;
import java.util.stream.Stream;

/** Every figure of caches of objects and of names, once: perfdump, stats-xml with its document type and docs/figures.md follow. */
public final class CacheDeclarations {
    /** The memory cache: the Sun proxy's file cache and its accelerator. */
    public static final FigureGroup<Cache> CACHE = new FigureGroup<>(
                    "The memory cache",
                    "cache-bucket",
                    null,
                    "CacheInfo:",
                    List.of(
                            Figure.<Cache>flag("Whether the memory cache is on.", Cache::enabled)
                                    .attribute("flagEnabled")
                                    .line("File Cache Enabled"),
                            Figure.<Cache>count(CacheStats.ENTRIES, Cache::entries)
                                    .attribute("countEntries")
                                    .line("File Cache Entries"),
                            Figure.<Cache>count(
                                            "objects",
                                            "Maximum number of objects; 0: bounded by bytes alone.",
                                            Cache::maxEntries)
                                    .attribute("maxEntries")
                                    .line("File Cache Entries"),
                            none("countOpenEntries"),
                            none("maxOpenEntries"),
                            Figure.<Cache>count(CacheStats.BYTES, Cache::bytes).attribute("sizeHeapCache"),
                            Figure.<Cache>count(CacheStats.BUDGET, Cache::maxBytes)
                                    .attribute("maxHeapCacheSize"),
                            none("sizeMmapCache"),
                            none("maxMmapCacheSize"),
                            Figure.<Cache>count(CacheStats.HITS, Cache::hits)
                                    .attribute("countHits")
                                    .line("File Cache Hit Ratio", c -> Texts.ratio(c.hits(), c.hits() + c.misses())),
                            Figure.<Cache>count("requests", "Requests that found nothing stored.", Cache::misses)
                                    .attribute("countMisses"),
                            Figure.<Cache>count(CacheStats.NOT_MODIFIED, Cache::infoHits)
                                    .attribute("countInfoHits"),
                            Figure.<Cache>count(
                                            "requests", "Revalidations that brought a new object.", Cache::infoMisses)
                                    .attribute("countInfoMisses"),
                            Figure.<Cache>count("requests", "Hits that sent a stored body.", Cache::contentHits)
                                    .attribute("countContentHits"),
                            Figure.<Cache>count("requests", "Requests that found no body.", Cache::contentMisses)
                                    .attribute("countContentMisses"),
                            Figure.<Cache>count(
                                            "seconds",
                                            "Longest time for which an object is used unchecked.",
                                            Cache::maxAgeSeconds)
                                    .attribute("secondsMaxAge")
                                    .line("Maximum Age"),
                            Figure.<Cache>count("objects", "As countEntries.", Cache::entries)
                                    .attribute("countAcceleratorEntries")
                                    .line("Accelerator Entries"),
                            Figure.<Cache>count("objects", "As maxEntries.", Cache::maxEntries)
                                    .line("Accelerator Entries"),
                            Figure.<Cache>count("requests", "Requests that it could have answered.", Cache::eligible)
                                    .attribute("countAcceleratableRequests")
                                    .line("Acceleratable Requests", c -> Texts.ratio(c.eligible(), c.requests())),
                            Figure.<Cache>count(
                                            "requests",
                                            "Requests that it could not have answered.",
                                            c -> Math.max(0, c.requests() - c.eligible()))
                                    .attribute("countUnacceleratableRequests"),
                            Figure.<Cache>count("responses", "Answers to them that could be stored.", Cache::storable)
                                    .attribute("countAcceleratableResponses")
                                    .line("Acceleratable Responses", c -> Texts.ratio(c.storable(), c.answers())),
                            Figure.<Cache>count(
                                            "responses",
                                            "Answers to them that could not be stored.",
                                            c -> Math.max(0, c.answers() - c.storable()))
                                    .attribute("countUnacceleratableResponses"),
                            Figure.<Cache>count("requests", "As countContentHits.", Cache::contentHits)
                                    .attribute("countAcceleratorHits")
                                    .line("Accelerator Hit Ratio", c -> Texts.ratio(c.contentHits(), c.eligible())),
                            Figure.<Cache>count(
                                            "requests",
                                            "Requests that it could have answered and did not.",
                                            c -> Math.max(0, c.eligible() - c.contentHits()))
                                    .attribute("countAcceleratorMisses")))
            .writing("secondsMaxAge", "countEntries");

    /** The disk cache. */
    public static final FigureGroup<DiskCache> DISK = new FigureGroup<>(
            "The disk cache",
            "",
            null,
            "DiskCacheInfo:",
            List.of(
                    Figure.<DiskCache>count("requests", "Hits on it, of all requests to it.", DiskCache::hits)
                            .line("Hit Ratio", c -> Texts.ratio(c.hits(), c.hits() + c.misses())),
                    Figure.<DiskCache>count("requests", "Requests that found nothing in it.", DiskCache::misses)
                            .line("Misses"),
                    Figure.<DiskCache>count("files", "Files in it at the start.", DiskCache::filesAtStart)
                            .line("Cache files at startup"),
                    Figure.<DiskCache>count("files", "Files made since.", DiskCache::created)
                            .line("Cache files created"),
                    Figure.<DiskCache>count("files", "Files removed since.", DiskCache::cleaned)
                            .line("Cache files cleaned up")));

    /** The content of a cache of names. */
    public static final List<Figure<Dns>> NAMES = List.of(
            Figure.<Dns>flag("Whether names are cached.", Dns::enabled)
                    .attribute("flagCacheEnabled")
                    .line("enabled"),
            Figure.<Dns>count(EngineStats.DNS_ENTRIES, Dns::entries)
                    .attribute("countCacheEntries")
                    .line("CacheEntries"),
            Figure.<Dns>count("names", "Most names.", Dns::maxEntries)
                    .attribute("maxCacheEntries")
                    .line("CacheEntries"),
            Figure.<Dns>count(EngineStats.DNS_HITS, Dns::hits)
                    .attribute("countCacheHits")
                    .line("HitRatio", d -> Texts.ratio(d.hits(), d.hits() + d.misses())),
            Figure.<Dns>count(EngineStats.DNS_MISSES, Dns::misses).attribute("countCacheMisses"));

    /** Asynchronous look-ups: a separate section in perfdump. */
    public static final List<Figure<Dns>> LOOK_UPS = List.of(
            Figure.<Dns>flag("Whether look-ups are asynchronous.", Dns::async)
                    .attribute("flagAsyncEnabled")
                    .line("enabled"),
            Figure.<Dns>count("look-ups", "Look-ups of names.", Dns::nameLookups)
                    .attribute("countAsyncNameLookups")
                    .line("NameLookups"),
            Figure.<Dns>count("look-ups", "Look-ups of addresses.", Dns::addressLookups)
                    .attribute("countAsyncAddrLookups")
                    .line("AddrLookups"),
            Figure.<Dns>count("look-ups", "Look-ups in progress.", Dns::lookupsInProgress)
                    .attribute("countAsyncLookupsInProgress")
                    .line("LookupsInProgress"));

    /** Names of origins. */
    public static final FigureGroup<Dns> HOST_DNS = dns("Names of origins", "host-dns-bucket", "HostDNSCacheInfo:");

    /** Names of clients. */
    public static final FigureGroup<Dns> CLIENT_DNS =
            dns("Names of clients", "client-dns-bucket", "ClientDNSCacheInfo:");

    /** All of them, in the order of perfdump. */
    public static final List<FigureGroup<?>> ALL = List.of(CACHE, DISK, HOST_DNS, CLIENT_DNS);

    private CacheDeclarations() {}

    private static FigureGroup<Dns> dns(String title, String element, String section) {
        return new FigureGroup<>(
                title,
                element,
                null,
                section,
                Stream.concat(NAMES.stream(), LOOK_UPS.stream()).toList());
    }

    private static Figure<Cache> none(String attribute) {
        return Figure.<Cache>count("", "Always 0: objects are in memory, not in open or mapped files.", _ -> 0L)
                .attribute(attribute);
    }
}
