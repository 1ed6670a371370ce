package io.weir.proxy.program;

import static io.weir.proxy.program.ObjConfBench.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of PathCheck, ObjectType, Route and DNS as the Configuration File Reference documents them. */
class FilterFunctionsTest {
    private final ObjConfBench bench = new ObjConfBench();

    @TempDir
    private Path files;

    /** The reference's example: a filter by name, an expression over URLs. */
    @Test
    void urlFilterTakesNamesOfInitUrlFilterAndUrls() throws IOException {
        Path good = Files.writeString(files.resolve("good"), "# hosts\nhttp://www\\.iplanet\\.com/.*\n\n/open/.*\n");
        Program program = bench.program("Init fn=\"init-url-filter\" filt1=\"" + good + "\"\n" + """
                <Object name="default">
                PathCheck fn="url-filter" allow="filt1" deny=".*://.*.iplanet.com/.*"
                Service fn=send-answer
                </Object>
                """);
        assertThat(bench.run(program, "GET http://www.iplanet.com/x").fault()).isNull();
        assertThat(bench.run(program, "GET http://ads.iplanet.com/x").fault()).isEqualTo(ProxyFault.DENIED);
        assertThat(bench.run(program, "GET http://ads.iplanet.com/open/x").fault())
                .isEqualTo(ProxyFault.DENIED);
        assertThat(bench.run(program, "GET /open/x").fault()).isNull();
        assertThat(bench.run(program, "GET http://other.example/x").fault()).isNull();
    }

    @Test
    void noSpellingOfAUrlPassesTheFilter() {
        Program program = bench.directives("PathCheck fn=url-filter deny=\"http://www.example.com/ads/.*\"");
        for (String path : new String[] {"/ads/x", "/%61ds/x", "/x/../ads/y"}) {
            assertThat(bench.run(program, "GET " + path).fault()).as(path).isEqualTo(ProxyFault.DENIED);
        }
        assertThat(bench.run(program, "GET /adsx").fault()).isNull();
    }

    /** Also none that origins read in another way than Weir. */
    @Test
    void noInterpretationOfAUrlPassesTheFilter() {
        Program deny = bench.directives("PathCheck fn=url-filter deny=\"http://[^/]*/filter/.*\"");
        for (String path : new String[] {
            "/filter/f",
            "//filter/f",
            "/filter%2Ff",
            "/x/..;/filter/f",
            "/%5cfilter/f",
            "/x/%2e%2e/filter/f",
            "/filter;a=b/f",
            "/;a/filter/f"
        }) {
            assertThat(bench.run(deny, "GET " + path).fault()).as(path).isEqualTo(ProxyFault.DENIED);
        }
        for (String url : new String[] {"http://A.test/", "http://a.test./", "http://a.test:80/", "http://a.test/"}) {
            assertThat(bench.run(bench.directives("PathCheck fn=url-filter deny=\"http://a\\.test/.*\""), "GET " + url)
                            .fault())
                    .as(url)
                    .isEqualTo(ProxyFault.DENIED);
        }
        Program address = bench.directives("PathCheck fn=url-filter deny=\"http://192\\.0\\.2\\.9(:8080)?/.*\"");
        for (String url : new String[] {
            "http://192.0.2.9/x",
            "http://[::ffff:192.0.2.9]/x",
            "http://192.0.2.011:8080/x",
            "http://[64:ff9b::c000:209]:8080/"
        }) {
            assertThat(bench.run(address, "GET " + url).fault()).as(url).isEqualTo(ProxyFault.DENIED);
        }
        assertThat(bench.run(address, "GET http://192.0.2.10/x").fault()).isNull();
        Program allow = bench.directives("PathCheck fn=url-filter allow=\"http://[^/]*/open/.*\"");
        assertThat(bench.run(allow, "GET /open/x").fault()).isNull();
        assertThat(bench.run(allow, "GET /open/..;/secret").fault()).isEqualTo(ProxyFault.DENIED);
    }

    @ParameterizedTest
    @CsvSource({
        "blocked.test:443",
        "connect://blocked.test:443",
        "connect://blocked.*",
        "https://blocked.test/",
        "https://blocked.*",
        "http://blocked.test:443/"
    })
    void noSpellingOfATunnelPassesTheFilter(String deny) {
        Program program = bench.directives("PathCheck fn=url-filter deny=\"" + deny + "\"");
        for (String host :
                new String[] {"blocked.test:443", "BLOCKED.test:443", "blocked.test.:443", "blocked.test:0443"}) {
            assertThat(bench.run(program, "CONNECT " + host).fault()).as(host).isEqualTo(ProxyFault.DENIED);
        }
        assertThat(bench.run(program, "CONNECT open.test:443").fault()).isNotEqualTo(ProxyFault.DENIED);
    }

