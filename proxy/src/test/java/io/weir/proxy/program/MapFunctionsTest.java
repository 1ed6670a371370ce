package io.weir.proxy.program;

import static io.weir.proxy.program.ObjConfBench.body;
import static io.weir.proxy.program.ObjConfBench.origin;
import static io.weir.proxy.program.ObjConfBench.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions of NameTrans as the Configuration File Reference documents them. */
class MapFunctionsTest {
    private static final String RETRIEVE = "\nService fn=proxy-retrieve";
    private final ObjConfBench bench = new ObjConfBench();

    @TempDir
    private Path files;

    /** The reference's example. */
    @Test
    void regexpMapReplacesTheMatchedBeginningOfTheUrl() {
        Program program = bench.program("""
                <Object name="default">
                NameTrans fn="regexp-map" from="http://www.example.com/.*bigfile.dat" to="http://bigserver/bigfile.dat" name="big"
                Service fn="proxy-retrieve"
                </Object>
                <Object name="big">
                </Object>
                """);
        ProgramRun run = bench.run(program, "GET /a/b/bigfile.dat?q");
        assertThat(origin(run)).isEqualTo("http://bigserver");
        assertThat(target(run)).isEqualTo("/bigfile.dat?q");
        assertThat(run.objectCount()).isEqualTo(2);
        assertThat(bench.run(program, "GET /a/b/smallfile.dat").fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    /** What Web Server 7.0's administration writes for a reverse proxy. */
    @Test
    void theRouteDecidesTheHostOfAUrlWithoutOne() {
        Program program = bench.program("""
                <Object name="default">
                NameTrans fn="map" from="/shop/" name="reverse-proxy-/shop" to="http:/app/"
                NameTrans fn="regexp-map" from="/u/([a-z]+)" name="reverse-proxy-/shop" to="http:/people/$$1"
                NameTrans fn="map" from="/plain" to="/else"
                </Object>
                <Object name="reverse-proxy-/shop">
                Route fn="set-origin-server" server="http://10.0.0.1:8000"
                </Object>
                <Object ppath="http:*">
                Service fn="proxy-retrieve" method="*"
                </Object>
                """);
        ProgramRun run = bench.run(program, "GET /shop/cart?q");
        assertThat(run.action()).isEqualTo(Action.Retrieve.REVERSE);
        assertThat(origin(run)).isEqualTo("http://10.0.0.1:8000");
        assertThat(target(run)).isEqualTo("/app/cart?q");
        assertThat(target(bench.run(program, "GET /u/ann"))).isEqualTo("/people/ann");
        assertThat(bench.run(program, "GET /plain/x").fault()).isEqualTo(ProxyFault.NO_ROUTE);
        assertThat(bench.run(program, "GET /other").objectCount()).isEqualTo(1);
        assertThat(bench.run(program, "GET /shop/..;/x").fault()).isEqualTo(ProxyFault.PATH_AMBIGUOUS);
        assertThat(bench.problems("NameTrans fn=map from=/ to=\"ftp:/\"")).anyMatch(p -> p.contains("ftp:/"));
    }

    @ParameterizedTest
    @CsvSource({
        "/u/anna/x, /users/anna/x",
        "/u/anna, /users/anna",
        "/u/an%20na/x?y, /users/an%20na/x?y",
        "/v/anna, /v/anna"
    })
    void regexpMapPutsGroupsIntoThePath(String path, String expected) {
        Program program = bench.directives("NameTrans fn=regexp-map from=\"/u/([^/]+)\" to=\"/users/$$1\"");
        assertThat(target(bench.run(program, "GET " + path))).isEqualTo(expected);
    }

    @Test
    void regexpMapLetsNoClientChooseTheOrigin() {
        assertThat(bench.problems("NameTrans fn=regexp-map from=\"/([^/]+)/\" to=\"http://$$1/\""))
                .singleElement()
                .asString()
                .contains("cannot depend on the request");
        assertThat(bench.problems("NameTrans fn=regexp-map from=\"/a(b)\" to=\"/$$2\""))
                .singleElement()
                .asString()
                .contains("group 2");
        assertThat(bench.problems("NameTrans fn=regexp-map from=\"/(a)\\\\1\" to=\"/\""))
                .singleElement()
                .asString()
                .contains("\"from\": back-references are not supported");
        assertThat(bench.problems("NameTrans fn=regexp-map from=\"/(?=a)\" to=\"/\""))
                .singleElement()
                .asString()
                .contains("\"from\": look-ahead and look-behind are not supported");
        assertThat(bench.problems("PathCheck fn=deny-service path=\"*a[\""))
                .singleElement()
                .asString()
                .contains("deny-service: parameter \"path\": ")
                .contains("of the pattern")
                .doesNotContain("expected");
        assertThat(bench.problems("NameTrans fn=regexp-map from=\"/a(b\" to=\"/\""))
                .singleElement()
                .asString()
                .contains("obj.conf:2")
                .contains("regular expression");
    }

    @Test
    void regexpMapCanKeepTheHost() {
        Program program =
                bench.directives("NameTrans fn=regexp-map from=\"/a.\" to=\"http://o/\" rewrite-host=\"false\"");
        ProgramRun run = bench.run(program, "GET /ab");
        assertThat(run.route()).isNotNull().matches(r -> !r.rewriteHost());
    }

    @Test
    void regexpMapTakesTheTimeThatTheTextTakes() {
        Program program = bench.directives("NameTrans fn=regexp-map from=\"/(a*)*b\" to=\"/x\"");
        String path = "/" + "a".repeat(4000);
        assertThat(target(bench.run(program, "GET " + path))).isEqualTo(path);
    }

    @Test
    void pacMapServesTheFileOfOnePath() throws IOException {
        Path pac = Files.writeString(files.resolve("proxy.pac"), "function FindProxyForURL() {}");
        Program program = bench.directives("NameTrans fn=pac-map from=/pac to=\"" + pac + "\" pauth=off");
        ProgramRun run = bench.run(program, "GET /pac");
        assertThat(run.action())
                .isInstanceOfSatisfying(
                        Action.Respond.class,
                        r -> assertThat(r.contentType()).isEqualTo("application/x-ns-proxy-autoconfig"));
        assertThat(body(run.action())).isEqualTo("function FindProxyForURL() {}");
        for (String other : new String[] {"GET /pac/x", "GET /pacx", "POST /pac", "GET http://www.example.com/pac"}) {
            assertThat(body(bench.run(program, other).action())).as(other).isEmpty();
        }
    }

    @Test
    void pacMapOfAnUrlIsForThatHostOnly() throws IOException {
        Path pac = Files.writeString(files.resolve("proxy.pac"), "pac");
        Program program = bench.directives("NameTrans fn=pac-map from=http://www.example.com/pac to=\"" + pac + "\"");
        assertThat(body(bench.run(program, "GET /pac").action())).isEqualTo("pac");
        assertThat(body(bench.run(program, "GET http://www.example.com/pac").action()))
                .isEqualTo("pac");
        assertThat(body(bench.run(program, "GET http://other.example/pac").action()))
                .isEmpty();
        assertThat(body(bench.run(program, "GET http://www.example.com:81/pac").action()))
                .isEmpty();
    }

    @Test
    void filesAreReadAtTheStartAndBounded() throws IOException {
        Path large = Files.write(files.resolve("large.pac"), new byte[(1 << 20) + 1]);
        assertThat(bench.problems("NameTrans fn=pac-map from=/p to=\"" + large + "\"")
                        .getFirst())
                .contains("larger than 1024 KiB");
        assertThat(bench.problems("NameTrans fn=pat-map from=/p to=\"" + files.resolve("none") + "\"")
                        .getFirst())
                .contains("cannot be read");
        assertThat(bench.problems("NameTrans fn=pac-map from=/p to=\"$uri\"").getFirst())
                .contains("must be a constant");
    }

    @Test
    void patMapServesATable() throws IOException {
        Path pat = Files.writeString(files.resolve("parent.pat"), "Proxy Array Information/1.0");
        Program program = bench.directives("NameTrans fn=pat-map from=/pat to=\"" + pat + "\"");
        assertThat(body(bench.run(program, "GET /pat").action())).startsWith("Proxy Array");
    }

    @Test
    void homePageNamesThePageOfTheRoot() {
        Program program =
                bench.directives("NameTrans fn=home-page path=homepage.html\nNameTrans fn=map from=/ to=http://o/base");
        assertThat(target(bench.run(program, "GET /"))).isEqualTo("/base/homepage.html");
        assertThat(target(bench.run(program, "GET /a"))).isEqualTo("/base/a");
        assertThat(bench.problems("NameTrans fn=home-page path=/srv/www/index.html")
                        .getFirst())
                .contains("files are not served here");
    }

    /** The reference's example: /dir1;param1/dir2 becomes /dir1/dir2. */
    @ParameterizedTest
    @CsvSource({"/dir1;param1/dir2, /dir1/dir2", "/a;x=1;y?q;r, /a?q;r", "/a/..;x/b, /b", "/a, /a"})
    void stripParamsComesBeforeWhatFollows(String path, String expected) {
        Program program =
                bench.directives("NameTrans fn=strip-params\nNameTrans fn=map from=/dir1/dir2 to=http://o/dir1/dir2");
        ProgramRun run = bench.run(program, "GET " + path);
        assertThat(target(run)).isEqualTo(expected);
        assertThat(run.route() != null).isEqualTo(expected.equals("/dir1/dir2"));
    }

    @Test
    void mapAndRedirectTakeTheUrlOfOneHost() {
        Program program = bench.directives("NameTrans fn=map from=http://www.example.com/a to=http://o/b\n"
                + "NameTrans fn=redirect from=http://www.example.com/r url-prefix=http://new/");
        assertThat(target(bench.run(program, "GET /a/x"))).isEqualTo("/b/x");
        assertThat(bench.run(program, "GET http://other.example/a/x").route()).isNull();
        assertThat(bench.run(program, "GET http://www.example.com:81/a/x").route())
                .isNull();
        assertThat(bench.run(program, "GET /r/x?q").location()).isEqualTo("http://new/x?q");
        assertThat(bench.run(program, "GET http://other.example/r/x").location())
                .isNull();
        assertThat(bench.problems("NameTrans fn=map from=a to=/b").getFirst()).contains("\"from\" is a path");
    }

    @Test
    void reverseMapsOfUrlsMapTheFirstThatCovers() {
        Program program = bench.directives("NameTrans fn=reverse-map from=http://o/app/ to=/shop/ rewrite-x-link=on\n"
                + "NameTrans fn=reverse-map from=http://o/ to=https://www.example.com/ rewrite-content-location=off\n"
                + "Route fn=set-origin-server server=http://o" + RETRIEVE);
        ProgramRun run = bench.run(program, "GET /");
        String self = "http://www.example.com";
        assertThat(run.rewriteLocation("http://O/app/x", self)).isEqualTo(self + "/shop/x");
        assertThat(run.rewriteLocation("http://o/appx", self)).isEqualTo("https://www.example.com/appx");
        assertThat(run.rewriteLocation("http://o", self)).isEqualTo("https://www.example.com");
        assertThat(run.rewriteLocation("http://other/app/x", self)).isNull();
        assertThat(run.rewriteContentLocation("http://o/app/x", self)).isEqualTo(self + "/shop/x");
        assertThat(run.rewriteFields()).containsExactly("x-link");
        assertThat(run.rewriteField("x-link", "http://o/app/", self)).isEqualTo(self + "/shop/");
        assertThat(bench.problems("NameTrans fn=reverse-map from=http://o/ to=/ rewrite-set-cookie=on")
                        .getFirst())
                .contains("domains of cookies are not mapped");
    }
}
