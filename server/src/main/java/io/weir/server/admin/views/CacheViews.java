package io.weir.server.admin.views;

import io.weir.http.Fields;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.cache.CacheInspection;
import io.weir.proxy.cache.StoredCopy;
import io.weir.proxy.cache.disk.Collected;
import io.weir.proxy.cache.disk.DiskCopy;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.members.CacheOwners;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.admin.PurgeForwarder;
import io.weir.server.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cache on the admin listener: {@code GET /cache?url=…} shows what is stored for a URL, {@code GET /cache/top} the
 * objects with most hits or bytes, {@code DELETE /cache?url=…} purges a URL, {@code DELETE /cache?all} purges
 * everything, {@code POST /nsc?restart} empties the memory, {@code ?start} and {@code ?stop} switch it on and off;
 * {@code POST /cache/gc} begins a garbage collection of the disk tier, {@code GET /cache/gc} shows how far it is. Shared.
 */
public final class CacheViews {
    /** The Sun proxy's names of the page that shows and controls its file cache. */
    public static final List<String> PAGES = List.of("/nsc", "/nsfc");

    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final Set<String> SHOWN_BY = Set.of("url", "fields", "process");
    private static final Set<String> PURGED_BY = Set.of("url", "all");
    private static final String ENABLED = "cache.enabled";
    private static final int USUAL_TOP = 20;

    private final Cache cache;
    private final CacheOwners owners;
    private final PurgeForwarder members;

    public CacheViews(Cache cache, CacheOwners owners, PurgeForwarder members) {
        this.cache = cache;
        this.owners = owners;
        this.members = members;
    }

    public void register(AdminRouter router) {
        router.on("GET", "/cache", Where.THREAD, this::show);
        router.on("GET", "/cache/top", Where.THREAD, this::top);
        router.change("DELETE", "/cache", this::forget, "url", "all?");
        router.change("POST", "/cache/gc", this::collect, "to");
        router.get("/cache/gc", this::collected);
    }

    private AdminAnswer collect(AdminRequest request) {
        String to = request.parameter("to");
        if (to != null && !to.matches("[0-9]{1,2}|100")) {
            return AdminAnswer.problem(
                    400, "Bad request", "to is the share of its size that a partition keeps, 0 to 100, not " + to);
        }
        DiskTier disk = cache.diskTier();
        if (disk == null) {
            return AdminAnswer.problem(
                    409, "Conflict", "There is no disk tier: configure cache.disk.path or cache.disk.partitions.");
        }
        disk.collect(to == null ? -1 : Integer.parseInt(to));
        return AdminAnswer.json(200, j -> j.add("begun", true));
    }

    private AdminAnswer collected(AdminRequest request) {
        DiskTier disk = cache.diskTier();
        List<Collected> all = disk == null ? List.of() : disk.collected();
        return AdminAnswer.json(
                200,
                j -> j.array(
                        "partitions",
                        all,
                        (c, to) -> to.add("partition", c.partition())
                                .add("reason", c.reason())
                                .add("running", c.running())
                                .add("failed", c.failed())
                                .add("before", c.before())
                                .add("after", c.after())
                                .add("segments", c.segments())
                                .add("carried", c.carried())
                                .add("removed", c.removed())
                                .add("milliseconds", c.millis())));
    }

    /**
     * The change of the configuration that a {@code POST} of the page means, on all processes; null: none, and {@link
     * #control} answers it.
     */
    public static @Nullable AdminRequest change(AdminRequest request) {
        boolean start = request.query().equals(Map.of("start", ""));
        if (!start && !request.query().equals(Map.of("stop", ""))) {
            return null;
        }
        return new AdminRequest(
                "PATCH",
                "/knobs",
                Map.of(),
                request.fields(),
                "{\"" + ENABLED + "\":\"" + (start ? "on" : "off") + "\"}",
                request.remote(),
                request.author());
    }

    /** Empties the memory: what the Sun proxy does when it shuts its file cache down and restarts it. */
    AdminAnswer control(AdminRequest request) {
        return request.query().equals(Map.of("restart", ""))
                ? AdminAnswer.json(200, j -> j.add("forgotten", cache.clearMemory()))
                : AdminAnswer.problem(
                        400,
                        "Bad request",
                        "POST " + request.path() + " takes one of ?restart, ?start and ?stop, without a value."
                                + " Nothing was changed.");
    }

