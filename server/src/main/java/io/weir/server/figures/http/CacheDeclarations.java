package io.weir.server.figures.http;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.members.MemberStats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.Texts;
import io.weir.server.monitor.source.Facts.Cache;
import io.weir.server.monitor.source.Facts.DiskCache;
import io.weir.server.monitor.source.Facts.DiskPartition;
import io.weir.server.monitor.source.Facts.Dns;
import io.weir.server.monitor.source.Facts.MemberCaches;
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
                            Figure.<Cache>count(
                                            "files",
                                            "Open files with stored answers: the segments of the disk tier.",
                                            Cache::openEntries)
                                    .attribute("countOpenEntries"),
                            Figure.<Cache>count("files", "Most segments of the disk tier.", Cache::maxOpenEntries)
                                    .attribute("maxOpenEntries"),
                            Figure.<Cache>count(CacheStats.BYTES, Cache::bytes).attribute("sizeHeapCache"),
                            Figure.<Cache>count(CacheStats.BUDGET, Cache::maxBytes)
                                    .attribute("maxHeapCacheSize"),
                            none("sizeMmapCache"),
                            none("maxMmapCacheSize"),
                            Figure.<Cache>count(CacheStats.HITS, Cache::hits)
                                    .attribute("countHits")
                                    .line("File Cache Hit Ratio", c -> Texts.ratio(c.hits(), c.hits() + c.misses())),
                            Figure.<Cache>count("requests", "Look-ups that found nothing usable.", Cache::misses)
                                    .attribute("countMisses"),
                            Figure.<Cache>count(CacheStats.HITS_ON_HEADS, Cache::infoHits)
                                    .attribute("countInfoHits"),
                            Figure.<Cache>count(
                                            "requests",
                                            "Look-ups of stored answers that had to be validated first.",
                                            Cache::infoMisses)
                                    .attribute("countInfoMisses"),
                            Figure.<Cache>count(
                                            "requests", "All other hits: they sent a stored body.", Cache::contentHits)
                                    .attribute("countContentHits"),
                            Figure.<Cache>count(
                                            "requests",
                                            "All other misses: nothing was stored for them.",
                                            Cache::contentMisses)
                                    .attribute("countContentMisses"),
                            Figure.<Cache>count(
                                            "seconds",
                                            "Longest time for which an object is used unchecked.",
                                            Cache::maxAgeSeconds)
                                    .attribute("secondsMaxAge")
                                    .line("Maximum Age"),
                            Figure.<Cache>count(CacheStats.PLAIN_ENTRIES, Cache::plainEntries)
                                    .attribute("countAcceleratorEntries")
                                    .line("Accelerator Entries"),
                            Figure.<Cache>count("objects", "As maxEntries.", Cache::maxEntries)
                                    .line("Accelerator Entries"),
                            Figure.<Cache>count(
                                            "requests",
                                            "Look-ups of simple GETs: without conditions, a range or Cache-Control.",
                                            Cache::eligible)
                                    .attribute("countAcceleratableRequests")
                                    .line("Acceleratable Requests", c -> Texts.ratio(c.eligible(), c.requests())),
                            Figure.<Cache>count(
                                            "requests",
                                            "All other requests.",
                                            c -> Math.max(0, c.requests() - c.eligible()))
                                    .attribute("countUnacceleratableRequests"),
                            Figure.<Cache>count(CacheStats.SIMPLE_STORED, Cache::storable)
                                    .attribute("countAcceleratableResponses")
                                    .line("Acceleratable Responses", c -> Texts.ratio(c.storable(), c.answers())),
                            Figure.<Cache>count(
                                            "answers",
                                            "All other answers to simple GETs that were fetched.",
                                            c -> Math.max(0, c.answers() - c.storable()))
                                    .attribute("countUnacceleratableResponses"),
                            Figure.<Cache>count(
                                            "requests",
                                            "Hits on the shortest way: of a simple GET, fresh, without Vary and without"
                                                    + " a wait; weir_cache_slow_hits_total counts all other hits.",
                                            Cache::accelerated)
                                    .attribute("countAcceleratorHits")
                                    .line("Accelerator Hit Ratio", c -> Texts.ratio(c.accelerated(), c.eligible())),
                            Figure.<Cache>count(
                                            "requests",
                                            "Simple GETs that did not take it.",
                                            c -> Math.max(0, c.eligible() - c.accelerated()))
                                    .attribute("countAcceleratorMisses")))
            .writing("secondsMaxAge", "countEntries");

    /** The disk cache. */
    public static final FigureGroup<DiskCache> DISK = new FigureGroup<>(
            "The disk cache",
            "disk-cache-bucket",
            null,
            "DiskCacheInfo:",
            List.of(
                    Figure.<DiskCache>count(CacheStats.HITS_FROM_DISK, DiskCache::hits)
                            .attribute("countHits")
                            .line("Hit Ratio", c -> Texts.ratio(c.hits(), c.hits() + c.misses())),
                    Figure.<DiskCache>count(DiskStats.MISSES, DiskCache::misses)
                            .attribute("countMisses")
                            .line("Misses"),
                    Figure.<DiskCache>count(DiskStats.AT_START, DiskCache::filesAtStart)
                            .attribute("countFilesAtStart")
                            .line("Cache files at startup"),
                    Figure.<DiskCache>count(DiskStats.WRITTEN, DiskCache::created)
                            .attribute("countFilesCreated")
                            .line("Cache files created"),
                    Figure.<DiskCache>count(DiskStats.EVICTIONS, DiskCache::cleaned)
                            .attribute("countFilesCleaned")
                            .line("Cache files cleaned up"),
                    Figure.<DiskCache>count(DiskStats.OBJECTS, DiskCache::objects)
                            .attribute("countEntries"),
                    Figure.<DiskCache>count(DiskStats.BYTES, DiskCache::bytes).attribute("sizeDiskCache"),
                    Figure.<DiskCache>count(DiskStats.CAPACITY, DiskCache::maxBytes)
                            .attribute("maxDiskCacheSize"),
                    Figure.<DiskCache>count(DiskStats.REFUSALS, DiskCache::refused)
                            .attribute("countRefusals"),
                    Figure.<DiskCache>count(DiskStats.CARRIED, DiskCache::carried)
                            .attribute("countCarried"),
                    Figure.<DiskCache>count(DiskStats.TIMEOUTS, DiskCache::timeouts)
                            .attribute("countTimeouts"),
                    Figure.<DiskCache>count(DiskStats.ERRORS, DiskCache::errors).attribute("countErrors"),
                    Figure.<DiskCache>count(DiskStats.CONTINUED, DiskCache::continued)
                            .attribute("countContinued"),
                    Figure.<DiskCache>count(DiskStats.CUT, DiskCache::cut).attribute("countCut")));

    /** The partitions of the disk cache. */
    public static final FigureGroup<DiskPartition> PARTITION = new FigureGroup<>(
            "The partitions of the disk cache",
            "disk-partition-bucket",
            null,
            "DiskPartitionInfo:",
            List.of(
                    Figure.<DiskPartition>text("Name of the partition.", DiskPartition::name)
                            .attribute("id"),
                    Figure.<DiskPartition>flag(
                                    "Whether its last write failed, or its folder could not be used at the start.",
                                    DiskPartition::failing)
                            .attribute("flagFailing")
                            .line("Failing"),
                    Figure.<DiskPartition>count(DiskStats.PARTITION_OBJECTS, DiskPartition::objects)
                            .attribute("countEntries")
                            .line("Cache files"),
                    Figure.<DiskPartition>count(DiskStats.PARTITION_BYTES, DiskPartition::bytes)
                            .attribute("sizeDiskCache")
                            .line("Bytes/Limit"),
                    Figure.<DiskPartition>count(DiskStats.PARTITION_CAPACITY, DiskPartition::maxBytes)
                            .attribute("maxDiskCacheSize")
                            .line("Bytes/Limit"),
                    Figure.<DiskPartition>count(DiskStats.PARTITION_SEGMENTS, DiskPartition::segments)
                            .attribute("countSegments")
                            .line("Segments"),
                    Figure.<DiskPartition>count(DiskStats.PARTITION_ANSWERED, DiskPartition::hits)
                            .attribute("countHits")
                            .line("Hits"),
                    Figure.<DiskPartition>count(DiskStats.PARTITION_ERRORS, DiskPartition::errors)
                            .attribute("countErrors")
                            .line("Errors")));

    /** The caches of the other members. */
    public static final FigureGroup<MemberCaches> MEMBERS = new FigureGroup<>(
            "One cache of many members",
            "",
            null,
            "MemberCacheInfo:",
            List.of(
                    Figure.<MemberCaches>count(MemberStats.OWNERS, MemberCaches::owners)
                            .line("Members"),
                    Figure.<MemberCaches>count(MemberStats.ASKED, MemberCaches::answered)
                            .line("Owners Answered/Failed/Refused"),
                    Figure.<MemberCaches>count(MemberStats.ASKED, MemberCaches::failed)
                            .line("Owners Answered/Failed/Refused"),
                    Figure.<MemberCaches>count(MemberStats.ASKED, MemberCaches::refused)
                            .line("Owners Answered/Failed/Refused"),
                    Figure.<MemberCaches>count(MemberStats.CONTINUED, MemberCaches::continued)
                            .line("Continued from Origins/Cut"),
                    Figure.<MemberCaches>count(MemberStats.CUT, MemberCaches::cut)
                            .line("Continued from Origins/Cut"),
                    Figure.<MemberCaches>count(MemberStats.SERVED, MemberCaches::served)
                            .line("Requests of Members")));

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
    public static final List<FigureGroup<?>> ALL = List.of(CACHE, DISK, PARTITION, MEMBERS, HOST_DNS, CLIENT_DNS);

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
        return Figure.<Cache>count(
                        "", "Always 0: no file is mapped; what is read of the disk goes to the memory.", _ -> 0L)
                .attribute(attribute);
    }
}
