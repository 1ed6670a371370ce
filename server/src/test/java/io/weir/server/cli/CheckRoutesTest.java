package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code ./weir check} finds of routes and of hosts that are in each other's way, and where it has nothing to say. */
@Tag("slow")
final class CheckRoutesTest extends CheckFixture {
    private String warnings(String... routes) throws Exception {
        Result r = check(
                file("{port: 0}", data("") + "proxy:\n  routes:\n    - " + String.join("\n    - ", routes) + "\n"));
        assertThat(r.code()).as(r.toString()).isZero();
        return r.err();
    }

    @Test
    void checkWarnsOfRoutesThatCanNeverMatch() throws Exception {
        String ok = ", respond: {status: 200}}";
        assertThat(warnings("{path: /a" + ok, "{path: /a" + ok))
                .contains("warning: ")
                .contains("proxy.routes[1]: never matches: proxy.routes[0] takes all of its requests before it");
        assertThat(warnings("{path: /a/b" + ok, "{path: /a/*, path-match: wildcard" + ok))
                .contains("proxy.routes[0]: never matches: proxy.routes[1]");
        assertThat(warnings("{hosts: [a.example, b.example], path: /" + ok, "{hosts: [B.example], path: /" + ok))
                .contains("proxy.routes[1]: never matches");
        assertThat(warnings("{path: /x, methods: [GET, POST]" + ok, "{path: /x, methods: [POST]" + ok))
                .contains("proxy.routes[1]: never matches");
        assertThat(warnings("{path: /a/b" + ok, "{path: '/a/.*', path-match: regex" + ok))
                .contains("proxy.routes[0]: never matches: proxy.routes[1]");
        assertThat(warnings("{path: '/search?q=1'" + ok)).contains("never matches: a path ends before");
        assertThat(warnings("{path: /a/../b" + ok, "{path: /b" + ok))
                .as("dots are resolved in rules as in requests")
                .contains("proxy.routes[1]: never matches: proxy.routes[0] takes");
    }

    @Test
    void checkWarnsOfRoutesBehindPatternsThatTakeEverything() throws Exception {
        String ok = ", respond: {status: 200}}";
        for (String all :
                List.of("'/.*', path-match: regex", "'/*', path-match: wildcard", "'/[^?]*', path-match: regex")) {
            assertThat(warnings(
                            "{path: /api" + ok, "{path: " + all + ok, "{path: /img/*.png, path-match: wildcard" + ok))
                    .as(all)
                    .contains("proxy.routes[0]: never matches: proxy.routes[1] takes all of its requests before it")
                    .contains("proxy.routes[2]: never matches: proxy.routes[1] takes");
        }
        assertThat(warnings("{path: '/img/.*', path-match: regex" + ok, "{path: /img" + ok))
                .as("/img itself is left")
                .isEmpty();
        assertThat(warnings(
                        "{path: '/img/.*', path-match: regex" + ok,
                        "{path: /img, path-match: exact" + ok,
                        "{path: /img" + ok))
                .contains("proxy.routes[2]: never matches: proxy.routes[0] and proxy.routes[1] together take all");
        assertThat(warnings("{path: /a, methods: [GET]" + ok, "{path: /a, methods: [POST]" + ok))
                .isEmpty();
        assertThat(warnings(
                        "{path: '/a.*', path-match: regex, methods: [GET]" + ok,
                        "{path: '/a*', path-match: wildcard, methods: [POST]" + ok,
                        "{path: /a, methods: [GET, POST]" + ok))
                .contains("proxy.routes[2]: never matches: proxy.routes[0] and proxy.routes[1] together take all");
        assertThat(warnings("{path: '[a-z]*.html', path-match: wildcard" + ok))
                .contains("proxy.routes[0]: never matches: no path matches \"[a-z]*.html\": each begins with a slash");
    }

