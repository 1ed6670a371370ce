package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.WeirConnectionFactory;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.scenario.ProcessLauncher;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;

/** The views of two processes with everything on: TLS, HTTP/2, messaging, a cluster; and while one of them hangs. */
@Tag("slow")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessViewsTest {
    private static final int PATIENCE_MILLIS = 120_000;
    private static final int STRANGERS = 120;

    @TempDir
    static Path folder = Path.of("");

    private static LoadOrigin origin;
    private static ProcessLauncher.Running weir;

    @BeforeAll
    static void start() throws Exception {
        origin = new LoadOrigin();
        Process openssl = new ProcessBuilder(("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
                                + " -subj /CN=localhost -keyout key.pem -out cert.pem")
                        .split(" ", -1))
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(openssl.waitFor()).isZero();
        // a request that one process passes to another is counted by both
        Path config = Servers.reverse(folder, origin.port(), """
                server: {processes: 2, hang-time-out: 0s}
                cache: {share-processes: off}
                messaging: {queues: {demo: {}}}
                cluster: {initial-boot-delay: 0s}
                """);
        String pool = "virtual-servers: {shop: {hosts: [shop.example.com]}}\n"
                + "proxy:\n  origins: {spare: {servers: [{url: \"http://127.0.0.1:" + origin.port() + "\"}]}}\n"
                + "  buckets: {checked: {description: Checked}}\n";
        String text = Files.readString(config)
                .replace("port: 0}\n", "port: 0, limits: {connections: 1000}}\n")
                .replace("admin: {port: 0, limits: {connections: 1000}}", "admin: {port: 0}")
                .replace("proxy:\n", pool)
                .replace("- path: /\n", "- path: /\n      functions: [{name: url-check, bucket: checked}]\n")
                .replace("  routes:\n", "  routes:\n    - {path: /.perf, functions: [{name: service-dump}]}\n");
        Files.writeString(config, text.replace("listeners:\n", """
                listeners:
                  messaging: {address: 127.0.0.1, port: 0, protocol: weir}
                  secure:
                    address: 127.0.0.1
                    port: 0
                    tls: {certificates: [{chain-file: %s, key-file: %s}]}
                """.formatted(
                        folder.resolve("cert.pem"), folder.resolve("key.pem"))));
        weir = Servers.launcher().start(config, folder.resolve("data"), List.of());
        assertThat(Servers.within(PATIENCE_MILLIS, () -> get("/health").statusCode() == 200))
                .isTrue();
    }

    @AfterAll
    static void stop() throws Exception {
        try (LoadOrigin _ = origin) {
            weir.stop();
        } finally {
            weir.close();
        }
    }

    private static ProcessHandle worker(int number) throws IOException {
        String start = "worker." + number + "=";
        return Files.readAllLines(folder.resolve("data/weir.pid")).stream()
                .filter(l -> l.startsWith(start))
                .flatMap(l -> ProcessHandle.of(Long.parseLong(l.substring(start.length()))).stream())
                .findFirst()
                .orElseThrow();
    }

    /** As an operator's program asks: beside a crowd without the token, one without it may be answered 503. */
    private static HttpResponse<String> get(String path) throws Exception {
        String token = Files.readString(weir.data().resolve("admin.token")).strip();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.port("admin") + path))
                            .header("Authorization", "Bearer " + token)
                            .timeout(Duration.ofMillis(PATIENCE_MILLIS))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static int post(String path) throws Exception {
        String token = Files.readString(weir.data().resolve("admin.token")).strip();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.port("admin") + path))
                                    .header("Authorization", "Bearer " + token)
                                    .timeout(Duration.ofMillis(PATIENCE_MILLIS))
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    /** What a view says; it is there. */
    private static String view(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(path + " said " + answer.body()).isEqualTo(200);
        return answer.body();
    }

    /** The document, valid by the type that the server gives for it. */
    private static Document statsXml(int process) throws Exception {
        String type = view("/stats-xml/proxystats.dtd?process=" + process);
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
        factory.setValidating(true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setEntityResolver((_, _) -> new InputSource(new StringReader(type)));
        builder.setErrorHandler(new ErrorHandler() {
            @Override
            public void warning(SAXParseException e) throws SAXParseException {
                throw e;
            }

            @Override
            public void error(SAXParseException e) throws SAXParseException {
                throw e;
            }

            @Override
            public void fatalError(SAXParseException e) throws SAXParseException {
                throw e;
            }
        });
        return builder.parse(new InputSource(new StringReader(view("/stats-xml"))));
    }

    @Test
    void thePageOfTheCacheIsOfAllProcessesAndChangesAll() throws Exception {
        assertThat(view("/nsc?list=5"))
                .contains("(pids " + worker(1).pid() + ", " + worker(2).pid() + ")", "The file cache is enabled.");
        assertThat(view("/nsc?process=2")).contains("(pid " + worker(2).pid() + ")");
        assertThat(view("/cache?url=http://nowhere.test/"))
                .contains(
                        "{\"pid\":" + worker(1).pid() + ",",
                        "{\"pid\":" + worker(2).pid() + ",");
        assertThat(get("/cache?url=nowhere").statusCode()).isEqualTo(400);
        assertThat(view("/cache/top?n=2&by=bytes")).startsWith("{\"examined\":");
        assertThat(post("/nsc?restart")).isEqualTo(200);
        assertThat(post("/nsc?stop&process=2")).isEqualTo(400);
        assertThat(post("/nsc?stop")).isEqualTo(200);
        for (int process = 1; process <= 2; process++) {
            assertThat(view("/nsfc?process=" + process)).contains("The file cache is disabled.");
        }
        assertThat(view("/nsc")).contains("The file cache is disabled.");
        assertThat(post("/nsc?start")).isEqualTo(200);
        for (int process = 1; process <= 2; process++) {
            assertThat(view("/nsc?process=" + process)).contains("The file cache is enabled.");
        }
    }

    private static boolean has(Document document, String element) {
        return document.getElementsByTagName(element).getLength() > 0;
    }

    @Test
    void statsXmlOfEverythingIsWhatItsTypeDeclares() throws Exception {
        WeirConnectionFactory factory = new WeirConnectionFactory("weir://127.0.0.1:" + weir.port("messaging"));
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                HttpClient https = HttpClient.newBuilder()
                        .sslContext(trusting())
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            session.createProducer(session.createQueue("demo")).send(session.createTextMessage("hello"));
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + weir.port("secure") + "/bytes/10"))
                    .build();
            HttpResponse<String> answer = https.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(Servers.within(PATIENCE_MILLIS, () -> has(statsXml(1), "jms-session-bucket")))
                    .as("messaging's figures are those of a moment before")
                    .isTrue();
            // its connection is that of one process; the first tells of messaging and the cluster
            Document document = statsXml(1);
            assertThat(List.of("http2-bucket", "tls-bucket", "tls-protocol-bucket", "tls-certificate"))
                    .allMatch(element -> has(document, element));
            assertThat(List.of("jms-destination-bucket", "cluster-member-bucket"))
                    .allMatch(element -> has(document, element));
            assertThat(document.getElementsByTagName("process").getLength()).isEqualTo(2);
        }
    }

    /** A view that is of the first process only would miss what the second one does. */
    @Test
    void originsTrafficAndKnobsAreOfAllProcesses() throws Exception {
        assertThat(view("/origins")).containsOnlyOnce("{\"pool\":\"spare\"");
        assertThat(view("/traffic")).contains("\"name\":\"http\"").containsPattern("\"limit\":2000\\b");
        assertThat(view("/traffic?process=2")).containsPattern("\"limit\":1000\\b");
        assertThat(get("/traffic?clients=0").statusCode()).isEqualTo(400);
        assertThat(get("/metrics?process=99").body()).contains("process is 1 to 2");
        assertThat(view("/knobs/server.processes")).contains("\"value\":\"2\"");
        assertThat(view("/")).contains("several processes");
        assertThat(view("/.perf")).contains("/metrics has the counts of ended ones, too.");
    }

    /** Connections are spread over the processes; what each counts is summed by bucket and virtual server. */
    @Test
    void bucketsAreSumsOfAllProcesses() throws Exception {
        String path = "/profile-bucket[@profile=//profile[@name='checked']/@id]/@countRequests";
        long before = requests(path);
        int sent = 40;
        for (int i = 0; i < sent; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("http"))) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                String host = i % 4 == 0 ? "shop.example.com" : "localhost";
                String request = "GET /bytes/1 HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
            }
        }
        assertThat(requests(path)).isEqualTo(before + sent);
        assertThat(requests("[@id='shop']" + path)).isEqualTo(sent / 4);
        assertThat(view("/.perf"))
                .containsPattern("\nchecked \\(Checked\\)\nNumber of Requests: +" + (before + sent) + " +\\(");
        assertThat(view("/metrics"))
                .contains("weir_proxy_bucket_requests_total{bucket=\"checked\",virtual_server=\"shop\"} " + sent / 4
                        + ".0\n");
    }

    private static long requests(String path) throws Exception {
        return (long) (double) (Double) XPathFactory.newDefaultInstance()
                .newXPath()
                .evaluate("sum(//virtual-server" + path + ")", statsXml(1), XPathConstants.NUMBER);
    }

    @Test
    void aViewOnTheProxysPortIsOfTheProcessThatAnswers() throws Exception {
        Set<String> first = new HashSet<>();
        URI port = URI.create("http://127.0.0.1:" + weir.port("http") + "/.perf");
        assertThat(Servers.within(PATIENCE_MILLIS, () -> {
                    try (HttpClient http = HttpClient.newHttpClient()) {
                        HttpRequest request = HttpRequest.newBuilder(port).build();
                        String text = http.send(request, HttpResponse.BodyHandlers.ofString())
                                .body();
                        first.add(text.lines().findFirst().orElse(""));
                    }
                    return first.size() == 2;
                }))
                .isTrue();
        assertThat(first)
                .containsExactlyInAnyOrder(
                        "proxyd pid: " + worker(1).pid(),
                        "proxyd pid: " + worker(2).pid());
        assertThat(view("/.perf?process=2"))
                .startsWith("proxyd pid: " + worker(2).pid());
    }

    @Test
    void onlyTheFirstProcessIsAMemberOfTheCluster() throws Exception {
        assertThat(Servers.within(
                        PATIENCE_MILLIS, () -> view("/metrics?process=1").contains("weir_lease_owner{lease=\"member/")))
                .isTrue();
        assertThat(view("/health?process=1")).contains("\"cluster ");
        assertThat(view("/health?process=2")).doesNotContain("\"cluster ");
        assertThat(view("/metrics?process=2")).doesNotContain("weir_lease_owner{", "weir_cluster_members{");
        assertThat(get("/cluster?process=2").statusCode()).isEqualTo(404);
    }

    /** Takes every certificate. */
    private static SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, null);
        return context;
    }

    private static final class Trusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Half requests, and requests for what only the process has that hangs, many on a connection; nothing is read. */
    private static List<Socket> strangers(int process) throws IOException {
        List<Socket> all = new ArrayList<>();
        for (int i = 0; i < STRANGERS; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("admin"));
            String path = List.of("/knobs", "/threads", "/.perf", "/stats-xml").get(i % 4) + "?process=" + process;
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n";
            try {
                socket.getOutputStream()
                        .write((i % 3 == 0 ? request : (request + "\r\n").repeat(50))
                                .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // closed, to make room
            }
            all.add(socket);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 1})
    void processThatHangsHoldsUpNoViewAndIsSaidToHang(int hanging) throws Exception {
        int other = 3 - hanging;
        ProcessHandle worker = worker(hanging);
        Signals.send("STOP", worker.pid());
        List<Socket> strangers = new ArrayList<>();
        try {
            strangers.addAll(strangers(hanging));
            assertThat(view("/.perf"))
                    .containsPattern("(?m)^" + hanging + " +" + worker.pid() + " +no-answer ")
                    .containsPattern("(?m)^" + other + " +" + worker(other).pid() + " +ready ")
                    .contains("\nProcess " + hanging + " does not answer: its figures are missing below.\n");
            strangers.addAll(strangers(hanging));
            HttpResponse<String> health = get("/health");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body())
                    .startsWith("{\"status\":\"degraded\"")
                    .contains("{\"process\":" + hanging + ",\"health\":{\"status\":\"no answer\"}}")
                    .contains("{\"process\":" + other + ",\"health\":{\"status\":\"up\"");
            assertThat(view("/metrics"))
                    .contains(
                            "weir_process_answers{process=\"" + hanging + "\"} 0.0\n",
                            "weir_process_answers{process=\"" + other + "\"} 1.0\n");
            Document document = statsXml(other);
            assertThat(document.getElementsByTagName("process").getLength()).isEqualTo(2);
            assertThat(view("/stats-xml")).containsPattern("mode=\"unknown\" pid=\"" + worker.pid() + "\"");
            HttpResponse<String> asked = get("/knobs?process=" + hanging);
            assertThat(asked.statusCode()).isEqualTo(503);
            assertThat(asked.body()).contains("Process " + hanging + " does not answer");
            assertThat(view("/health/live")).contains("up");
            assertThat(view("/stats-xml/proxystats.dtd")).startsWith("<!").isEqualTo(view("/proxystats.dtd"));
        } finally {
            Signals.send("CONT", worker.pid());
            for (Socket s : strangers) {
                s.close();
            }
        }
        assertThat(Servers.within(PATIENCE_MILLIS, () -> get("/health").statusCode() == 200))
                .isTrue();
        assertThat(Servers.within(
                        PATIENCE_MILLIS,
                        () -> view("/metrics").contains("weir_process_answers{process=\"" + hanging + "\"} 1.0\n")))
                .isTrue();
        assertThat(view("/.perf")).doesNotContain("no-answer");
    }
}
