package io.weir.lab.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.lab.process.Await;
import io.weir.lab.scenario.InProcess;
import io.weir.lab.scenario.Weir;
import io.weir.server.config.WeirConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that is dynamic changes many times while clients ask all the time: no request fails, and each change is in
 * force when it is answered.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class LiveChangeTest {
    private static final int ROUNDS = 3;
    private static final int GROUP = 24;

    /** Knobs that would take the load away, or say what its origins cannot do: changed where no load is. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "proxy.origins.*.http2", "proxy.origins.spare.http2",
            "proxy.access-logs.*.", "proxy.access-logs.other.",
            "listeners.*.", "listeners.spare.");

    /** Values that cannot be guessed. */
    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("listeners.*.address", "127.0.0.2"),
            Map.entry("listeners.*.virtual-server", "shop"),
            Map.entry("listeners.*.proxy-protocol.trusted", "[\"10.0.0.0/8\"]"),
            Map.entry("listeners.*.tls.protocols", "[\"TLSv1.3\"]"),
            Map.entry("listeners.*.tls.client-trust", "@DIR@/second.pem"),
            Map.entry("request-classes.*.context.otherwise", "second"),
            Map.entry("work-managers.*.min-threads", "2"),
            Map.entry("work-managers.*.max-threads", "9"),
            Map.entry("cache.disk.gc.schedule", "[\"daily 03:00\"]"),
            Map.entry("proxy.access-log.file", "logs/once"),
            Map.entry("proxy.access-log.virtual-servers", "[\"shop\"]"),
            Map.entry("proxy.access-logs.*.file", "logs/else"),
            Map.entry("proxy.access-logs.*.virtual-servers", "[\"shop\"]"));

    /** Lists of sections: routes and servers are changed in every round, what static lists hold is static. */
    private static final String LISTS =
            "^(proxy\\.routes|proxy\\.origins\\.\\*\\.servers|listeners\\.\\*\\.tls\\.certificates)\\[]";

    /** Names to names, which are not shown while there are none: changed in every round. */
    private static final Set<String> MAPS = Set.of(
            "request-classes.*.context.users",
            "request-classes.*.context.groups",
            "proxy.variables",
            "proxy.url-filters",
            "proxy.function-work-managers");

    /** A server has routes or objects: those of an obj.conf change under load in the tests of the server. */
    private static final String OTHER_PROGRAM = "proxy.objects";

    private static final String CONFIG = """
            listeners:
              http: {address: 127.0.0.1, port: 0}
              https:
                address: 127.0.0.1
                port: 0
                tls: {certificates: [{chain-file: "@DIR@/shown.pem", key-file: "@DIR@/shown.key"}], reload-interval: 1h}
              wire: {address: 127.0.0.1, port: 0, protocol: weir}
              spare: {address: 127.0.0.1, port: 0, tls: {client-trust: "@DIR@/first.pem"}}
            admin: {port: 0}
            request-classes: {other: {fair-share: 40}, second: {}}
            constraints:
              min-threads: {other: {count: 1}}
              max-threads: {other: {count: 9}}
              capacity: {other: {count: 900}}
            work-managers: {other: {}}
            virtual-servers: {shop: {hosts: [shop.test]}}
            messaging:
              queues: {other: {}}
              topics: {other: {}}
              quotas: {other: {}}
              connection-factories: {other: {}}
            proxy:
              buckets: {other: {}}
              access-logs:
                other: {file: logs/other.log}
                steady: {format: common, file: logs/steady.0, keep: 0, flush-interval: 50ms}
              origins:
                main: {servers: [{url: "@ONE@"}]}
                spare: {servers: [{url: "@TWO@"}]}
              routes:
            """;

    @TempDir
    Path folder = Path.of("");

    @Test
    void noRequestFailsWhileEverythingDynamicChanges() throws Exception {
        certificate("first");
        certificate("second");
        show("first");
        try (TestOrigin one = new TestOrigin("one");
                TestOrigin two = new TestOrigin("two");
                Weir weir = new InProcess().start(config(one, two, 0), folder.resolve("data"), List.of());
                SteadyLoad load = new SteadyLoad(weir.port("http"), weir.port("https"))) {
            Admin admin = new Admin(weir);
            inFlight(admin, weir, one);
            for (int round = 1; round <= ROUNDS; round++) {
                routes(admin, weir, round);
                virtualServers(admin, weir, round);
                listeners(admin, weir, round);
                accessLogs(admin, weir, round);
                workManagers(admin, weir, round);
                origins(admin, weir, round % 2 == 0 ? one : two, round % 2 == 0 ? "one" : "two");
                certificates(admin, weir, round % 2 == 0 ? "first" : "second");
                file(admin, weir, one, two, round);
            }
            knobs(admin);
            long before = load.fewest();
            Await.until(
                    "load after the last change", () -> load.failures().toString(), () -> load.fewest() > before + 20);
            load.stop();
            assertThat(load.failures()).isEmpty();
            assertThat(load.fewest()).isGreaterThan(50);
            Await.until(
                    "each exchange has one record",
                    () -> recorded(weir) + " of " + load.uploads(),
                    () -> recorded(weir) == load.uploads());
            assertThat(weir.log()).noneMatch(l -> l.contains("WEIR-170004"));
        }
    }

    /** What answers: the routes given, one whose answer says which change is in force, and the pool of the load. */
    private static String routes(int round, String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        all.add("{path: /routed, respond: {status: 200, body: \"r" + round + "\"}}");
        all.add("{path: /, pool: main}");
        return all.stream().collect(Collectors.joining(", ", "[", "]"));
    }

    /** The same as JSON. */
    private static String json(String flow) {
        return flow.replaceAll("([{ ])([a-z-]+): ", "$1\"$2\": ").replaceAll(": ([a-z/][a-z0-9/-]*)", ": \"$1\"");
    }

    private Path config(TestOrigin one, TestOrigin two, int round) throws IOException {
        String text = CONFIG.replace("@DIR@", folder.toString())
                .replace("@ONE@", one.url())
                .replace("@TWO@", two.url());
        return Files.writeString(folder.resolve("weir.yaml"), text.stripTrailing() + " " + routes(round) + "\n");
    }

    private static String body(Weir weir, String host, String path) throws IOException {
        return body(weir.port("http"), host, path);
    }

    private static String body(int port, String host, String path) throws IOException {
        try (HttpClientConnection c = HttpClientConnection.plain(port)) {
            HttpClientConnection.Answer answer = c.ask("GET", host, path, "");
            assertThat(answer.status()).as(host + path).isEqualTo(200);
            return answer.body();
        }
    }

    /** A request goes on where it began although its route, its virtual server and its pool are gone. */
    private void inFlight(Admin admin, Weir weir, TestOrigin origin) throws Exception {
        admin.patch(
                "{\"virtual-servers.gone\": {\"hosts\": [\"gone.test\"]}, \"proxy.origins.gone\": {\"servers\": [{\"url\": \""
                        + origin.url() + "\"}]}, \"proxy.routes\": "
                        + json(routes(0, "{virtual-server: gone, path: /held, pool: gone}")) + "}");
        CompletableFuture<String> held = CompletableFuture.supplyAsync(() -> {
            try {
                return body(weir, "gone.test", "/held");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Await.until("the answer's first half", held::toString, origin::holding);
        admin.patch("{\"virtual-servers.gone\": null, \"proxy.origins.gone\": null, \"proxy.routes\": "
                + json(routes(0, "{path: /held, respond: {status: 200, body: \"later\"}}")) + "}");
        assertThat(body(weir, "gone.test", "/held")).isEqualTo("later");
        assertThat(held).isNotDone();
        origin.release();
        assertThat(held.get(3, TimeUnit.MINUTES)).isEqualTo("oneone");
    }

    private static void routesOf(Admin admin, String more, String routes) throws IOException {
        admin.patch("{" + more + "\"proxy.routes\": " + json(routes) + "}");
    }

    private static void routes(Admin admin, Weir weir, int round) throws IOException {
        routesOf(admin, "", routes(round));
        assertThat(body(weir, "www.test", "/routed")).isEqualTo("r" + round);
    }

    /** One comes with a route of its own, in one change, then its host changes, then both go. */
    private static void virtualServers(Admin admin, Weir weir, int round) throws IOException {
        String name = "v" + round;
        String own = "{virtual-server: " + name + ", path: /routed, respond: {status: 200, body: own}}";
        routesOf(admin, "\"virtual-servers." + name + "\": {\"hosts\": [\"a.test\"]}, ", routes(round, own));
        assertThat(body(weir, "a.test", "/routed")).isEqualTo("own");
        admin.patch("{\"virtual-servers." + name + ".hosts\": [\"b.test\"]}");
        assertThat(body(weir, "a.test", "/routed")).isEqualTo("r" + round);
        assertThat(body(weir, "b.test", "/routed")).isEqualTo("own");
        routesOf(admin, "\"virtual-servers." + name + "\": null, ", routes(round));
        assertThat(body(weir, "b.test", "/routed")).isEqualTo("r" + round);
    }

    /** One comes and goes; those of the load change, so that each client is asked to connect anew. */
    private void listeners(Admin admin, Weir weir, int round) throws Exception {
        String name = "l" + round;
        admin.patch(
                "{\"listeners." + name + "\": {\"port\": 0, \"virtual-server\": \"shop\"}, \"listeners.http.backlog\": "
                        + (200 + round) + "}");
        assertThat(body(weir.port(name), "www.test", "/routed")).isEqualTo("r" + round);
        assertThat(body(weir, "www.test", "/routed")).isEqualTo("r" + round);
        int port = weir.port("https");
        admin.patch(
                "{\"listeners." + name + "\": null, \"listeners.https.tls.session-cache\": " + (9000 + round) + "}");
        assertThatThrownBy(() -> weir.port(name)).hasMessageContaining(name);
        assertThat(weir.port("https")).isEqualTo(port);
    }

    /** One comes and goes; the one that is counted at the end takes another file, another format, or both. */
    private void accessLogs(Admin admin, Weir weir, int round) throws Exception {
        String name = "a" + round;
        admin.patch("{\"proxy.access-logs." + name + "\": {\"format\": \"json\", \"file\": \"logs/" + name + "\"},"
                + "\"proxy.access-logs.steady.file\": \"logs/steady." + (round % 2) + "\","
                + "\"proxy.access-logs.steady.format\": \"" + (round % 3 == 0 ? "json" : "extended") + "\"}");
        assertThat(body(weir, "www.test", "/routed?" + name)).isEqualTo("r" + round);
        admin.patch("{\"proxy.access-logs." + name + "\": null}");
        Path file = weir.data().resolve("logs").resolve(name);
        Await.until(
                "what was recorded is in the file",
                file::toString,
                () -> read(file).contains("\"query\":\"" + name + "\""));
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long recorded(Weir weir) {
        try (Stream<Path> files = Files.list(weir.data().resolve("logs"))) {
            return files.filter(f -> f.getFileName().toString().startsWith("steady."))
                    .flatMap(f -> read(f).lines())
                    .filter(l -> l.contains("/upload"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One comes with a class, a constraint and a route that names it; it cannot go alone, and its threads change. */
    private static void workManagers(Admin admin, Weir weir, int round) throws IOException {
        String name = "w" + round;
        String route = "{path: /worked, work-manager: " + name + ", request-class: " + name
                + ", respond: {status: 200, body: worked}}";
        String keys = "\"work-managers." + name + "\": @M@, \"request-classes." + name
                + "\": @R@, \"constraints.max-threads." + name + "\": @C@, ";
        routesOf(
                admin,
                keys.replace("@M@", "{\"max-threads\": 2, \"max-threads-constraint\": \"" + name + "\"}")
                        .replace("@R@", "{\"fair-share\": 70}")
                        .replace("@C@", "{\"count\": 1}"),
                routes(round, route));
        assertThat(body(weir, "www.test", "/worked")).isEqualTo("worked");
        admin.patch("{\"request-classes.who\": {\"context\": {\"users\": {\"anna\": \"second\"}}}}");
        admin.patch("{\"request-classes.who.context.users\": {\"bert\": \"" + name + "\"},"
                + "\"request-classes.who.context.groups\": {\"staff\": \"second\"}}");
        assertThat(admin.refused(Map.of("request-classes." + name, "null")))
                .contains("request-classes.who.context.users.bert");
        admin.patch("{\"request-classes.who\": null}");
        admin.patch("{\"proxy.variables\": {\"round\": \"" + name
                + "\"}, \"proxy.url-filters\": {\"bad\": \"" + name + "\"}, \"proxy.mime-types\": [\"" + name
                + "\"], \"proxy.function-work-managers\": {\"url-check\": \"" + name + "\"}}");
        assertThat(body(weir, "www.test", "/worked")).isEqualTo("worked");
        admin.patch("{\"proxy.variables\": {}, \"proxy.url-filters\": {}, \"proxy.mime-types\": [],"
                + "\"proxy.function-work-managers\": {}}");
        admin.patch("{\"work-managers." + name + ".max-threads\": 3, \"work-managers.default\": {\"max-threads\": "
                + (100 + round) + "}}");
        assertThat(body(weir, "www.test", "/worked")).isEqualTo("worked");
        assertThat(admin.refused(Map.of("work-managers." + name, "null")))
                .anySatisfy(key -> assertThat(key).startsWith("proxy.routes["));
        routesOf(admin, keys.replaceAll("@[MRC]@", "null"), routes(round));
    }

    private static void origins(Admin admin, Weir weir, TestOrigin next, String name) throws IOException {
        admin.patch("{\"proxy.origins.main.servers\": [{\"url\": \"" + next.url() + "\"}]}");
        assertThat(body(weir, "www.test", "/steady")).isEqualTo(name);
    }

    private void certificates(Admin admin, Weir weir, String name) throws Exception {
        show(name);
        assertThat(admin.ask("POST", "/tls/reload", "").body())
                .contains("\"done\":true")
                .doesNotContain("\"done\":false");
        try (HttpClientConnection c =
                HttpClientConnection.secure(weir.port("https"), HttpClientConnection.trusting())) {
            assertThat(c.shown()).isEqualTo("CN=" + name);
        }
    }

    /** The file is read again: first a wrong one, which changes nothing, then a right one. */
    private void file(Admin admin, Weir weir, TestOrigin one, TestOrigin two, int round) throws IOException {
        Path file = config(one, two, 1000 + round);
        String right = Files.readString(file);
        Files.writeString(file, right.replace("pool: main}", "pool: nowhere}"));
        HttpClientConnection.Answer refused = admin.ask("POST", "/config/reload", "");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains("nowhere", "weir.yaml:", "proxy.routes[1]");
        assertThat(body(weir, "www.test", "/routed")).isEqualTo("r" + round);
        Files.writeString(file, right);
        assertThat(admin.ask("POST", "/config/reload", "").body()).contains("\"proxy.routes\"", "\"atRestart\":[]");
        assertThat(body(weir, "www.test", "/routed")).isEqualTo("r" + (1000 + round));
        assertThat(body(weir, "www.test", "/steady")).isEqualTo("one");
    }

    /** Each dynamic knob of the catalogue takes another value and the old one again. */
    private void knobs(Admin admin) throws IOException {
        Map<String, Admin.Shown> chosen = new TreeMap<>();
        TreeSet<String> unknown = new TreeSet<>();
        List<Admin.Shown> shown = admin.knobs();
        for (KnobSpec spec : KnobCatalogue.of(WeirConfig.class).knobs()) {
            if (spec.knob().dynamic() && spec.key().contains("[]")) {
                assertThat(spec.key()).as("lists that this test replaces whole").containsPattern(LISTS);
            }
            if (!spec.knob().dynamic()
                    || spec.grouping()
                    || spec.key().contains("[]")
                    || MAPS.contains(spec.key())
                    || spec.key().equals(OTHER_PROGRAM)) {
                continue;
            }
            String pattern = elsewhere(spec.key());
            Pattern key = Pattern.compile(pattern.replace(".", "\\.").replace("*", "[^.]+"));
            shown.stream()
                    .filter(k -> key.matcher(k.key()).matches())
                    .findFirst()
                    .ifPresentOrElse(k -> chosen.put(k.key(), k), () -> unknown.add(spec.key()));
        }
        assertThat(unknown)
                .as("the configuration of this test has none of these")
                .isEmpty();
        assertThat(chosen).hasSizeGreaterThan(200);
        List<Admin.Shown> all = List.copyOf(chosen.values());
        for (int from = 0; from < all.size(); from += GROUP) {
            turn(admin, all.subList(from, Math.min(all.size(), from + GROUP)));
        }
        assertThat(values(admin))
                .containsAllEntriesOf(all.stream().collect(Collectors.toMap(Admin.Shown::key, Admin.Shown::value)));
    }

    private static String elsewhere(String key) {
        for (Map.Entry<String, String> e : ELSEWHERE.entrySet()) {
            if (key.startsWith(e.getKey())) {
                return e.getValue() + key.substring(e.getKey().length());
            }
        }
        return key;
    }

    /** What a knob may be, a known value first. */
    private List<String> guesses(Admin.Shown knob) {
        List<String> all = new ArrayList<>(OtherValues.of(knob.type(), knob.value(), knob.max()));
        KNOWN.forEach((pattern, value) -> {
            if (knob.key().matches(pattern.replace(".", "\\.").replace("*", "[^.]+"))) {
                all.addFirst(value.startsWith("[") ? value : "\"" + value.replace("@DIR@", folder.toString()) + "\"");
            }
        });
        return all;
    }

    private void turn(Admin admin, List<Admin.Shown> knobs) throws IOException {
        Map<String, List<String>> guesses = new LinkedHashMap<>();
        Map<String, String> changes = new LinkedHashMap<>();
        Map<String, String> back = new LinkedHashMap<>();
        for (Admin.Shown k : knobs) {
            guesses.put(k.key(), guesses(k));
            changes.put(k.key(), guesses.get(k.key()).removeFirst());
            back.put(k.key(), OtherValues.same(k.type(), k.value()));
        }
        for (List<String> refused = admin.refused(changes); !refused.isEmpty(); refused = admin.refused(changes)) {
            if (knobs.size() > 1 && !changes.keySet().containsAll(refused)) {
                // a refusal that names what several keys say together
                for (Admin.Shown k : knobs) {
                    turn(admin, List.of(k));
                }
                return;
            }
            for (String key : knobs.size() == 1 ? changes.keySet() : new TreeSet<>(refused)) {
                List<String> left = guesses.getOrDefault(key, List.of());
                assertThat(left)
                        .as("other values of %s: %s in %s", key, refused, changes)
                        .isNotEmpty();
                changes.put(key, left.removeFirst());
            }
        }
        Map<String, String> now = values(admin);
        for (Admin.Shown k : knobs) {
            assertThat(now.get(k.key())).as(k.key()).isNotEqualTo(k.value());
        }
        assertThat(admin.refused(back)).as("back to " + back).isEmpty();
    }

    private static Map<String, String> values(Admin admin) throws IOException {
        return admin.knobs().stream().collect(Collectors.toMap(Admin.Shown::key, Admin.Shown::value));
    }

    private void certificate(String name) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-days", "30"));
        command.addAll(List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=" + name));
        command.addAll(
                List.of("-addext", "subjectAltName=DNS:localhost", "-keyout", name + ".key", "-out", name + ".pem"));
        Process openssl = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(openssl.waitFor()).as(said).isZero();
    }

    private void show(String name) throws IOException {
        for (String type : List.of(".pem", ".key")) {
            Files.copy(
                    folder.resolve(name + type), folder.resolve("shown" + type), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