    @Test
    void thousandsOfRoutesAreCheckedAgainstEachOther() throws Exception {
        List<String> routes = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            routes.add("{path: /p" + i + ", respond: {status: 200}}");
        }
        for (int i = 0; i < 500; i++) {
            routes.add("{path: '/r" + i + "/[a-z]+[.](png|jpg)', path-match: regex, respond: {status: 200}}");
        }
        routes.add("{path: '/.*', path-match: regex, respond: {status: 200}}");
        assertThat(warnings(routes.toArray(String[]::new)).lines())
                .as("every prefix is behind it, every other expression before it")
                .hasSize(5000);
    }

    @Test
    void aPatternThatWouldLetThroughWhatItDeniesIsRefused() throws Exception {
        Result r = check(file(
                "{port: 0}", data("") + "proxy: {routes: [{path: '/%61dmin*', path-match: wildcard, deny: on}]}\n"));
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err()).contains("proxy.routes[0].path").contains("write that");
        assertThat(load(dir.resolve("weir.yaml")).usable())
                .as("a start refuses it, too")
                .isFalse();
    }

    @Test
    void whatARouteRunsUnderIsNamedAsTheConfigurationNamesIt() throws Exception {
        Result r = check(file(
                "{port: 0}", data("") + "proxy: {routes: [{path: /, work-manager: nope, respond: {status: 200}}]}\n"));
        assertThat(r.err()).contains("there is no work manager \"nope\". Known: default");
    }

    @Test
    void hostsOfVirtualServersAreLookedAt() throws Exception {
        for (String host : List.of("'x.y:80'", "'*'", "'http://x'", "'a b'", "'*.*.test'")) {
            Result r = check(file("{port: 0}", data("") + "virtual-servers: {v: {hosts: [" + host + "]}}\n"));
            assertThat(r.code()).as(host).isEqualTo(1);
            assertThat(r.err()).contains("virtual-servers.v.hosts: expected a host name, *.name");
        }
        assertThat(warnedOf(
                        "{port: 0}", data("") + "virtual-servers: {a: {hosts: [a.test]}, b: {hosts: ['A.TEST.']}}\n"))
                .as("dots behind a name do not count")
                .contains("virtual-servers.b.hosts: requests for a.test never reach it");
        assertThat(warnings("{hosts: ['X.A.test.'], path: /, respond: {status: 200}}"))
                .isEmpty();
    }

    @Test
    void checkWarnsOfHostsThatNeverComeToTheirVirtualServer() throws Exception {
        String shop = "virtual-servers: {shop: {hosts: [shop.test]}, two: {hosts: [two.test, SHOP.test]}}\n";
        assertThat(warnedOf("{port: 0}", data("") + shop))
                .contains("virtual-servers.two.hosts: requests for shop.test never reach it")
                .contains("the virtual server shop has them already")
                .doesNotContain("two.test never");
        String route = "proxy: {routes: [{virtual-server: shop, hosts: [%s], path: /, respond: {status: 200}}]}\n";
        String one = data("") + "virtual-servers: {shop: {hosts: [shop.test, '*.shop.test']}}\n";
        assertThat(warnedOf("{port: 0}", one + route.formatted("other.test")))
                .contains("proxy.routes[0]: never matches: no request for other.test reaches the virtual server shop");
        for (String host : List.of("shop.test", "SHOP.test", "a.shop.test", "'*.a.shop.test'", "'*.test'", "'*'")) {
            assertThat(warnedOf("{port: 0}", one + route.formatted(host)))
                    .as(host)
                    .isEmpty();
        }
        assertThat(warnedOf("{port: 0, virtual-server: shop}", one + route.formatted("other.test")))
                .as("it takes what nobody names")
                .isEmpty();
    }

    @Test
    void checkDoesNotWarnOfRoutesThatMay() throws Exception {
        String ok = ", respond: {status: 200}}";
        assertThat(warnings(
                        "{path: /" + ok,
                        "{path: /a" + ok,
                        "{path: /a, path-match: exact" + ok,
                        "{path: /a, methods: [POST]" + ok,
                        "{path: /a, hosts: ['*.example']" + ok,
                        "{path: /a, hosts: [x.example]" + ok,
                        "{path: '/b*', path-match: wildcard" + ok,
                        "{path: '.*[.]gif', path-match: regex" + ok,
                        "{path: /c/d" + ok,
                        "{path: /e, hosts: [x.example]" + ok,
                        "{path: /e, hosts: [x.example, y.example]" + ok,
                        "{forward: on}",
                        "{connect: {enabled: on}}"))
                .isEmpty();
    }

    @Test
    void routesOfOneVirtualServerTakeNothingFromAnother() throws Exception {
        Result r = check(file("{port: 0}", data("") + """
                virtual-servers: {a: {hosts: [a.example]}, b: {hosts: [b.example]}}
                proxy:
                  routes:
                    - {virtual-server: a, path: /, respond: {status: 200}}
                    - {virtual-server: b, path: /, respond: {status: 200}}
                    - {virtual-server: b, path: /, respond: {status: 404}}
                """));
        assertThat(r.code()).as(r.toString()).isZero();
        assertThat(r.err().lines())
                .singleElement()
                .asString()
                .contains("proxy.routes[2]: never matches: proxy.routes[1] takes all");
    }
}
