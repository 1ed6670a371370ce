package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.program.config.FunctionRoute;
import io.weir.proxy.program.config.RouteConfig;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.WeirConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code obj.conf} with what lies beside it, translated and run. */
final class ObjConfMigrationTest extends MigrateFixture {
    private static final String FORWARD = """
            <Object name="default">
            NameTrans fn="assign-name" from="/.perf" name="perf"
            PathCheck fn="url-check"
            Service fn="proxy-retrieve" method="*"
            </Object>
            <Object name="perf">
            Service fn="service-dump"
            </Object>
            <Object ppath="http://ads\\.example\\.com/.*">
            PathCheck fn="deny-service"
            </Object>
            <Object ppath="http://.*">
            ObjectType fn="cache-enable" query-maxlen="10"
            ObjectType fn="cache-setting" max-uncheck="7200"
            </Object>
            <Object ppath="connect://.*:443">
            Service fn="proxy-retrieve" method="CONNECT"
            </Object>
            <Object ppath="connect://.*">
            Service fn="deny-service"
            </Object>
            """;

    private Migration migrate(String text) throws IOException {
        return migrate(Language.OBJ_CONF, "obj.conf", text);
    }

    @Test
    void reverseProxyAnswersAsItsObjConfSays() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                <Object name="default">
                NameTrans fn="assign-name" from="/secret/*" name="secret"
                NameTrans fn="redirect" from="/old" url-prefix="http://www.example.com/new"
                NameTrans fn="map" from="/shop" to="http://127.0.0.1:%1$d/store"
                NameTrans fn="map" from="/" to="http://127.0.0.1:%1$d/" rewrite-host="false"
                <Client path="/internal/*">
                PathCheck fn="deny-service"
                </Client>
                Service fn="proxy-retrieve" method="(GET|HEAD)"
                </Object>
                <Object name="secret">
                PathCheck fn="require-auth" realm="hidden" auth-user="ann"
                Route fn="set-origin-server" server="http://127.0.0.1:%1$d"
                Service fn="proxy-retrieve"
                </Object>
                """.formatted(origin));
        int port = port(start(made));

        assertThat(ask(port, "GET", "/a?b").body()).isEqualTo("GET /a?b host=www.example.com seen=null");
        assertThat(ask(port, "GET", "/shop/cart").body())
                .isEqualTo("GET /store/cart host=127.0.0.1:%d seen=null".formatted(origin));
        assertThat(ask(port, "GET", "/old/x").field("Location")).isEqualTo("http://www.example.com/new/x");
        assertThat(ask(port, "GET", "/internal/x").status()).isEqualTo(403);
        assertThat(ask(port, "POST", "/a", "Content-Length: 0").status()).isEqualTo(405);
        Answer secret = ask(port, "GET", "/secret/x");
        assertThat(secret.status()).isEqualTo(401);
        assertThat(secret.field("WWW-Authenticate")).contains("hidden");
        String wrong =
                Base64.getEncoder().encodeToString("ann:wrong".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(ask(port, "GET", "/secret/x", "Authorization: Basic " + wrong)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void forwardProxyKeepsItsRefusals() throws Exception {
        int origin = origin();
        Migration made = migrate(FORWARD);
        Server server = start(made, "proxy.destinations.allow=[\"127.0.0.0/8\"]");
        int port = port(server);

        assertThat(ask(port, "GET", "http://127.0.0.1:" + origin + "/x", "Host: 127.0.0.1:" + origin)
                        .body())
                .startsWith("GET /x host=127.0.0.1");
        assertThat(ask(port, "GET", "http://ads.example.com/x", "Host: ads.example.com")
                        .status())
                .isEqualTo(403);
        assertThat(ask(port, "CONNECT", "127.0.0.1:" + origin, "Host: 127.0.0.1:" + origin)
                        .status())
                .isEqualTo(403);
        assertThat(made.left()).singleElement().asString().contains("proxy.destinations.clients");
    }

    /** Each sample is translated; what it lacks is a file that its reader makes. */
    @Test
    void samplesAreTranslatedToCorrectConfigurations() throws IOException {
        List<Path> samples;
        try (Stream<Path> all = Files.list(Path.of("../samples/obj-conf"))) {
            samples = all.filter(Files::isDirectory).sorted().toList();
        }
        assertThat(samples).hasSizeGreaterThan(8);
        for (Path sample : samples) {
            Path objects = sample.resolve("obj.conf").toAbsolutePath().normalize();
            Migration made = Migration.of(Language.OBJ_CONF, objects, Files.readString(objects));
            assertThat(made.problems()).as(sample.toString()).isEmpty();
            Path file = Files.writeString(dir.resolve("weir.yaml"), made.text());
            assertThat(new ConfigLoader(file, List.of(), dir)
                            .load().problems().stream().map(Object::toString).filter(p -> !p.contains("function")))
                    .as(made.text())
                    .isEmpty();
        }
    }

    /** The map of a reverse proxy of Web Server 7 names no host: the origins are those of Route. */
    @Test
    void mapToNoHostLeavesTheOriginsToRoute() throws IOException {
        Migration made = migrate("""
                <Object name="default">
                NameTrans fn="map" from="/" name="reverse" to="http:/"
                </Object>
                <Object name="reverse">
                Route fn="set-origin-server" server="http://127.0.0.1:8001" server="http://127.0.0.1:8002" sticky-cookie="S"
                </Object>
                <Object ppath="http:*">
                Service fn="proxy-retrieve" method="*"
                </Object>
                """);
        WeirConfig config = load(made).value();

        assertThat(made.left()).isEmpty();
        RouteConfig route = config.proxy().routes().getFirst();
        assertThat(route.deny()).isFalse();
        assertThat(named(config.proxy().origins(), String.valueOf(route.pool())).servers())
                .hasSize(2);
    }

    /** A reverse proxy forwards nothing, whatever the client names. */
    @Test
    void reverseProxyDoesNotForward() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                <Object name="default">
                NameTrans fn="map" from="/" to="http://127.0.0.1:%d/"
                Service fn="proxy-retrieve"
                </Object>
                """.formatted(origin));

        assertThat(load(made).value().proxy().routes())
                .noneMatch(r -> r.forward() || r.connect().enabled());
        assertThat(ask(port(start(made)), "GET", "http://www.example.com/a").body())
                .startsWith("GET /a host=127.0.0.1:" + origin);
    }

    /** Tunnels are opened only where the program leads CONNECT to a proxy-retrieve that permits it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Service fn=\"deny-service\"\n</Object>\n<Object ppath=\"http://.*\">\nService fn=\"proxy-retrieve\"",
                "Service fn=\"proxy-retrieve\" allow=\"GET,HEAD,POST\"",
                "Service fn=\"proxy-retrieve\" block=\"CONNECT\"",
                "Service fn=\"deny-service\" method=\"CONNECT\"\nService fn=\"proxy-retrieve\"",
                "Service fn=\"proxy-retrieve\" method=\"(GET|POST)\"",
                "Service fn=\"proxy-retrieve\"\n</Object>\n<Object ppath=\"connect://.*\">\nPathCheck fn=\"deny-service\"",
                "Service fn=\"proxy-retrieve\"\n</Object>\n<Object ppath=\"connect://.*:443\">\nPathCheck fn=\"deny-service\"",
                "<Client dns=\"*.example.com\">\nPathCheck fn=\"deny-service\"\n</Client>\nService fn=\"proxy-retrieve\""
            })
    void noTunnelsWhereTheProgramRefusesThem(String service) throws IOException {
        Migration made = migrate("<Object name=\"default\">\n" + service + "\n</Object>\n");

        assertThat(load(made).value().proxy().routes())
                .as(made.text())
                .noneMatch(r -> r.connect().enabled());
        assertThat(made.text()).doesNotContain("ports: [");
    }

    @Test
    void tunnelsToThePortsThatObjectsOpen() throws IOException {
        Migration made = migrate("""
                <Object name="default">
                Service fn="deny-service"
                </Object>
                <Object ppath="connect://.*:(443|8443)">
                Service fn="proxy-retrieve" method="CONNECT"
                </Object>
                """);

        assertThat(made.text()).contains("ports: [443, 8443]");
        assertThat(migrate("""
                                <Object name="default">
                                Service fn="proxy-retrieve"
                                </Object>
                                """).text()).contains("ports: [443]", "the source tunnels to each port");
    }

    /** A login that the default object requires is required of tunnels, too; a refused path is so for each host. */
    @Test
    void refusalsOfTheDefaultObjectApplyToAllThatIsForwarded() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                <Object name="default">
                PathCheck fn="require-proxy-auth" realm="office" auth-user="ann"
                <Client path="/internal/*">
                PathCheck fn="deny-service"
                </Client>
                </Object>
                <Object ppath="http://127\\.0\\.0\\.1.*/.*">
                Service fn="proxy-retrieve"
                </Object>
                <Object ppath="http://localhost/.*">
                Service fn="proxy-retrieve"
                </Object>
                <Object ppath="connect://.*:443">
                Service fn="proxy-retrieve" method="CONNECT"
                </Object>
                """);
        int port = port(start(made, "proxy.destinations.allow=[\"127.0.0.0/8\"]"));

        assertThat(ask(port, "CONNECT", "127.0.0.1:443", "Host: 127.0.0.1:443").status())
                .isEqualTo(407);
        assertThat(ask(port, "GET", "http://localhost:" + origin + "/internal/x", "Host: localhost:" + origin)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void settingsBesideItAreTranslated() throws Exception {
        Files.writeString(dir.resolve("magnus.conf"), """
                RqThrottle 256
                KeepAliveTimeout 20
                KeepAliveThreads 2
                ListenQ 512
                Init fn="thread-pool-init" name="mine" maxthreads="8" queueSize="100"
                """);
        Files.writeString(dir.resolve("server.xml"), """
                <?xml version="1.0"?>
                <!DOCTYPE SERVER SYSTEM "file:///etc/passwd">
                <SERVER><LS id="ls1" port="8081" ip="127.0.0.1" security="off"/>
                <FILECACHE enabled="true" maxfiles="2048"/></SERVER>
                """);
        Migration made = migrate(FORWARD + """
                Init fn="host-dns-cache-init" cache-size="2048" expire="600"
                Init fn="flex-init" access="logs/acc" format.access="%Ses->client.ip%"
                """);
        WeirConfig config = load(made).value();

        assertThat(config.kernel().requestThrottle()).isEqualTo(256);
        assertThat(config.kernel().keepAlive().timeout()).hasSeconds(20);
        assertThat(named(config.listeners(), "ls1").port()).isEqualTo(8081);
        assertThat(named(config.listeners(), "ls1").backlog()).isEqualTo(512);
        assertThat(named(config.workManagers(), "mine").maxThreads()).isEqualTo(8);
        assertThat(config.cache().maxEntries()).isEqualTo(2048);
        assertThat(config.proxy().dns().entries()).isEqualTo(2048);
        assertThat(named(config.proxy().accessLogs(), "access").custom()).isEqualTo("%Ses->client.ip%");
        assertThat(config.proxy().accessLog().format())
                .as("no log that the source does not have")
                .isEqualTo(AccessLogConfig.Style.OFF);
        assertThat(made.text()).contains("request-throttle: 256  # magnus.conf:1");
        assertThat(made.notes()).anyMatch(n -> n.startsWith("magnus.conf:3: KeepAliveThreads"));
    }

    @Test
    void firstDirectiveThatMatchesWinsAlsoWhereWeirPrefersTheLater() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                <Object name="default">
                NameTrans fn="assign-name" from="/a/*" name="closed"
                NameTrans fn="assign-name" from="/a/b" name="open"
                NameTrans fn="assign-name" from="*.gif" name="open"
                Service fn="proxy-retrieve"
                </Object>
                <Object name="closed">
                PathCheck fn="deny-service"
                </Object>
                <Object name="open">
                Route fn="set-origin-server" server="http://127.0.0.1:%d"
                </Object>
                """.formatted(origin));
        int port = port(start(made));

        assertThat(ask(port, "GET", "/a/b").status()).isEqualTo(403);
        assertThat(ask(port, "GET", "/a/x.gif").status()).isEqualTo(403);
        assertThat(ask(port, "GET", "/b/x.gif").status()).isEqualTo(200);
    }

    /** A request never goes directly to its host where the source sends it through a proxy. */
    @Test
    void proxiesBehindTheSourceAreThoseOfTheRoutes() throws Exception {
        Migration made = migrate("""
                <Object name="default">
                NameTrans fn="assign-name" from="/direct/*" name="direct"
                NameTrans fn="assign-name" from="/socks/*" name="socks"
                Route fn="set-proxy-server" hostname="127.0.0.1" port="3128"
                Service fn="proxy-retrieve" method="*"
                </Object>
                <Object name="direct">
                Route fn="unset-proxy-server"
                </Object>
                <Object name="socks">
                Route fn="set-socks-server" hostname="127.0.0.1" port="1080"
                </Object>
                """);
        List<RouteConfig> routes = load(made).value().proxy().routes();

        assertThat(functions(routes, "/direct/")).startsWith("unset-proxy-server");
        assertThat(functions(routes, "/")).containsExactly("set-proxy-server");
        assertThat(routes).filteredOn(r -> r.path().startsWith("/socks")).allMatch(RouteConfig::deny);
        assertThat(made.left()).anyMatch(l -> l.contains("set-socks-server"));
    }

    private static List<String> functions(List<RouteConfig> routes, String path) {
        return routes.stream()
                .filter(r -> r.path().equals(path) && r.forward())
                .flatMap(r -> r.functions().stream())
                .map(FunctionRoute::name)
                .toList();
    }

    @Test
    void refusalUnderAConditionThatNoRouteHasAppliesAlways() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                <Object name="default">
                NameTrans fn="map" from="/" to="http://127.0.0.1:%d/"
                <If ($time_hour > 18)>
                PathCheck fn="deny-service"
                </If>
                Service fn="proxy-retrieve"
                </Object>
                """.formatted(origin));

        assertThat(ask(port(start(made)), "GET", "/").status()).isEqualTo(403);
        assertThat(made.left()).anyMatch(l -> l.startsWith("obj.conf:4: PathCheck fn=deny-service in a block"));
    }

    @Test
    void allMistakesAreReportedAtOnceWithTheirPlaces() throws Exception {
        Migration made = migrate("""
                <Object name="default">
                NameTrns fn="map" from="/" to="http://a/"
                Service method="*"
                </Object>
                """);

        assertThat(made.problems()).hasSize(2);
        assertThat(made.problems().getFirst().toString())
                .contains("obj.conf:2:1")
                .contains("NameTrans");
    }

    @Test
    void conditionsBecomeRoutesAlsoNested() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                <Object name="default">
                <If $urlhost = "*.shop.test" and $uri = "/admin/*">
                <Client method="(POST|PUT)">
                NameTrans fn="redirect" from="/" url="http://www.example.com/closed"
                </Client>
                PathCheck fn="deny-service"
                </If>
                <ElseIf $uri =~ "\\\\.(gif|png)$">
                NameTrans fn="assign-name" from="*" name="images"
                </ElseIf>
                <Else>
                <If $method eq "DELETE">
                PathCheck fn="deny-service"
                </If>
                </Else>
                Route fn="set-origin-server" server="http://127.0.0.1:%1$d"
                Service fn="proxy-retrieve" method="*"
                </Object>
                <Object name="images">
                Service fn="send-answer" body="image"
                </Object>
                """.formatted(origin));
        int port = port(start(made));

        assertThat(made.left()).isEmpty();
        assertThat(ask(port, "GET", "/admin/x", "Host: a.shop.test").status()).isEqualTo(403);
        assertThat(ask(port, "GET", "/admin/x.gif", "Host: a.shop.test").status())
                .isEqualTo(403);
        assertThat(ask(port, "GET", "/admin/x").body()).startsWith("GET /admin/x host=");
        assertThat(ask(port, "GET", "/x.png").body()).isEqualTo("image");
        assertThat(ask(port, "DELETE", "/x").status()).isEqualTo(403);
        assertThat(ask(port, "DELETE", "/admin/x", "Host: a.shop.test").status())
                .isEqualTo(403);
        assertThat(ask(port, "GET", "/x").status()).isEqualTo(200);
    }

    @Test
    void whatIsAskedOfClientsClosesAndIsTold() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                <Object name="default">
                <If $uri = "/office/*" and not $ip = "10.*">
                PathCheck fn="deny-service"
                </If>
                <Client dns="*.example.com">
                ObjectType fn="cache-disable"
                </Client>
                NameTrans fn="map" from="/" to="http://127.0.0.1:%1$d/"
                Service fn="proxy-retrieve" method="*"
                </Object>
                """.formatted(origin));
        int port = port(start(made));

        assertThat(ask(port, "GET", "/office/x").status()).isEqualTo(403);
        assertThat(ask(port, "GET", "/x").status()).isEqualTo(200);
        assertThat(made.left())
                .anyMatch(l -> l.startsWith("obj.conf:3: PathCheck fn=deny-service in a block"))
                .anyMatch(l -> l.startsWith("obj.conf:6: ObjectType fn=cache-disable in a block"));
    }

    @Test
    void viewsPoolsBucketsAndVariablesAreTranslated() throws Exception {
        int origin = origin();
        Files.writeString(dir.resolve("magnus.conf"), """
                Init fn="thread-pool-init" name="mine" maxthreads="2" queueSize="10"
                Init fn="define-perf-bucket" name="views" description="Views"
                """);
        Files.writeString(dir.resolve("server.xml"), """
                <?xml version="1.0"?>
                <SERVER><PROPERTY name="backend" value="127.0.0.1:%d"/><LS id="ls1" port="8081" ip="127.0.0.1"/></SERVER>
                """.formatted(origin));
        Migration made = migrate("""
                <Object name="default">
                NameTrans fn="assign-name" from="/.perf" name="perf"
                NameTrans fn="assign-name" from="/stats-xml" name="stats"
                NameTrans fn="assign-name" from="/.nsc" name="nsc"
                NameTrans fn="map" from="/" to="http://$backend/"
                Service fn="proxy-retrieve" method="*"
                </Object>
                <Object name="perf">
                Service fn="service-dump" bucket="views" pool="MINE"
                </Object>
                <Object name="stats">
                Service fn="stats-xml"
                </Object>
                <Object name="nsc">
                Service fn="service-nsc-dump"
                </Object>
                """);
        int port = port(start(made));

        assertThat(made.left()).isEmpty();
        assertThat(made.text()).contains("bucket: views").contains("work-manager: mine");
        assertThat(ask(port, "GET", "/.perf").body()).contains("proxyd pid");
        assertThat(ask(port, "GET", "/stats-xml").body()).contains("<stats ");
        assertThat(ask(port, "GET", "/.nsc").status()).isEqualTo(200);
        assertThat(ask(port, "GET", "/x").body()).startsWith("GET /x host=127.0.0.1:" + origin);
    }

    @Test
    void manyDirectivesAreTranslatedInTime() throws Exception {
        StringBuilder text = new StringBuilder("<Object name=\"default\">\n");
        for (int i = 0; i < 1_000; i++) {
            text.append("NameTrans fn=assign-name from=\"/a").append(i).append("/*\" name=\"x\"\n");
        }
        text.append("Service fn=proxy-retrieve method=\"*\"\n</Object>\n<Object name=\"x\">\n");
        text.append("Route fn=set-origin-server server=\"http://127.0.0.1:1\"\n</Object>\n");

        assertThat(load(migrate(text.toString())).value().proxy().routes()).hasSizeGreaterThan(1_000);
    }
}
