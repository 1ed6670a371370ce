package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.origin.Origin;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RouteSourceTest {
    private static final List<String> ORIGIN = List.of("http://127.0.0.1:9000");

    private static String target(ProgramRun run) {
        ByteBuf out = Unpooled.buffer();
        run.writeTarget(out);
        String text = out.toString(StandardCharsets.ISO_8859_1);
        out.release();
        return text;
    }

    @Test
    void aRewrittenPathIsCutBehindTheNormalPrefix() {
        Bench bench = new Bench().route("path", "/%61pp", "rewrite-path", "/in", "origins", List.of("http://o"));
        assertThat(target(bench.run("GET /a%70p/x"))).isEqualTo("/in/x");
    }

    private static Bench marked(Bench bench, int status, Object... match) {
        Object[] all = new Object[match.length + 2];
        System.arraycopy(match, 0, all, 0, match.length);
        all[match.length] = "respond";
        all[match.length + 1] = Bench.map("status", status, "body", "x");
        return bench.route(all);
    }

    private static int mark(ProgramRun run) {
        return run.action() instanceof Action.Respond r ? r.status() : -1;
    }

    @Test
    void withoutRoutesTheDemoOriginAnswers() {
        assertThat(new Bench().run("GET /").action()).isEqualTo(Action.Builtin.DEMO);
    }

    @Test
    void withoutRoutesClientsOnThisMachineHaveAForwardProxy() {
        Bench bench = new Bench();
        assertThat(bench.run("GET http://www.example.com/x").action()).isEqualTo(Action.Retrieve.FORWARD);
        assertThat(bench.run(Bench.host("CONNECT www.example.com:443", "www.example.com:443"))
                        .action())
                .isEqualTo(Action.Retrieve.TUNNEL);
    }

    @Test
    void withoutRoutesStrangersHaveNoForwardProxy() {
        Bench bench = new Bench();
        ProgramRun run = bench.run(bench.program(), "GET http://www.example.com/x", "192.0.2.1");
        assertThat(run.fault()).isEqualTo(ProxyFault.CLIENT_FORBIDDEN);
        assertThat(run.action()).isNull();
        assertThat(bench.stats.value(ProxyStats.DESTINATIONS_REFUSED, "client")).isEqualTo(1);
    }

    @Test
    void withRoutesThereIsNoForwardProxyUnlessOneIsAsked() {
        Bench bench = new Bench().route("hosts", List.of("a.example"), "origins", ORIGIN);
        assertThat(bench.run("GET http://www.example.com/x").fault()).isEqualTo(ProxyFault.NO_ROUTE);
        assertThat(bench.run(Bench.host("CONNECT a.example:443", "a.example:443"))
                        .fault())
                .isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void prefixMatchesWholeSegmentsOnly() {
        Bench bench = marked(new Bench(), 201, "path", "/shop");
        assertThat(mark(bench.run("GET /shop"))).isEqualTo(201);
        assertThat(mark(bench.run("GET /shop/cart?x=1"))).isEqualTo(201);
        assertThat(mark(bench.run("GET /shop?x=1"))).isEqualTo(201);
        assertThat(bench.run("GET /shopping").fault()).isEqualTo(ProxyFault.NO_ROUTE);
        assertThat(bench.run("GET /sho").fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void prefixThatEndsInASlashDoesNotMatchWithoutIt() {
        Bench bench = marked(new Bench(), 201, "path", "/shop/");
        assertThat(mark(bench.run("GET /shop/"))).isEqualTo(201);
        assertThat(mark(bench.run("GET /shop/x"))).isEqualTo(201);
        assertThat(bench.run("GET /shop").fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void longestPrefixWinsWhateverTheOrder() {
        Bench bench = new Bench();
        marked(bench, 201, "path", "/");
        marked(bench, 202, "path", "/a");
        marked(bench, 203, "path", "/a/b");
        assertThat(mark(bench.run("GET /a/b/c"))).isEqualTo(203);
        assertThat(mark(bench.run("GET /a/c"))).isEqualTo(202);
        assertThat(mark(bench.run("GET /c"))).isEqualTo(201);
    }

    @Test
    void exactPathWinsOverPatternsAndPatternsOverPrefixes() {
        Bench bench = new Bench();
        marked(bench, 201, "path", "/a/b");
        marked(bench, 202, "path", "/a/*", "path-match", "wildcard");
        marked(bench, 203, "path", "/a/b", "path-match", "exact");
        marked(bench, 204, "path", "/z[0-9]+", "path-match", "regex");
        assertThat(mark(bench.run("GET /a/b"))).isEqualTo(203);
        assertThat(mark(bench.run("GET /a/b/c"))).isEqualTo(202);
        assertThat(mark(bench.run("GET /z42"))).isEqualTo(204);
        assertThat(bench.run("GET /z42x").fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void mostSpecificHostWins() {
        Bench bench = new Bench();
        marked(bench, 201);
        marked(bench, 202, "hosts", List.of("*.example.com"));
        marked(bench, 203, "hosts", List.of("*.a.example.com"));
        marked(bench, 204, "hosts", List.of("www.a.example.com"));
        assertThat(mark(bench.run(Bench.host("GET /", "WWW.A.example.com:8080"))))
                .isEqualTo(204);
        assertThat(mark(bench.run(Bench.host("GET /", "x.a.example.com")))).isEqualTo(203);
        assertThat(mark(bench.run(Bench.host("GET /", "x.example.com.")))).isEqualTo(202);
        assertThat(mark(bench.run(Bench.host("GET /", "example.com")))).isEqualTo(201);
        assertThat(mark(bench.run(Bench.host("GET /", "notexample.com")))).isEqualTo(201);
    }

    @Test
    void methodsNarrowARouteAndGetIncludesHead() {
        Bench bench = new Bench();
        marked(bench, 201, "methods", List.of("GET"));
        marked(bench, 202, "methods", List.of("FROB"));
        assertThat(mark(bench.run("GET /"))).isEqualTo(201);
        assertThat(mark(bench.run("HEAD /"))).isEqualTo(201);
        assertThat(mark(bench.run("FROB /"))).isEqualTo(202);
        assertThat(bench.run("POST /").fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void virtualServerNarrowsARoute() {
        Bench bench = new Bench();
        bench.servers = Map.of("shop", new VirtualServerConfig(List.of("shop.example"), List.of()));
        marked(bench, 201);
        marked(bench, 202, "virtual-server", "shop");
        assertThat(mark(bench.run(Bench.host("GET /", "shop.example")))).isEqualTo(202);
        assertThat(mark(bench.run(Bench.host("GET /", "other.example")))).isEqualTo(201);
    }

    @Test
    void originsAreTheRoutesServers() {
        Bench bench = new Bench().route("origins", List.of("http://a:1", "https://b:2"));
        Program program = bench.program();
        ProgramRun run = bench.run(program, "GET /", "127.0.0.1");
        assertThat(run.action()).isEqualTo(Action.Retrieve.REVERSE);
        OriginRoute route = Objects.requireNonNull(run.route());
        assertThat(route.origins()).containsExactly(new Origin(false, "a", 1), new Origin(true, "b", 2));
        assertThat(program.originRoutes()).containsExactly(route);
        assertThat(route.poolName()).isNull();
    }

    @Test
    void pathPrefixIsRewrittenForTheOriginAndBack() {
        Bench bench = new Bench().route("path", "/shop", "rewrite-path", "/", "origins", ORIGIN);
        ProgramRun run = bench.run("GET /shop/cart?a=b");
        assertThat(target(run)).isEqualTo("/cart?a=b");
        assertThat(target(bench.run("GET /shop"))).isEqualTo("/");
        assertThat(run.rewriteLocation("http://127.0.0.1:9000/done", "https://www.example.com"))
                .isEqualTo("https://www.example.com/shop/done");
        assertThat(run.rewriteLocation("/done", "https://www.example.com")).isEqualTo("/shop/done");
        assertThat(run.rewriteLocation("http://elsewhere/done", "https://www.example.com"))
                .isNull();
    }

    @Test
    void pathIsPassedOnAsItIsWhereNothingRewritesIt() {
        Bench bench = new Bench().route("origins", ORIGIN);
        assertThat(target(bench.run("GET /a//b;x?c=%2f"))).isEqualTo("/a//b;x?c=%2f");
        assertThat(target(bench.run("OPTIONS *"))).isEqualTo("*");
    }

    @Test
    void locationIsLeftAloneWhenTurnedOff() {
        Bench bench = new Bench().route("origins", ORIGIN, "rewrite-location", "off");
        assertThat(bench.run("GET /").rewriteLocation("http://127.0.0.1:9000/x", "http://h"))
                .isNull();
    }

    @Test
    void redirectKeepsWhatFollowsThePrefixAndTheQuery() {
        Bench bench = new Bench()
                .route("path", "/old", "redirect", Bench.map("url-prefix", "https://new.example/n", "status", 308));
        ProgramRun run = bench.run("GET /old/a?b=c");
        assertThat(run.action()).isEqualTo(new Action.Redirect(308));
        assertThat(run.location()).isEqualTo("https://new.example/n/a?b=c");
        assertThat(run.cache()).isNull();
    }

    @Test
    void denyRefuses() {
        Bench bench = new Bench().route("path", "/admin", "deny", "on");
        assertThat(bench.run("GET /admin/x").fault()).isEqualTo(ProxyFault.DENIED);
    }

    @Test
    void cacheSettingsOfARouteReachTheRun() {
        Bench bench = new Bench()
                .route("path", "/a", "origins", ORIGIN, "cache", Bench.map("enabled", "off"))
                .route("path", "/b", "origins", ORIGIN, "cache", Bench.map("max-uncheck", "1m", "query-maxlen", 7));
        assertThat(bench.run("GET /a").route()).isNotNull();
        Program program = bench.program();
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(Bench.request(program, "GET /a", "127.0.0.1"), program);
        assertThat(run.cache()).isNull();
        run.start(Bench.request(program, "GET /b", "127.0.0.1"), program);
        CacheTerms cache = Objects.requireNonNull(run.cache());
        assertThat(cache.maxUncheckMillis()).isEqualTo(60_000);
        assertThat(cache.queryMaxlen()).isEqualTo(7);
    }

    @Test
    void whatARouteDoesNotSayOfItsCacheIsLeftToTheSectionCache() {
        assertThat(terms(Bench.map())).isEqualTo(CacheTerms.DEFAULT);
        assertThat(terms(Bench.map(
                        "max-uncheck",
                        "0s",
                        "lm-factor",
                        "0.5",
                        "cover-errors",
                        "2m",
                        "term-percent",
                        "60",
                        "min-size",
                        "1", //
                        "max-size",
                        "2KiB",
                        "connect-mode",
                        "fast-demo",
                        "ignore",
                        List.of("private", "reload"))))
                .isEqualTo(new CacheTerms(
                        -1,
                        1,
                        2048,
                        0,
                        0.5,
                        120,
                        60,
                        CacheTerms.ConnectMode.FAST_DEMO,
                        false,
                        Set.of(CacheTerms.Ignored.PRIVATE, CacheTerms.Ignored.RELOAD)));
    }

    private static CacheTerms terms(Map<String, Object> cache) {
        Bench bench = new Bench().route("origins", ORIGIN, "cache", cache);
        Program program = bench.program();
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(Bench.request(program, "GET /", "127.0.0.1"), program);
        return Objects.requireNonNull(run.cache());
    }

    @Test
    void headersAndTimeOutsOfARouteReachTheRun() {
        Bench bench = new Bench()
                .route(
                        "origins", ORIGIN,
                        "set-request-headers", Bench.map("X-A", "1"),
                        "remove-response-headers", List.of("Server"),
                        "time-outs", Bench.map("connect", "250ms"));
        ProgramRun run = bench.run("GET /");
        assertThat(Objects.requireNonNull(run.requestEdits()).set()).containsEntry("X-A", "1");
        assertThat(Objects.requireNonNull(run.responseEdits()).remove()).containsExactly("Server");
        assertThat(Objects.requireNonNull(run.timeOuts()).connect()).isEqualTo(250_000_000);
    }

    @Test
    void absoluteFormReachesAReverseRouteThatNamesItsHost() {
        Bench bench = new Bench()
                .route("hosts", List.of("www.example.com"), "origins", ORIGIN)
                .route("forward", "on");
        assertThat(bench.run("GET http://www.example.com/x").action()).isEqualTo(Action.Retrieve.REVERSE);
        assertThat(bench.run(Bench.host("GET http://other.example/x", "other.example"))
                        .action())
                .isEqualTo(Action.Retrieve.FORWARD);
    }

    @Test
    void aPseudonymThatCannotStandInViaIsRefused() {
        assertThat(new Bench().set("via-pseudonym", "Weir 7").problems())
                .singleElement()
                .satisfies(p -> assertThat(p.key()).isEqualTo("proxy.via-pseudonym"));
        assertThat(new Bench().set("via-pseudonym", "cache.example.com:80").problems())
                .isEmpty();
    }

    @Test
    void aWrongPathHidesNoOtherProblemOfItsRoute() {
        Bench bench = new Bench()
                .route(
                        "path",
                        "shop",
                        "origins",
                        List.of("htp://a b", "http://a/path"),
                        "rewrite-path",
                        "/",
                        "set-request-headers",
                        Bench.map("Content-Length", "1"))
                .route("path", "[", "path-match", "regex", "respond", Bench.map("status", "99"));
        assertThat(bench.problems())
                .extracting(p -> p.key() + " " + p.what())
                .satisfiesExactly(
                        p -> assertThat(p).contains("routes[0].path").contains("begins with a slash"),
                        p -> assertThat(p)
                                .contains("\"server\": expected an origin")
                                .contains("htp://a b"),
                        p -> assertThat(p)
                                .contains("\"server\": expected an origin")
                                .contains("http://a/path"),
                        p -> assertThat(p).contains("Content-Length"),
                        p -> assertThat(p).contains("routes[1].path").contains("\"[\""),
                        p -> assertThat(p).contains("routes[1].respond.status").contains("200 to 599"));
    }

    @Test
    void everyProblemIsToldWithItsPlace() {
        Bench bench = new Bench()
                .route("path", "/a")
                .route("deny", "on", "demo", "on")
                .route("path", "nope", "deny", "on")
                .route("origins", List.of("ftp://x"))
                .route("deny", "on", "virtual-server", "defualt")
                .route("deny", "on", "hosts", List.of("a b"))
                .route("deny", "on", "methods", List.of("G T"))
                .route("deny", "on", "path", "/(", "path-match", "regex")
                .route("deny", "on", "rewrite-path", "/")
                .route("origins", ORIGIN, "set-request-headers", Bench.map("Content-Length", "1"))
                .route("path", "/*", "path-match", "wildcard", "redirect", Bench.map("url-prefix", "http://x"))
                .route("connect", Bench.map("enabled", "on", "ports", List.of("http")));
        assertThat(bench.problems()).allSatisfy(p -> assertThat(p.at()).isEqualTo(Bench.AT));
        assertThat(bench.problems().stream()
                        .map(p -> p.key().replaceAll("\\D+", ""))
                        .distinct())
                .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11");
        assertThat(bench.problems().get(0).what()).contains("found none");
        assertThat(bench.problems().get(4).what()).contains("did you mean \"default\"?");
    }
}
