package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a start suggests is answered. */
final class SuggestionsTest extends CheckFixture {
    @Test
    void nothingIsSuggestedThatNeedsAnotherProtocol() throws Exception {
        for (String listener : List.of("{port: 0, http2: only}", "{port: 0, proxy-protocol: {enabled: on}}")) {
            assertThat(Suggestions.of(load(file(listener, data(""))), "http://weir"))
                    .as(listener)
                    .isEmpty();
        }
    }

    private List<String> suggested(String routes) throws Exception {
        return Suggestions.of(load(file("{port: 0}", data("") + "proxy: {routes: [" + routes + "]}\n")), "http://weir");
    }

    @Test
    void startSuggestsOnlyWhatIsAnswered() throws Exception {
        String root = "curl -i http://weir/";
        String forward = "curl -x http://weir -i http://example.com/";
        Path sample = Path.of("../etc/weir.yaml");
        assertThat(Suggestions.of(load(sample), "http://weir")).containsExactly(root, forward);
        assertThat(suggested("")).as("the embedded routes").containsExactly(root, forward);
        assertThat(suggested("{forward: on}")).containsExactly(forward);
        assertThat(suggested("{path: /demo, demo: on}"))
                .as("the demo origin has no such page")
                .isEmpty();
        assertThat(suggested("{path: /, origins: [\"http://127.0.0.1:1\"]}"))
                .as("its origin would answer for any host, which is no forward proxy")
                .containsExactly(root);
        assertThat(suggested("{path: /shop, origins: [\"http://127.0.0.1:1\"]}"))
                .containsExactly(root + "shop");
        assertThat(suggested("{path: /, deny: on}, {path: /in, respond: {status: 200}}"))
                .containsExactly(root + "in");
        assertThat(suggested("{path: /, hosts: [a.example], respond: {status: 200}}"))
                .isEmpty();
        assertThat(suggested("{path: /, respond: {status: 404}}")).isEmpty();
        certificate("one");
        assertThat(Suggestions.of(load(file(tls("one.pem", "one.key"), data(""))), "http://weir"))
                .as("nobody answers without TLS")
                .isEmpty();
        assertThat(suggested("{path: /, auth: {basic: on}, respond: {status: 200}}"))
                .isEmpty();
    }
}
