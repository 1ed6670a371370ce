package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two worker processes under a supervisor, which all tests but one share. */
@Tag("slow")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessesTest {
    private static final int PATIENCE_MILLIS = 120_000;
    private static final int CLIENTS = 24;

    /** Who is idle while processes are replaced has half of the drain's time to ask again, on whatever machine. */
    private static final String MORE =
            "server: {processes: 2}\nhistory: {interval: 1s}\nkernel: {drain-time-out: 10m, keep-alive: {timeout: 300s}}\n";

    @TempDir
    static Path folder = Path.of("");

    private static LoadOrigin origin;
    private static ProcessLauncher.Running weir;

    @BeforeAll
    static void start() throws Exception {
        origin = new LoadOrigin();
        weir = start(folder);
    }

    private static ProcessLauncher.Running start(Path in) throws Exception {
        openssl(
                in,
                "",
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout key.pem -out cert.pem");
        Path config = Servers.reverse(in, origin.port(), MORE);
        Files.writeString(config, Files.readString(config).replace("listeners:\n", """
                listeners:
                  secure:
                    address: 127.0.0.1
                    port: 0
                    tls: {certificates: [{chain-file: %s, key-file: %s}]}
                """.formatted(
                        in.resolve("cert.pem"), in.resolve("key.pem"))));
        return Servers.launcher().start(config, in.resolve("data"), List.of());
    }

    /** What openssl prints; it is given some input, and ends by itself. */
    private static String openssl(Path in, String input, String words) throws Exception {
        List<String> line = new ArrayList<>(List.of("openssl"));
        line.addAll(List.of(words.split(" ", -1)));
        Process p = new ProcessBuilder(line)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .start();
        p.getOutputStream().write(input.getBytes(StandardCharsets.US_ASCII));
        p.getOutputStream().flush();
        String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(p.waitFor()).as(said).isZero();
        return said;
    }

    private static String session(String option) throws Exception {
        return openssl(
                folder,
                "GET /bytes/10 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "s_client -ign_eof -connect 127.0.0.1:" + weir.port("secure") + " " + option + " session.pem");
    }

    @Test
    void tlsSessionsResumeAtAnyProcess() throws Exception {
        ready();
        String resumed = "weir_tls_handshakes_resumed_total{listener=\"secure\"}";
        assertThat(session("-sess_out")).contains("New, TLSv1.3").contains("200 OK");
        for (int i = 0; i < 40 && (figure(resumed, 1) == 0 || figure(resumed, 2) == 0); i++) {
            assertThat(session("-sess_in")).contains("Reused, TLSv1.3").contains("200 OK");
        }
        assertThat(figure(resumed, 1)).isPositive();
        assertThat(figure(resumed, 2)).isPositive();
    }

    /** The last test of all: a stop ends the supervisor and every worker. */
    @AfterAll
    static void stopEndsAllProcesses() throws Exception {
        try (LoadOrigin _ = origin) {
            ready();
            List<ProcessHandle> workers = List.of(worker(folder, 1), worker(folder, 2));
            weir.stop();
            assertThat(weir.exit()).isZero();
            assertThat(workers).noneMatch(ProcessHandle::isAlive);
        } finally {
            weir.close();
        }
    }

    private static ProcessHandle worker(Path in, int number) throws IOException {
        for (String line : Files.readAllLines(in.resolve("data/weir.pid"))) {
            if (line.startsWith("worker." + number + "=")) {
                return ProcessHandle.of(Long.parseLong(line.substring(line.indexOf('=') + 1)))
                        .orElseThrow();
            }
        }
        throw new IOException("no worker " + number);
    }

    private static boolean replaced(Path in, int number, ProcessHandle old) throws IOException {
        return Files.readAllLines(in.resolve("data/weir.pid")).stream()
                .anyMatch(l -> l.startsWith("worker." + number + "=") && !l.endsWith("=" + old.pid()));
    }

    private static Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("http"));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** Asks on a kept connection; the answer's head, or nothing when the connection is gone. */
    private static String ask(Socket socket) {
        try {
            socket.getOutputStream()
                    .write("GET /bytes/10 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int c = in.read();
                if (c < 0) {
                    return "";
                }
                head.append((char) c);
            }
            in.readNBytes(10);
            return head.toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static List<Socket> clients() throws IOException {
        List<Socket> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            all.add(connect());
        }
        return all;
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket s : sockets) {
            s.close();
        }
    }

    private static double figure(String name, int process) throws IOException {
        String text = new Counters(weir.port("admin"), SystemClock.INSTANCE).fetch("/metrics?process=" + process);
        return text.lines()
                .filter(l -> l.startsWith(name + " "))
                .mapToDouble(l -> Double.parseDouble(l.substring(name.length() + 1)))
                .sum();
    }

    private static double sum(String name, String labels) {
        return new Counters(weir.port("admin"), SystemClock.INSTANCE).read().sum(name, labels);
    }

    private static String fetch(String path) throws IOException {
        return new Counters(weir.port("admin"), SystemClock.INSTANCE).fetch(path);
    }

    /** What it says, also while it is not 200. */
    private static String health() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.port("admin") + "/health"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /** The first one takes a moment. */
    private static String report(String query) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + weir.port("admin") + "/.perf" + query);
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static int keptAtMost(String report) {
        return Integer.parseInt(report.replaceFirst("(?s).*KeepAliveCount +[0-9]+/([0-9]+).*", "$1"));
    }

    @Test
    void viewsAreOfAllProcesses() throws Exception {
        ready();
        String report = report("");
        for (int i = 1; i <= 2; i++) {
            assertThat(report)
                    .containsPattern("(?m)^" + i + " +" + worker(folder, i).pid() + " +ready ");
        }
        assertThat(report.split("ConnectionQueue:", -1)).as("one report of all").hasSize(2);
        assertThat(report).containsPattern("KeepAliveCount +[0-9]+/" + 2 * keptAtMost(report("?process=1")));
        assertThat(fetch("/stats-xml").split("<process ", -1)).hasSize(3);
        assertThat(Servers.within(
                        PATIENCE_MILLIS,
                        () -> fetch("/history").contains("weir_connections_open")
                                && fetch("/history?metric=process_up&since=1m&format=csv")
                                        .contains("process=2\",1,1")))
                .as("the history is that of the sums")
                .isTrue();
        assertThat(fetch("/health")).startsWith("{\"status\":\"up\"");
    }

    @Test
    void changeIsInAllProcessesOnceItIsAnsweredOrInNone() throws Exception {
        ready();
        patch("{\"kernel.keep-alive.timeout\":\"170s\"}", 200);
        assertThat(all("kernel.keep-alive.timeout", "170s")).isTrue();
        assertThat(patch("{\"kernel.keep-alive.timeout\":\"nonsense\"}", 422)).contains("nonsense");
        assertThat(patch("{\"kernel.keep-alive.timeout\":\"180s\"}", "\"9999\"", 412))
                .contains("The configuration in force is");
        for (String log : List.of("data/logs/server.log", "data/workers/2/logs/server.log")) {
            assertThat(Files.readString(folder.resolve(log)))
                    .containsPattern("Configuration [1-9][0-9]* was applied by the supervisor")
                    .doesNotContain("Configuration 0 was");
        }
        assertThat(patch("{\"listeners.more\":{\"port\":0}}", 422)).contains("by a restart");
        assertThat(patch("{\"kernel.muxer\":\"nio\"}", 422)).contains("only at start");
        assertThat(all("kernel.keep-alive.timeout", "170s")).isTrue();
    }

    private static void ready() throws Exception {
        assertThat(Servers.within(PATIENCE_MILLIS, () -> {
                    try {
                        return fetch("/health").startsWith("{\"status\":\"up\"");
                    } catch (IOException e) {
                        // 503 while one of them starts
                        return false;
                    }
                }))
                .isTrue();
    }

    @Test
    void workerThatHangsIsKilledCostsOnlyItsOwnConnectionsAndIsReplaced() throws Exception {
        ready();
        // not those between the processes
        String open = "weir_listener_connections{listener=\"http\"}";
        assertThat(Servers.within(PATIENCE_MILLIS, () -> figure(open, 1) + figure(open, 2) == 0))
                .isTrue();
        patch("{\"server.hang-time-out\":\"10s\",\"server.history-limit\":\"901\"}", 200);
        List<Socket> before = clients();
        assertThat(before).allSatisfy(s -> assertThat(ask(s)).startsWith("HTTP/1.1 200"));
        double ofFirst = figure(open, 1);
        double ofSecond = figure(open, 2);
        assertThat(ofFirst + ofSecond).isEqualTo(CLIENTS);
        assertThat(ofFirst).as("both take part").isBetween(1.0, CLIENTS - 1.0);
        double accepted = sum("weir_listener_accepted_total", "listener=\"http\"");
        double restarts = sum("weir_process_restarts_total", "process=\"2\"");
        ProcessHandle second = worker(folder, 2);
        Signals.send("STOP", second.pid());
        assertThat(patch("{\"server.history-limit\":\"902\"}", 503))
                .as("one of all does not answer")
                .contains("Nothing was changed");
        second.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        // those of the dead one are accepted by the other, or by the next
        List<Socket> after = clients();
        assertThat(after).allSatisfy(s -> assertThat(ask(s)).startsWith("HTTP/1.1 200"));
        assertThat(before.stream().filter(s -> !ask(s).isEmpty()).count()).isEqualTo((long) ofFirst);
        assertThat(Servers.within(PATIENCE_MILLIS, () -> replaced(folder, 2, second)))
                .isTrue();
        assertThat(sum("weir_listener_accepted_total", "listener=\"http\""))
                .as("what the dead one counted stays")
                .isGreaterThanOrEqualTo(accepted + CLIENTS);
        assertThat(sum("weir_process_restarts_total", "process=\"2\"")).isEqualTo(restarts + 1);
        assertThat(sum("weir_process_hung_total", "process=\"2\"")).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("data/logs/server.log")))
                .contains("Worker 2 (process " + second.pid() + ") has not answered for 10s")
                .contains("signal 9 (killed: it hung)");
        ready();
        assertThat(all("server.history-limit", "901"))
                .as("the new one is as the other")
                .isTrue();
        patch("{\"server.hang-time-out\":\"30s\"}", 200);
        close(before);
        close(after);
    }

    @Test
    void slotWithoutAProcessIsServedByTheOthersAndFilledAsSoonAsItCanBe() throws Exception {
        ready();
        Path errors = folder.resolve("data/workers/2/errors");
        ProcessHandle second = worker(folder, 2);
        Files.delete(errors);
        // with a folder in its place none can be started
        Files.createDirectory(errors);
        try {
            Signals.send("KILL", second.pid());
            second.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            List<Socket> all = clients();
            for (Socket s : all) {
                // none waits for the others: one that nobody accepts takes all patience there is
                assertThat(ask(s)).startsWith("HTTP/1.1 200");
            }
            assertThat(sum("weir_process_up", "process=\"2\"")).isZero();
            close(all);
            assertThat(fetch("/.perf")).containsPattern("(?m)^2 +- +no-process ");
            assertThat(health()).contains("{\"process\":2,\"health\":{\"status\":\"no process\"}}");
            assertThat(Servers.within(
                            PATIENCE_MILLIS,
                            () -> Files.readString(folder.resolve("data/logs/server.log"))
                                    .contains("Worker 2 could not be started")))
                    .isTrue();
        } finally {
            Files.delete(errors);
        }
        assertThat(Servers.within(PATIENCE_MILLIS, () -> replaced(folder, 2, second)))
                .isTrue();
        ready();
    }

    /** A client that asks again and again until told to stop; keeps its connection as long as answers allow it. */
    private static final class Client implements Callable<Integer> {
        private final AtomicBoolean stop;
        private final Queue<String> failed;
        private final boolean keeps;

        Client(AtomicBoolean stop, Queue<String> failed, boolean keeps) {
            this.stop = stop;
            this.failed = failed;
            this.keeps = keeps;
        }

        @Override
        public Integer call() throws IOException {
            int answered = 0;
            int onThis = 0;
            Socket socket = connect();
            while (!stop.get()) {
                String head = ask(socket);
                onThis++;
                if (head.startsWith("HTTP/1.1 200")) {
                    answered++;
                } else {
                    failed.add((keeps ? "connection kept" : "connection each") + ", request " + onThis
                            + " of it was answered '" + head + "'");
                }
                if (!keeps || head.isEmpty() || head.toLowerCase(Locale.ROOT).contains("connection: close")) {
                    socket.close();
                    socket = connect();
                    onThis = 0;
                }
            }
            socket.close();
            return answered;
        }
    }

    /** Asks until an old process, which learns a moment after the new one serves that it leaves, says so; how often. */
    private static int toldToLeave(Socket kept) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        assertThat(Servers.within(PATIENCE_MILLIS, () -> {
                    String head = ask(kept);
                    assertThat(head).as("answer %d", asked.incrementAndGet()).startsWith("HTTP/1.1 200");
                    return head.contains("Connection: close");
                }))
                .isTrue();
        return asked.get();
    }

    private static String patch(String change, int expected) throws Exception {
        return patch(change, "*", expected);
    }

    private static String patch(String change, String ifMatch, int expected) throws Exception {
        HttpResponse<String> answer;
        try (HttpClient http = HttpClient.newHttpClient()) {
            answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.port("admin") + "/knobs"))
                            .header("authorization", "Bearer " + token())
                            .header("if-match", ifMatch)
                            .method("PATCH", HttpRequest.BodyPublishers.ofString(change))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
        return answer.body();
    }

    private static String token() throws IOException {
        return Files.readString(folder.resolve("data/admin.token")).strip();
    }

    private static boolean all(String knob, String value) throws IOException {
        for (int i = 1; i <= 2; i++) {
            if (!fetch("/knobs?prefix=" + knob + "&process=" + i).contains("\"value\":\"" + value + "\"")) {
                return false;
            }
        }
        return true;
    }

    @Test
    void upgradeReplacesAllProcessesAndNoRequestFails() throws Exception {
        ready();
        // not what the processes ask each other
        String clients = "virtual_server=\"default\"";
        double counted = sum("weir_http_requests_total", clients);
        Shell shell = new Shell(folder.resolve("shell"));
        List<ProcessHandle> before = List.of(worker(folder, 1), worker(folder, 2));
        AtomicBoolean stop = new AtomicBoolean();
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        // the idle client's first
        int sent = 1;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Socket idle = connect()) {
            assertThat(ask(idle)).startsWith("HTTP/1.1 200");
            List<Future<Integer>> load = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                load.add(threads.submit(new Client(stop, failed, i % 2 == 0)));
            }
            Http2Client many = new Http2Client(weir.port("http"), stop, failed);
            load.add(threads.submit(many));
            try {
                assertThat(shell.ok(folder.resolve("data"), "upgrade")).contains("New processes serve");
                assertThat(replaced(folder, 1, before.get(0)) && replaced(folder, 2, before.get(1)))
                        .isTrue();
                sent += toldToLeave(idle);
                for (ProcessHandle old : before) {
                    old.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                }
            } finally {
                stop.set(true);
            }
            for (Future<Integer> client : load) {
                int answers = client.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                assertThat(answers).isPositive();
                sent += answers;
            }
            assertThat(many.connections())
                    .as("one to the old ones, one to the new, and a few to old ones that leave a moment later")
                    .isGreaterThanOrEqualTo(2);
        }
        double all = counted + sent;
        assertThat(Servers.within(PATIENCE_MILLIS, () -> sum("weir_http_requests_total", clients) == all))
                .as("nothing that the old ones counted is lost, and nothing is counted twice")
                .isTrue();
        assertThat(failed).isEmpty();
        assertThat(sum("weir_process_restarts_total", "process=\"1\"")).isZero();
    }

    @Test
    @Tag("nightly")
    void workersEndWhenTheirSupervisorIsKilled() throws Exception {
        Path own = Files.createDirectories(folder.resolve("orphans"));
        try (ProcessLauncher.Running other = start(own)) {
            List<ProcessHandle> workers = List.of(worker(own, 1), worker(own, 2));
            other.kill();
            for (ProcessHandle w : workers) {
                w.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }
}
