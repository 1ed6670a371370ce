package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.server.admin.RawClient;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.monitor.StatsXmlTest;
import io.weir.server.start.ServerParts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose obj.conf shows the administration's views on the proxy's own port. */
class ViewsOnPortsTest {
    private static final String OBJECTS = """
            <Object name="default">
            NameTrans fn="assign-name" from="/.perf" name="perf"
            NameTrans fn="assign-name" from="(/stats-xml|/stats-xml/*)" name="stats-xml"
            NameTrans fn="assign-name" from="/nsc" name="nsc"
            ObjectType fn="cache-enable"
            Service fn="send-answer" body="else"
            </Object>
            <Object name="perf">
            Service fn="service-dump"
            </Object>
            <Object name="stats-xml">
            Service fn="stats-xml"
            </Object>
            <Object name="nsc">
            Service fn="service-nsc-dump"
            </Object>
            """;

    @TempDir
    private Path home = Path.of("");

    private @Nullable Server running;

    @BeforeEach
    void start() throws Exception {
        Path objects = Files.writeString(home.resolve("obj.conf"), OBJECTS);
        Path file = Files.writeString(
                home.resolve("weir.yaml"),
                "listeners: {http: {port: 0}}\nadmin: {port: 0}\nproxy: {objects: " + objects + "}\n");
        LoadedConfig loaded = new ConfigLoader(file, List.of(), home).load();
        assertThat(loaded.problems()).isEmpty();
        running = Server.start(new ServerParts(
                loaded,
                home.resolve("data"),
                SystemClock.INSTANCE,
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                "test"));
    }

    @AfterEach
    void stop() {
        server().stop();
    }

    private Server server() {
        return Objects.requireNonNull(running);
    }

    private RawClient.Answer port(String method, String target) throws Exception {
        try (RawClient client = new RawClient(server().listeners().getFirst().address())) {
            return client.ask(method, target, "");
        }
    }

    private RawClient.Answer admin(String target) throws Exception {
        int port = URI.create("http://" + server().adminAuthority()).getPort();
        return RawClient.get(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), target);
    }

    /** Without what changes from one view to the next. */
    private static String shape(String text) {
        return text.replaceAll("(Mon|Tue|Wed|Thu|Fri|Sat|Sun) .*", "DATE").replaceAll("[0-9. ]+", " ");
    }

    @Test
    void thePortHasTheTextOfTheAdminListener() throws Exception {
        String own = "proxyd pid: " + ProcessHandle.current().pid() + "\n";
        RawClient.Answer perf = port("GET", "/.perf");
        assertThat(perf.body()).contains(own);
        assertThat(shape(before("Sessions", perf.body())))
                .isEqualTo(shape(before("Sessions", admin("/.perf").body())));
        assertThat(shape(port("GET", "/nsc").body()))
                .isEqualTo(shape(admin("/nsc").body()));
        assertThat(port("GET", "/stats-xml/proxystats.dtd").body())
                .isEqualTo(admin("/stats-xml/proxystats.dtd").body());
        StatsXmlTest.valid(port("GET", "/stats-xml/proxystats.xml").body());
    }

    /** The sessions are of those who look. */
    private static String before(String section, String text) {
        int at = text.indexOf("\n" + section);
        assertThat(at).isPositive();
        return text.substring(0, at);
    }

    @Test
    void everyRequestSeesTheStateOfThen() throws Exception {
        for (int i = 1; i <= 3; i++) {
            assertThat(port("GET", "/else").body()).isEqualTo("else");
            assertThat(port("GET", "/stats-xml").body()).contains("countTotalConnections=\"" + 2 * i + "\"");
        }
        RawClient.Answer head = port("HEAD", "/.perf?refresh=4");
        assertThat(head.field("refresh")).isEqualTo("4");
        assertThat(head.field("cache-control")).isEqualTo("no-store");
        assertThat(Integer.parseInt(head.field("content-length"))).isGreaterThan(100);
    }
}