    /** {@code GET /cache?url=…}: what is stored for a URL; {@code fields} are lines of a request's fields. */
    private AdminAnswer show(AdminRequest request) {
        String url = request.parameter("url");
        UriTarget target = url == null ? null : target(url);
        String unknown = request.query().keySet().stream()
                .filter(name -> !SHOWN_BY.contains(name))
                .findFirst()
                .orElse(null);
        if (target == null || unknown != null) {
            return AdminAnswer.problem(
                    400,
                    "Bad request",
                    url == null
                            ? "url is missing: an absolute URL as clients request it"
                            : unknown == null
                                    ? notTarget(url)
                                    : "the query has '" + unknown + "', which GET /cache does not know"
                                            + AdminRouter.ENCODED);
        }
        Fields fields = new Fields();
        String given = request.parameter("fields");
        for (String line : given == null ? new String[0] : given.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon <= 0 || !line.substring(0, colon).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
                return AdminAnswer.problem(400, "Bad request", "fields has lines of NAME: VALUE, not \"" + line + "\"");
            }
            fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        byte[] key = cache.newKey()
                .start(target.scheme().equals("https"))
                .host(target.host(), target.port())
                .path(target.pathAndQuery())
                .copy();
        String owner = owners.nameOfOwner(key);
        CacheInspection.Shown shown = cache.inspection().show(target, fields);
        return AdminAnswer.json(
                200,
                all -> all.array(
                        "processes",
                        List.of(ProcessHandle.current().pid()),
                        (pid, j) -> j.add("pid", pid)
                                .add("fetching", shown.fetching())
                                .add("owner", owner.isEmpty() ? null : owner)
                                .add("largestBody", shown.largestBody())
                                .add("otherVariantsOnDisk", shown.variants())
                                .array("copies", shown.copies(), (c, row) -> copy(c, pid, row))));
    }

    /** What is stored for a URL is stored for http or https; null: it is no such URL. */
    private static @Nullable UriTarget target(String url) {
        UriTarget target = UriTarget.parse(url);
        return target == null || SCHEMES.contains(target.scheme()) ? target : null;
    }

    private static String notTarget(String url) {
        UriTarget target = UriTarget.parse(url);
        if (!url.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return "url has characters that no request's URL has: encode them as clients do, such as %C3%BC for \u00fc,"
                    + " %20 for a space: " + url;
        }
        return target == null
                ? "url is not an absolute URL without a fragment: " + url + AdminRouter.ENCODED
                : "url has the scheme " + target.scheme() + ", of which nothing is ever stored: http or https, not "
                        + url;
    }

    /** {@code GET /cache/top}: the objects in memory with most hits or bytes. */
    private AdminAnswer top(AdminRequest request) {
        String n = request.parameter("n");
        String by = request.parameter("by");
        if (n != null && !n.matches("[1-9][0-9]{0,2}|1000")) {
            return AdminAnswer.problem(400, "Bad request", "n is a number from 1 to 1000, not " + n);
        }
        if (by != null && !by.equals("hits") && !by.equals("bytes")) {
            return AdminAnswer.problem(400, "Bad request", "by is hits or bytes, not " + by);
        }
        CacheInspection.Top top =
                cache.inspection().top(n == null ? USUAL_TOP : Integer.parseInt(n), "bytes".equals(by));
        long pid = ProcessHandle.current().pid();
        return AdminAnswer.json(
                200,
                j -> j.add("examined", top.examined()).array("objects", top.objects(), (c, row) -> copy(c, pid, row)));
    }

    private static void copy(StoredCopy c, long pid, Json row) {
        StoredCopy.InMemory memory = c.memory();
        DiskCopy disk = c.disk();
        row.add("pid", pid)
                .add("url", c.uri())
                .add("tier", memory == null ? "disk" : disk == null ? "memory" : "memory and disk")
                .add("server", c.server())
                .add("forward", c.forward())
                .add("status", c.status())
                .add("bytes", c.bytes())
                .add("stored", Instant.ofEpochMilli(c.storedMillis()).toString())
                .add("freshUntil", Instant.ofEpochMilli(c.staleMillis()).toString())
                .add("fresh", c.fresh())
                .add("age", c.ageSeconds())
                .add("etag", c.etag())
                .add("lastModified", c.lastModified())
                .add("vary", c.vary())
                .add("selected", c.selected())
                .add("doubtful", c.doubtful())
                .add("limited", c.limited())
                .add("hits", memory == null ? 0 : memory.hits())
                .add("memoryBytes", memory == null ? 0 : memory.bytes());
        if (memory == null) {
            row.written("memory", "null");
        } else {
            row.object(
                    "memory",
                    m -> m.add("hits", memory.hits())
                            .add("references", memory.references())
                            .add("bytes", memory.bytes()));
        }
        if (disk == null) {
            row.written("disk", "null");
        } else {
            row.object(
                    "disk",
                    d -> d.add("partition", disk.partition())
                            .add("segment", disk.segment())
                            .add("offset", disk.offset())
                            .add("bytes", disk.bytes())
                            .add("body", disk.body())
                            .add("uses", disk.uses()));
        }
    }

    /** What a {@code DELETE /cache} removes: a URL, or everything, as an empty one; null: it is refused. */
    public static @Nullable String purged(AdminRequest request) {
        String url = request.parameter("url");
        if (request.isTrue("all") == (url != null)
                || !PURGED_BY.containsAll(request.query().keySet())) {
            return null;
        }
        return url == null ? "" : target(url) == null ? null : url;
    }

    private AdminAnswer forget(AdminRequest request) throws InterruptedException {
        String url = request.parameter("url");
        boolean all = request.isTrue("all");
        if (all == (url != null)) {
            return AdminAnswer.problem(
                    400, "Bad request", "specify what to purge: url=, an absolute URL as clients request it, or all");
        }
        if (url == null) {
            return members.forward("", cache.clear(), request);
        }
        UriTarget target = target(url);
        return target == null
                ? AdminAnswer.problem(400, "Bad request", notTarget(url) + ". Nothing was changed.")
                : members.forward(url, cache.invalidate(target), request);
    }
}
