package io.weir.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.process.Await;
import io.weir.lab.scenario.InProcess;
import io.weir.lab.scenario.Weir;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages that receivers read differently, through Weir and a real nginx or Squid behind it or before it: what the first
 * reader takes for a request is what the last one sees, and no answer goes to another request.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class SmugglingTest {
    /** Attacks at a time: their requests meet on the connections between the two servers. */
    private static final int ABREAST = 64;

    /**
     * Squid 5.7 takes the length off a 204 and sends what stands behind it, and behind a 304, to its client: nobody who
     * reads that can tell it from an answer to the next request, if it comes after that was sent.
     */
    private static final Set<String> PASSED_ON_BY_SQUID =
            Set.of("204-with-a-body", "204-with-a-length", "204-with-chunks", "304-with-a-body");

    @TempDir
    static Path folder = Path.of("");

    private final Peers peers = peers();
    private final Recorder origin = origin();
    private @Nullable Weir weir;
    private @Nullable TlsSockets secure;

    private static Peers peers() {
        try {
            return new Peers();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Recorder origin() {
        try {
            return new Recorder(EvilAnswer.all());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private int port() {
        return Objects.requireNonNull(weir).port("http");
    }

    @BeforeAll
    void start() throws Exception {
        TlsSockets tls = new TlsSockets(folder);
        secure = tls;
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                  tls: {address: 127.0.0.1, port: 0, tls: {certificates: [{chain-file: %s, key-file: %s}]}}
                admin: {port: 0}
                # one muxer: whatever is sent meets on the same connections
                kernel: {socket-readers: 1, time-outs: {header: 1s, body: 1s}}
                proxy:
                  time-outs: {body-idle: 1s, response-header: 5s}
                  routes:
                    - {hosts: [a.test], path: /nginx, origins: ["http://127.0.0.1:%d"]}
                    - {hosts: [a.test], path: /squid, origins: ["http://127.0.0.1:%d"]}
                    - {hosts: [a.test], path: /, origins: ["http://127.0.0.1:%d"]}
                """.formatted(
                        tls.chain, tls.key, peers.nginxToOrigin, peers.squidToOrigin, origin.port()));
        weir = new InProcess().start(config, folder.resolve("data"), List.of());
        peers.start(origin.port(), port());
    }

    @AfterAll
    void stop() throws Exception {
        peers.close();
        origin.close();
        if (weir != null) {
            weir.close();
        }
    }

    /** An attack that was made. */
    private record Made(Attack attack, String path, List<Client.Answer> answers, Client.Answer victim) {}

    private static List<Made> attack(int port, String prefix, List<Attack> attacks) throws Exception {
        List<Callable<Made>> tasks = new ArrayList<>();
        for (Attack attack : attacks) {
            String path = prefix + "/" + tasks.size();
            tasks.add(() -> attack(port, attack, path));
        }
        return abreast(tasks);
    }

    private static <T> List<T> abreast(List<Callable<T>> tasks) throws Exception {
        List<T> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(ABREAST)) {
            for (Future<T> one : threads.invokeAll(tasks)) {
                done.add(one.get());
            }
        }
        return done;
    }

    private static Made attack(int port, Attack attack, String path) throws Exception {
        List<Client.Answer> answers =
                Client.exchange(port, attack.sent(path), attack.bytes().startsWith("HEAD "));
        return new Made(attack, path, answers, Client.get(port, path + "/victim"));
    }

    /** What the origin saw of an attack. */
    private List<String> seen(Made made) {
        return below(made.path(), origin.seen);
    }

    private static List<String> below(String path, List<String> targets) {
        return targets.stream()
                .filter(t -> t.startsWith(path + "/"))
                .map(t -> t.substring(path.length() + 1))
                .toList();
    }

    /** The origin answers each request with its target: an answer for another request betrays itself. */
    private static void answersAreTheirs(SoftAssertions all, Made made, List<String> requests) {
        List<String> own = made.answers().stream()
                .filter(a -> a.status().equals("200"))
                .map(a -> a.seen()
                        .substring(Math.min(a.seen().length(), made.path().length() + 1)))
                .toList();
        all.assertThat(own).as("answers to %s", made.attack()).isEqualTo(requests);
        all.assertThat(made.victim().seen())
                .as("victim of %s: %s", made.attack(), made.victim())
                .isEqualTo(made.path() + "/victim");
    }

    private void inFront(String prefix, List<Attack> attacks) throws Exception {
        SoftAssertions all = new SoftAssertions();
        for (Made made : attack(port(), prefix, attacks)) {
            List<String> expected = new ArrayList<>(made.attack().seen(made.path()));
            answersAreTheirs(
                    all,
                    made,
                    expected.stream().map(e -> e.replaceFirst("=\\d+$", "")).toList());
            expected.add("victim");
            all.assertThat(seen(made)).as("seen of %s", made.attack()).isEqualTo(expected);
            all.assertThat(made.answers().stream().map(Client.Answer::status).toList())
                    .as("statuses of %s", made.attack())
                    .zipSatisfy(
                            made.attack().statuses(),
                            (is, due) -> assertThat(is).matches(due.equals("refused") ? "400|501" : due));
        }
        all.assertThat(origin.broken).isEmpty();
        all.assertAll();
    }

    @Test
    void weirBeforeNginx() throws Exception {
        inFront("/nginx", Attack.all());
    }

    @Test
    void weirBeforeSquid() throws Exception {
        // Squid itself refuses bodies of GET and HEAD
        Set<String> refused = Set.of("zero-cl-get", "zero-cl-head", "expect-get");
        inFront(
                "/squid",
                Attack.all().stream()
                        .map(a -> refused.contains(a.name()) ? a.judged("411+") : a)
                        .toList());
    }

    /** The list of what the server in front of Weir passed on. */
    private interface Passed {
        List<String> now() throws Exception;
    }

    private void behind(int port, String prefix, Passed passed) throws Exception {
        SoftAssertions all = new SoftAssertions();
        int reached = 0;
        for (Made made : attack(port, prefix, Attack.all())) {
            List<String> seen =
                    seen(made).stream().map(e -> e.replaceFirst("=\\d+$", "")).toList();
            boolean agreed = Await.within(
                    Duration.ofSeconds(5),
                    () -> sorted(below(made.path(), passed.now())).equals(sorted(seen)));
            all.assertThat(agreed)
                    .as("%s: origin saw %s, passed on were %s", made.attack(), seen, below(made.path(), passed.now()))
                    .isTrue();
            answersAreTheirs(all, made, seen.subList(0, Math.max(0, seen.size() - 1)));
            reached += seen.contains("one") ? 1 : 0;
        }
        all.assertThat(reached).as("attacks that reached the origin").isGreaterThan(20);
        all.assertThat(origin.broken).isEmpty();
        all.assertAll();
    }

    private static List<String> sorted(List<String> texts) {
        List<String> sorted = new ArrayList<>(texts);
        Collections.sort(sorted);
        return sorted;
    }

    @Test
    void weirBehindNginx() throws Exception {
        behind(peers.nginxToWeir, "/of-nginx", peers::nginxPassed);
    }

    @Test
    void weirBehindSquid() throws Exception {
        behind(peers.squidToWeir, "/of-squid", peers::squidPassed);
    }

    /** A request over HTTP/2 that was made, with a marker behind it. */
    private record Sent(StreamAttack attack, String path, Map<Integer, Client.Answer> answers, Client.Answer victim) {
        Client.Answer of(int stream) {
            return answers.getOrDefault(stream, new Client.Answer("none", "", ""));
        }

        /** Sorted, without what may have been passed on before its body was found too long. */
        List<String> certain(List<String> targets) {
            boolean open = attack.verdict().getLast().endsWith("?");
            return targets.stream()
                    .filter(t -> !(open && t.equals("one")))
                    .sorted()
                    .toList();
        }
    }

    /** Whoever connects to a server with HTTP/2. */
    private interface Connects {
        Socket now() throws IOException;
    }

    private static Connects plain(int port) {
        return () -> new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static List<Sent> attackOverHttp2(
            Connects to, String scheme, String prefix, List<StreamAttack> attacks, int victims) throws Exception {
        List<Callable<Sent>> tasks = new ArrayList<>();
        for (StreamAttack attack : attacks) {
            String path = prefix + "/" + tasks.size();
            tasks.add(() -> {
                try (StreamClient client = new StreamClient(to.now())) {
                    Set<Integer> streams = attack.takenBack() ? Set.of(3) : Set.of(1, 3);
                    Map<Integer, Client.Answer> answers = client.exchange(attack.sent(path, scheme), streams);
                    return new Sent(attack, path, answers, Client.get(victims, path + "/victim"));
                }
            });
        }
        return abreast(tasks);
    }

    private void overHttp2(Connects to, String scheme, String prefix, List<StreamAttack> attacks) throws Exception {
        SoftAssertions all = new SoftAssertions();
        for (Sent sent : attackOverHttp2(to, scheme, prefix, attacks, port())) {
            List<String> due = new ArrayList<>(List.of("marker", "victim"));
            List<String> may = new ArrayList<>(due);
            for (String one : sent.attack().seen(sent.path())) {
                may.add(one.replace("?", ""));
                due.addAll(one.endsWith("?") ? List.of() : List.of(one));
            }
            List<String> seen = below(sent.path(), origin.seen);
            all.assertThat(seen)
                    .as("seen of %s", sent)
                    .containsAll(due)
                    .isSubsetOf(may)
                    .doesNotHaveDuplicates();
            all.assertThat(sent.of(1).status())
                    .as("end of %s", sent)
                    .matches(sent.attack().status());
            answersAreTheirs(all, sent);
        }
        all.assertThat(origin.broken).isEmpty();
        all.assertAll();
    }

    private static void answersAreTheirs(SoftAssertions all, Sent sent) {
        if (sent.of(1).status().equals("200")) {
            all.assertThat(sent.of(1).seen()).as("answer of %s", sent).startsWith(sent.path() + "/one");
        }
        if (sent.of(3).status().equals("200")) {
            all.assertThat(sent.of(3).seen()).as("marker of %s", sent).isEqualTo(sent.path() + "/marker");
        }
        all.assertThat(sent.victim().seen()).as("victim of %s", sent).isEqualTo(sent.path() + "/victim");
    }

    @Test
    void overHttp2BeforeNginx() throws Exception {
        overHttp2(plain(port()), "http", "/nginx/h2", StreamAttack.all());
    }

    @Test
    void overHttp2BeforeSquid() throws Exception {
        overHttp2(
                plain(port()),
                "http",
                "/squid/h2",
                StreamAttack.all().stream()
                        .map(a -> a.name().equals("length-of-get") ? a.judged("411") : a)
                        .toList());
    }

    /** Attacks on what becomes a target. */
    private static List<StreamAttack> targets() throws IOException {
        return StreamAttack.all().stream()
                .filter(a -> a.name().matches("(scheme|path|authority|host|method|value-crlf|body)-.*"))
                .toList();
    }

    @Test
    void overHttp2AndTlsBeforeTheOrigin() throws Exception {
        overHttp2(encrypted(), "https", "/tls", targets());
    }

    private Connects encrypted() {
        int port = Objects.requireNonNull(weir).port("tls");
        return () -> Objects.requireNonNull(secure).to(port);
    }

    /** Every head is written in absolute form then, and only a forward proxy would take that. */
    @Test
    void overHttp2WithAnotherSchemeThanTheConnections() throws Exception {
        SoftAssertions all = new SoftAssertions();
        for (Sent sent : attackOverHttp2(encrypted(), "http", "/other", targets(), port())) {
            all.assertThat(below(sent.path(), origin.seen))
                    .as("seen of %s", sent)
                    .containsExactly("victim");
            String due = sent.attack().status();
            all.assertThat(sent.of(1).status()).as("end of %s", sent).matches(due.equals("200") ? "421" : "421|" + due);
            answersAreTheirs(all, sent);
        }
        all.assertThat(origin.broken).isEmpty();
        all.assertAll();
    }

    @Test
    void overHttp2BehindNginx() throws Exception {
        SoftAssertions all = new SoftAssertions();
        int reached = 0;
        for (Sent sent : attackOverHttp2(
                plain(peers.nginxHttp2ToWeir), "http", "/of-nginx/h2", StreamAttack.all(), peers.nginxToWeir)) {
            List<String> seen = targets(sent.path());
            boolean agreed = Await.within(
                    Duration.ofSeconds(5),
                    () -> sent.certain(below(sent.path(), peers.nginxPassed())).equals(sent.certain(seen)));
            all.assertThat(agreed)
                    .as("%s: origin saw %s, passed on were %s", sent, seen, below(sent.path(), peers.nginxPassed()))
                    .isTrue();
            answersAreTheirs(all, sent);
            reached += seen.contains("one") ? 1 : 0;
        }
        all.assertThat(reached).as("attacks that reached the origin").isGreaterThan(20);
        all.assertThat(origin.broken).isEmpty();
        all.assertAll();
    }

    /** Without the lengths of their bodies. */
    private List<String> targets(String path) {
        return below(path, origin.seen).stream()
                .map(e -> e.replaceFirst("=\\d+$", ""))
                .toList();
    }

    /** What became of an evil answer. */
    private record Got(EvilAnswer evil, List<Client.Answer> answers, List<Client.Answer> victims, String path) {}

    private static List<Callable<Got>> asking(int port, String prefix, Set<String> without) throws Exception {
        List<Callable<Got>> tasks = new ArrayList<>();
        List<EvilAnswer> evils = EvilAnswer.all();
        for (EvilAnswer evil : evils) {
            if (without.contains(evil.name())) {
                continue;
            }
            String path = prefix + "/evil/" + evils.indexOf(evil);
            tasks.add(() -> {
                ByteArrayOutputStream sent = new ByteArrayOutputStream();
                sent.writeBytes(Client.get(path, ""));
                sent.writeBytes(Client.get(prefix + "/marker", "Connection: close\r\n"));
                List<Client.Answer> answers = Client.exchange(port, sent.toByteArray(), false);
                List<Client.Answer> victims =
                        List.of(Client.get(port, prefix + "/victim"), Client.get(port, prefix + "/victim"));
                return new Got(evil, answers, victims, prefix);
            });
        }
        return tasks;
    }

    private static void nobodyGetsAnothers(SoftAssertions all, Got got) {
        for (Client.Answer answer : got.answers()
                .subList(Math.min(1, got.answers().size()), got.answers().size())) {
            all.assertThat(answer.seen()).as("second answer of %s", got).isEqualTo(got.path() + "/marker");
        }
        all.assertThat(got.answers())
                .as("answers of %s", got)
                .noneMatch(a -> a.seen().equals("/smuggled"));
        all.assertThat(got.victims())
                .as("victims of %s", got)
                .allMatch(v -> v.seen().equals(got.path() + "/victim"));
    }

    @Test
    void answersOfAnEvilOrigin() throws Exception {
        SoftAssertions all = new SoftAssertions();
        for (Got got : abreast(asking(port(), "/weir", Set.of()))) {
            nobodyGetsAnothers(all, got);
            Client.Answer first = got.answers().isEmpty()
                    ? new Client.Answer("silence", "", "")
                    : got.answers().getFirst();
            String is = first.status()
                    + (first.status().equals("200") && !first.body().isEmpty()
                            ? "=" + first.body().length()
                            : "");
            all.assertThat(is)
                    .as("answer for %s", got.evil())
                    .isIn(
                            got.evil().verdict().equals("cut")
                                    ? List.of("502", "cut", "silence")
                                    : List.of(got.evil().verdict()));
        }
        all.assertAll();
    }

    @Test
    void answersOfAnEvilOriginThroughOthers() throws Exception {
        List<Callable<Got>> tasks = new ArrayList<>();
        tasks.addAll(asking(port(), "/nginx", Set.of()));
        tasks.addAll(asking(port(), "/squid", PASSED_ON_BY_SQUID));
        tasks.addAll(asking(peers.nginxToWeir, "/of-nginx", Set.of()));
        tasks.addAll(asking(peers.squidToWeir, "/of-squid", Set.of()));
        SoftAssertions all = new SoftAssertions();
        abreast(tasks).forEach(got -> nobodyGetsAnothers(all, got));
        all.assertAll();
    }
}