    @Test
    void aBongFileIsTheAnswerUnlessErrorHasAnother() throws IOException {
        Path page = Files.writeString(files.resolve("bong.html"), " <p>No.</p>");
        String check = "PathCheck fn=url-filter deny=\"/ads.*\" bong-file=\"" + page + "\"";
        Program program = bench.directives(check);
        ProgramRun run = bench.run(program, "GET /ads");
        assertThat(run.fault()).isEqualTo(ProxyFault.DENIED);
        assertThat(run.error(Objects.requireNonNull(run.fault()))).isEqualTo(RunState.READY);
        assertThat(run.action()).isInstanceOfSatisfying(Action.Respond.class, r -> {
            assertThat(r.status()).isEqualTo(403);
            assertThat(r.contentType()).startsWith("text/html");
        });
        assertThat(body(run.action())).contains("No.");
        // another fault, later
        assertThat(run.error(ProxyFault.OVERLOAD)).isEqualTo(RunState.FAILED);
        ProgramRun other = bench.run(bench.directives(check + "\nError fn=set-variable url=/sorry"), "GET /ads");
        other.error(ProxyFault.DENIED);
        assertThat(other.action()).isEqualTo(new Action.Redirect(302));
        assertThat(bench.problems("PathCheck fn=ssl-check bong-file=/none").getFirst())
                .contains("/none cannot be read: no such file or folder");
    }

    @Test
    void sslCheckRefusesPlainConnections() {
        Program program = bench.directives("PathCheck fn=ssl-check secret-keysize=128");
        assertThat(bench.run(program, "GET /").fault()).isEqualTo(ProxyFault.CIPHER_WEAK);
    }

