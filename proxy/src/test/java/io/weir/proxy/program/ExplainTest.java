package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.run.Program;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainTest {
    private static String explain(Bench bench, Explain.Question question) {
        return Explain.explain(bench.program(), question);
    }

    @Test
    void reverseRouteIsExplainedFromRuleToOrigin() {
        Bench bench =
                new Bench().route("path", "/shop", "origins", List.of("http://127.0.0.1:9000"), "rewrite-path", "/");
        assertThat(explain(bench, Explain.Question.get("http://www.example.com/shop/cart?a=b")))
                .isEqualTo("""
                        GET http://www.example.com/shop/cart?a=b from 127.0.0.1, listener http, virtual server default
                        NameTrans
                          default: fn=assign-name from="(/shop|/shop/*)" name="route-0"  [weir.yaml:7:3] -> PROCEED
                          route-0: fn=reverse-map from="/" to="/shop"  [weir.yaml:7:3] -> NOACTION
                          route-0: fn=map from="/shop" to="/"  [weir.yaml:7:3] -> PROCEED
                        PathCheck
                          default: fn=url-check  [proxy.routes] -> PROCEED
                        ObjectType
                          route-0: fn=cache-enable cache-auth="0"  [weir.yaml:7:3] -> NOACTION
                          route-0: fn=cache-setting connect-mode="normal"  [weir.yaml:7:3] -> NOACTION
                        Route
                          route-0: fn=set-origin-server server="http://127.0.0.1:9000" rewrite-host="false" rewrite-location="true" rewrite-content-location="true"  [weir.yaml:7:3] -> NOACTION
                        Service
                          route-0: fn=proxy-retrieve  [weir.yaml:7:3] -> PROCEED
                        Result: fetched from http://127.0.0.1:9000, target /cart?a=b
                        Cache: as configured
                        """);
    }

    @Test
    void refusalsAreExplained() {
        assertThat(explain(
                        new Bench(),
                        new Explain.Question(
                                "CONNECT", "www.example.com:443", Bench.address("192.0.2.1"), "http", false)))
                .contains("fn=check-destination port=\"443\"")
                .endsWith("Result: 403 This client may not use the proxy (client-forbidden)\n");
        assertThat(explain(new Bench().route("path", "/a", "deny", "on"), Explain.Question.get("/b")))
                .endsWith("Result: 404 Nothing is configured for this address (no-route)\n");
    }

    @Test
    void urlOfAnotherSchemeIsRejectedAsTheServerDoes() {
        for (String url : List.of("ftp://a/", "httpx://a/", "ws://a/b")) {
            for (boolean proxied : new boolean[] {false, true}) {
                assertThat(explain(
                                new Bench(),
                                new Explain.Question("GET", url, Bench.address("127.0.0.1"), "http", proxied)))
                        .isEqualTo(
                                "GET " + url + ": the request is rejected: the scheme of the request target is neither"
                                        + " http nor https\n");
            }
        }
        assertThat(explain(new Bench(), Explain.Question.get("HTTPS://a/")))
                .as("a scheme in capitals")
                .contains("Result: ");
    }

    @Test
    void otherActionsAreExplained() {
        assertThat(explain(new Bench(), Explain.Question.get("/x")))
                .contains("Result: the built-in demo origin answers");
        assertThat(explain(
                        new Bench(),
                        new Explain.Question(
                                "GET", "http://www.example.com/", Bench.address("127.0.0.1"), "http", true)))
                .contains(
                        "Result: fetched from www.example.com port 80, if the address that it resolves to is allowed");
        assertThat(explain(
                        new Bench().route("redirect", Bench.map("url", "http://x.example/")),
                        Explain.Question.get("/")))
                .contains("Result: redirect 302 to http://x.example/");
        assertThat(explain(new Bench().route("respond", Bench.map("status", 410)), Explain.Question.get("/")))
                .contains("Result: a fixed answer with status 410");
    }

    /** Who asks for the URL of a forward proxy's client is told how to. */
    @Test
    void aUrlThatOnlyTheForwardProxyAnswersSaysSo() throws Exception {
        Program forwards = new ObjConfBench().directives("Service fn=proxy-retrieve");
        Explain.Question question = Explain.Question.get("http://www.example.com/");
        assertThat(Explain.explain(forwards, question)).contains("(no-route)").endsWith(": --proxied\n");
        assertThat(explain(new Bench().route("path", "/a", "deny", "on"), question))
                .doesNotContain("--proxied");
    }

    @Test
    void malformedRequestsAreExplainedToo() {
        assertThat(explain(new Bench(), Explain.Question.get("/a b"))).contains("the request is rejected");
    }
}
