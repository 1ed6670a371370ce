package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.scenario.Counters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A purge at one of three servers reaches the caches of all, in memory and on the disk, also of one that was away. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CachePurgesTest {
    private static final List<String> PATHS = List.of("/a", "/b", "/c");

    /** Of which some reach each of two processes. */
    private static final int CONNECTIONS = 30;

    @TempDir
    Path folder = Path.of("");

    private Fleet fleet(CountingOrigin origin) throws IOException {
        return new Fleet(folder, "  lease: {time-to-live: 3s}\n", """
                proxy:
                  routes:
                    - path: /
                      origins: ["http://127.0.0.1:%d"]
                cache: {share-processes: off, disk: {path: cache, size: 64MiB}}
                """.formatted(origin.port()));
    }

    @Test
    void aPurgeReachesAllAndWhoWasAwayLearnsItBeforeItUsesItsDisk() throws Exception {
        try (CountingOrigin origin = new CountingOrigin();
                Fleet fleet = fleet(origin)) {
            fleet.web().startAll();
            for (String member : fleet.names()) {
                joined(fleet, member);
                for (String path : PATHS) {
                    get(fleet, member, path);
                }
            }
            assertThat(PATHS).as("each has its own cache").allMatch(path -> origin.count(path) == 3);
            fleet.await("it is on the disks", () -> {
                boolean all = true;
                for (String member : fleet.names()) {
                    all &= metric(fleet, member, "weir_cache_disk_written_total") >= 3;
                }
                return all;
            });
            purgeOfOne(fleet, origin);
            purgeWhileOneIsAway(fleet, origin);
            purgeWithoutAMajority(fleet);
        }
    }

    private static void purgeOfOne(Fleet fleet, CountingOrigin origin) throws Exception {
        HttpResponse<String> answer = fleet.send("alpha", "DELETE", "/cache?url=http://cache.test/a");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"forgotten\":1", "\"pending\":[]");
        for (String member : fleet.names()) {
            get(fleet, member, "/a");
            get(fleet, member, "/b");
        }
        assertThat(origin.count("/a")).as("fetched anew by each").isEqualTo(6);
        assertThat(origin.count("/b")).as("of another URL nothing is removed").isEqualTo(3);
    }

    /** Its disk has what is purged; it comes back with that disk. */
    private static void purgeWhileOneIsAway(Fleet fleet, CountingOrigin origin) throws Exception {
        fleet.server("gamma").kill();
        fleet.server("gamma").exit();
        HttpResponse<String> answer = fleet.send("beta", "DELETE", "/cache?url=http://cache.test/b");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"pending\":[\"gamma\"]", "gamma cannot be reached now");
        assertThat(fleet.field("alpha", "/cluster/purges", "member", "gamma", "upToDate"))
                .isEqualTo("false");
        assertThat(fleet.field("alpha", "/cluster/purges", "member", "beta", "upToDate"))
                .isEqualTo("true");
        assertThat(metric(fleet, "alpha", "weir_cluster_purges_pending")).isEqualTo(1);
        fleet.start("gamma");
        get(fleet, "gamma", "/b");
        assertThat(origin.count("/b")).as("fetched at once, or after the purge").isEqualTo(4);
        joined(fleet, "gamma");
        fleet.await(
                "gamma has reported",
                () -> fleet.field("alpha", "/cluster/purges", "member", "gamma", "upToDate")
                        .equals("true"));
        get(fleet, "gamma", "/b");
        get(fleet, "gamma", "/c");
        assertThat(origin.count("/b"))
                .as("at most once more, when the purge came after it")
                .isBetween(4, 5);
        assertThat(origin.count("/c"))
                .as("what was not purged comes from the disk")
                .isEqualTo(3);
        assertThat(metric(fleet, "gamma", "weir_cache_disk_hits_total")).isPositive();
    }

    private static void purgeWithoutAMajority(Fleet fleet) throws Exception {
        for (String other : List.of("beta", "gamma")) {
            fleet.server(other).kill();
            fleet.server(other).exit();
        }
        HttpResponse<String> answer = fleet.send("alpha", "DELETE", "/cache?all");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("purged here (2 objects)", "Purge again when a majority");
    }

    @Test
    void aPurgeReachesAllProcessesOfAllMembersWhicheverIsKilled() throws Exception {
        try (CountingOrigin origin = new CountingOrigin();
                Fleet fleet = fleet(origin)) {
            fleet.web().ownSections("gamma", "server: {processes: 2}\n").startAll();
            for (String member : fleet.names()) {
                joined(fleet, member);
            }
            for (String path : PATHS) {
                stored(fleet, origin, path, 2);
            }
            fleet.await(
                    "it is on the disks of both", () -> metric(fleet, "gamma", "weir_cache_disk_written_total") >= 6);
            HttpResponse<String> answer = fleet.send("alpha", "DELETE", "/cache?url=http://cache.test/a");
            assertThat(answer.body()).contains("\"pending\":[]");
            fetchedAfter(fleet, "/a", 2);
            assertThat(origin.count("/b")).isEqualTo(2);
            purgeWhileOneHangs(fleet, origin, 2, "/b");
            purgeWhileOneHangs(fleet, origin, 1, "/c");
            purgesDuringAnUpgrade(fleet, origin);
        }
    }

    /** Requests it at the member with two processes until each has it. */
    private static void stored(Fleet fleet, CountingOrigin origin, String path, int requests) throws Exception {
        fleet.await("both have " + path, () -> {
            get(fleet, "gamma", path);
            return origin.count(path) >= requests;
        });
    }

    /** Whichever process is asked, what it has was fetched after that number of requests. */
    private static void fetchedAfter(Fleet fleet, String path, int before) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            String body = get(fleet, "gamma", path);
            assertThat(Integer.parseInt(body.substring(body.lastIndexOf(' ') + 1)))
                    .as(body)
                    .isGreaterThan(before);
        }
    }

    /** The process hangs and is killed: its successor finds what is purged on its disk, and does not use it. */
    private static void purgeWhileOneHangs(Fleet fleet, CountingOrigin origin, int process, String path)
            throws Exception {
        int before = origin.count(path);
        long victim = fleet.worker("gamma", process);
        fleet.signal("gamma", victim, "STOP");
        CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(fleet.send("alpha", "DELETE", "/cache?url=http://cache.test" + path));
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        fleet.await("the others have applied it", () -> upToDate(fleet, "beta") && !upToDate(fleet, "gamma"));
        fleet.signal("gamma", victim, "KILL");
        assertThat(answer.get(5, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        fleet.await("gamma has a successor", () -> {
            long next = fleet.worker("gamma", process);
            return next != victim && next != 0;
        });
        fleet.await("all of gamma has applied it", () -> upToDate(fleet, "gamma"));
        fetchedAfter(fleet, path, before);
        joined(fleet, "gamma");
        if (process == 2) {
            assertThat(origin.count("/c"))
                    .as("what was not purged stays on both disks")
                    .isEqualTo(2);
            for (int i = 0; i < CONNECTIONS; i++) {
                get(fleet, "gamma", "/c");
            }
            assertThat(origin.count("/c")).isEqualTo(2);
        }
    }

    private static void purgesDuringAnUpgrade(Fleet fleet, CountingOrigin origin) throws Exception {
        long old = fleet.worker("gamma", 2);
        assertThat(fleet.send("gamma", "POST", "/upgrade").statusCode()).isEqualTo(202);
        int everywhere = 0;
        boolean over = false;
        while (!over || everywhere == 0) {
            over = fleet.get("gamma", "/upgrade").contains("done");
            int before = origin.count("/a");
            HttpResponse<String> answer = fleet.send("alpha", "DELETE", "/cache?url=http://cache.test/a");
            if (answer.body().contains("\"pending\":[]")
                    && fleet.fact("alpha", "membersLive").equals("3")) {
                everywhere++;
                fetchedAfter(fleet, "/a", before);
            }
        }
        assertThat(fleet.worker("gamma", 2)).isNotEqualTo(old);
    }

    private static boolean upToDate(Fleet fleet, String member) throws Exception {
        return fleet.field("alpha", "/cluster/purges", "member", member, "upToDate")
                .equals("true");
    }

    private static void joined(Fleet fleet, String member) throws Exception {
        fleet.await(
                member + " has learned what it missed",
                () -> metric(fleet, member, "weir_cluster_purges_awaited") == 0
                        && fleet.fact(member, "membersLive").equals("3"));
    }

    private static double metric(Fleet fleet, String member, String name) throws Exception {
        return new Counters(fleet.server(member).port("admin"), SystemClock.INSTANCE)
                .read()
                .sum(name, "");
    }

    private static String get(Fleet fleet, String member, String path) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), fleet.server(member).port("web"))) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: cache.test\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).as(member + " " + path).startsWith("HTTP/1.1 200 ");
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }
}