    @Test
    void denyExistenceIsNotFound() {
        Program program = bench.directives("PathCheck fn=deny-existence path=\"/private/*\"");
        assertThat(bench.run(program, "GET /private/x").faultStatus()).isEqualTo(404);
        assertThat(bench.run(program, "GET /public").fault()).isNull();
        assertThat(bench.run(bench.directives("PathCheck fn=deny-existence"), "GET /")
                        .faultStatus())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"PathCheck fn=deny-existence path", "PathCheck fn=require-auth path"})
    void aPathThatOriginsReadInAnotherWayPassesNoCondition(String check) {
        Program program = bench.directives(check + "=\"/private/*\"");
        assertThat(bench.run(program, "GET /private%2Fx").fault()).isEqualTo(ProxyFault.PATH_AMBIGUOUS);
        assertThat(bench.run(program, "GET /public%2Fx").fault()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "force-type type=text/plain | /a | text/plain",
                "force-type type=magnus-internal/x enc=x-gzip lang=en_US | /a | magnus-internal/x",
                "force-type lang=en_US | /a | ''",
                "type-by-extension | /a/b.HTML | text/html",
                "type-by-extension | /a.b/c | ''",
                "type-by-extension | /a.nothing | ''",
                "type-by-exp exp=\"*.test\" type=application/html | /x.test | application/html",
                "type-by-exp exp=\"*.test\" type=application/html | /x.tes | ''"
            })
    void typesSelectServices(String function, String path, String type) {
        ProgramRun run = bench.run(bench.directives("ObjectType fn=" + function), "GET " + path);
        assertThat(Objects.requireNonNullElse(run.type(), "")).isEqualTo(type);
    }

    @Test
    void theFirstTypeStays() {
        Program program = bench.directives("ObjectType fn=type-by-extension\nObjectType fn=force-type type=text/x\n"
                + "Service fn=demo-origin type=text/html");
        assertThat(bench.run(program, "GET /a.html").action()).isEqualTo(Action.Builtin.DEMO);
        assertThat(bench.run(program, "GET /a").action()).isInstanceOf(Action.Respond.class);
    }

    @Test
    void typesAreReadFromATable() throws IOException {
        Path sun = Files.writeString(
                files.resolve("mime.types"), "#--Sun\ntype=text/one  exts=one,uno\ntext/two two duo\ntype=x exts=y\n");
        Program program = bench.directives("ObjectType fn=type-by-extension file=\"" + sun + "\"");
        assertThat(bench.run(program, "GET /a.uno").type()).isEqualTo("text/one");
        assertThat(bench.run(program, "GET /a.duo").type()).isEqualTo("text/two");
        assertThat(bench.run(program, "GET /a.html").type()).isNull();
    }

    @Test
    void unsetOriginServerKeepsTheOriginsOfLessSpecificObjectsAway() {
        Program program = bench.program("""
                <Object name="default">
                NameTrans fn="assign-name" from="/direct*" name="direct"
                Route fn="set-origin-server" server="http://o" rewrite-x-link="on"
                Service fn="proxy-retrieve"
                </Object>
                <Object name="direct">
                Route fn="unset-origin-server"
                Route fn="unset-proxy-server"
                Route fn="unset-socks-server"
                </Object>
                """);
        assertThat(bench.run(program, "GET /direct").fault()).isEqualTo(ProxyFault.NO_ROUTE);
        ProgramRun run = bench.run(program, "GET /x");
        assertThat(run.action()).isEqualTo(Action.Retrieve.REVERSE);
        assertThat(run.rewriteFields()).containsExactly("x-link");
    }

    @Test
    void aProgramThatOnlyUnsetsForwards() {
        Program program = bench.program("""
                <Object name="default">
                Route fn="unset-proxy-server"
                Service fn="proxy-retrieve"
                </Object>
                """);
        ProgramRun run = bench.run(program, "GET http://www.example.com/");
        assertThat(run.action()).isEqualTo(Action.Retrieve.FORWARD);
        assertThat(run.keyed()).isTrue();
    }

    @Test
    void whatTheHttpClientDoesAnywayIsAccepted() {
        Program program = bench.directives("ObjectType fn=http-client-config keep-alive=true keep-alive-timeout=29"
                + " always-use-keep-alive=false protocol=HTTP/1.1 proxy-agent=x timeout=300 connect-timeout=20"
                + " transmit-timeout=60 parse-timeout=10 poll-interval=5 retries=3 reformat-request-headers=false"
                + " tunnel-non-http-response=false always-allow-chunked=false via=on cache-info=off\n"
                + "ObjectType fn=ssl-client-config validate-server-cert=true\nObjectType fn=http-config keep-alive=on\n"
                + "ObjectType fn=java-ip-check status=off\nDNS fn=dns-config local-domain-levels=2\n"
                + "PathCheck fn=unix-uri-clean\nPathCheck fn=nt-uri-clean\nObjectType fn=block-cache-info");
        ProgramRun run = bench.run(program, "GET /");
        assertThat(run.fault()).isNull();
        assertThat(Objects.requireNonNull(run.timeOuts()).connect()).isEqualTo(20_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ObjectType fn=http-client-config keep-alive=off | proxy.origin-pool",
                "ObjectType fn=http-client-config protocol=HTTP/1.0 | HTTP/1.1",
                "ObjectType fn=http-client-config tunnel-non-http-response=on | 502",
                "ObjectType fn=ssl-client-config validate-server-cert=off | proxy.origin-tls",
                "ObjectType fn=ssl-client-config client-cert-nickname=x | proxy.origin-tls",
                "ObjectType fn=java-ip-check | applets",
                "ObjectType fn=cache-setting exclude=x | RFC 9111",
                "Route fn=set-origin-server server=http://o rewrite-set-cookie=on | domains of cookies",
                "Route fn=set-origin-server server=http://o rewrite-x-link=maybe | on or off",
                "AuthTrans fn=proxy-auth dbm=/usr/ns-home/userdb | ./weir passwd",
                "AuthTrans fn=basic-auth auth-type=digest | one of basic",
                "AuthTrans fn=basic-ncsa userfile=/x grpfile=/y | ./weir passwd",
                "Route fn=set-proxy-server hostname=proxy.netscape.com | belong together",
                "Route fn=set-proxy-server | needs",
                "Route fn=set-proxy-server server=http://p:1 hostname=p port=1 | either",
                "Route fn=set-proxy-server server=http://p:1/x | expected an origin",
                "Route fn=pa-set-parent-route | proxy arrays",
                "PathCheck fn=check_acl acl=x | ACL files",
                "ObjectType fn=nothing-known | unknown function"
            })
    void whatIsNotDoneStopsTheStartWithItsReason(String directive, String reason) {
        assertThat(bench.problems(directive))
                .singleElement()
                .asString()
                .contains("obj.conf:2:")
                .contains(reason);
    }
}
