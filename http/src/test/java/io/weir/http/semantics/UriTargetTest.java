package io.weir.http.semantics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 4.2, RFC 3986. */
class UriTargetTest {

    private static UriTarget target(String uri) {
        return requireNonNull(UriTarget.parse(uri), uri);
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.com, http://example.com/",
        "HTTP://EXAMPLE.com:80/A, http://example.com/A",
        "https://example.com:443/, https://example.com/",
        "https://example.com:80/, https://example.com:80/",
        "http://example.com:443/, http://example.com:443/",
        "http://example.com?q, http://example.com/?q",
        "http://example.com/?, http://example.com/?",
        "http://example.com/%7Ea/%7ea/~a?%7E, http://example.com/~a/~a/~a?%7E",
        "http://example.com/a/../b/./c?/../d, http://example.com/b/c?/../d",
        "http://example.com/a/%2e%2e/b/%2E/c, http://example.com/b/c",
        "http://example.com/a%2fb/%41%2F, http://example.com/a%2Fb/A%2F",
        "http://example.com/%%37e, http://example.com/%%37e",
        "http://example.com/%4%31, http://example.com/%4%31",
        "http://example.com/%%%7e7e, http://example.com/%%%7E7e",
        "http://example.com./, http://example.com/",
        "http://example.com..:0080/, http://example.com/",
        "http://./, http://./",
        "http://example.com:08080/, http://example.com:8080/",
        "http://[2001:DB8::1]:8080/x, http://[2001:db8::1]:8080/x",
        "http://127.0.0.1:8080/x?a=1&b=2, http://127.0.0.1:8080/x?a=1&b=2",
        "ftp://example.com:21/f, ftp://example.com/f",
        "ws://example.com:80/f, ws://example.com/f",
        "http://example.com//, http://example.com//",
        "azAZ+-.09://h/, azaz+-.09://h/",
    })
    void hasOneNormalForm(String uri, String key) {
        assertThat(target(uri).cacheKey()).isEqualTo(key);
        assertThat(target(key)).isEqualTo(target(uri));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "*",
                "http:",
                "http:/a",
                "http://",
                "http:///a",
                "http://?q",
                "://a/",
                "1http://a/",
                "ht_tp://a/",
                "http//a/",
                "http://a/#f",
                "http://a#f",
                "http://u@a/",
                "http://u:p@a/",
                "http://a:b/",
                "http://a:/",
                "http://a:0/",
                "http://a:65536/",
                "http://a:080000/",
                "http://a,b/",
                "http://a%2eb/",
                "http://a b/",
                "http://a/b c",
                "http://a/\u00fc",
                "http://\u00fc/",
                "http://a/\u007f",
                "http://[::1/",
                "http://[::1]x/",
                "http://[fe80::1%25eth0]/",
                "http://[1:2:3]/",
                "http://[v1.a]/",
                "http://[]/",
                "http://a]/",
            })
    void refusesWhatIsNoAbsoluteUri(String uri) {
        assertThat(UriTarget.parse(uri)).isNull();
    }

    @Test
    void splitsPathAndQuery() {
        UriTarget target = target("http://example.com/a/b?c=d?e");
        assertThat(target.path()).isEqualTo("/a/b");
        assertThat(target.query()).isEqualTo("c=d?e");
        assertThat(target.port()).isEqualTo(80);
        assertThat(target.host()).isEqualTo("example.com");
        assertThat(target("http://example.com/a").query()).isNull();
        assertThat(target("http://example.com/a?").query()).isEmpty();
        assertThat(target("other://example.com/a").port()).isEqualTo(HostPort.NO_PORT);
    }

    @Test
    void aRequestInOriginFormTakesSchemeAndHostFromElsewhere() {
        assertThat(UriTarget.of("https", "Example.com:443", "/x?y"))
                .isEqualTo(UriTarget.parse("https://example.com/x?y"));
        assertThat(UriTarget.of("http", "example.com", "x")).isNull();
        assertThat(UriTarget.of("http", "example.com", "")).isNull();
        assertThat(UriTarget.of("http", "", "/")).isNull();
        assertThat(UriTarget.of("http", "a,b", "/")).isNull();
        assertThat(UriTarget.of("http", "example.com", "*")).isNotNull();
    }

    @Test
    void pathsDifferByCaseAndReservedCharactersAndEmptyQuery() {
        assertThat(target("http://a/B")).isNotEqualTo(target("http://a/b"));
        assertThat(target("http://a/%2F")).isNotEqualTo(target("http://a//"));
        assertThat(target("http://a/?%7E")).isNotEqualTo(target("http://a/?~"));
        assertThat(target("http://a/?")).isNotEqualTo(target("http://a/"));
    }

    @Test
    void anOriginIsSchemeHostAndPort() {
        UriTarget base = target("http://example.com/a");
        assertThat(base.sameOrigin(target("HTTP://EXAMPLE.COM:80/b"))).isTrue();
        assertThat(base.sameOrigin(target("https://example.com/a"))).isFalse();
        assertThat(base.sameOrigin(target("http://example.com:8080/a"))).isFalse();
        assertThat(base.sameOrigin(target("http://www.example.com/a"))).isFalse();
    }

    /** The examples of RFC 3986 5.4, without the fragments' text. */
    @ParameterizedTest
    @CsvSource({
        "g, http://a/b/c/g",
        "./g, http://a/b/c/g",
        "g/, http://a/b/c/g/",
        "/g, http://a/g",
        "//g, http://g/",
        "?y, http://a/b/c/d;p?y",
        "g?y, http://a/b/c/g?y",
        "#s, http://a/b/c/d;p?q",
        "g#s, http://a/b/c/g",
        "g?y#s, http://a/b/c/g?y",
        ";x, http://a/b/c/;x",
        "'', http://a/b/c/d;p?q",
        "., http://a/b/c/",
        "./, http://a/b/c/",
        ".., http://a/b/",
        "../, http://a/b/",
        "../g, http://a/b/g",
        "../.., http://a/",
        "../../g, http://a/g",
        "../../../g, http://a/g",
        "/./g, http://a/g",
        "/../g, http://a/g",
        "g., http://a/b/c/g.",
        "..g, http://a/b/c/..g",
        "./../g, http://a/b/g",
        "g/./h, http://a/b/c/g/h",
        "g/../h, http://a/b/c/h",
        "g;x=1/../y, http://a/b/c/y",
        "g?y/../x, http://a/b/c/g?y/../x",
        "https://other/x, https://other/x",
    })
    void resolvesReferencesAsTheRfcShows(String reference, String expected) {
        UriTarget resolved = target("http://a/b/c/d;p?q").resolve(reference);
        assertThat(resolved).isEqualTo(target(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mailto:a@b", "http:g", "//", "//u@h/", "a b", "/a\u00e9", "urn:x:y"})
    void referencesThatLeadNowhereAreNull(String reference) {
        assertThat(target("http://a/b").resolve(reference)).isNull();
    }

    @Test
    void aServersOwnTargetHasTheRootAsItsFolder() {
        UriTarget asterisk = requireNonNull(UriTarget.of("http", "a", "*"));
        assertThat(asterisk.resolve("g/../h")).isEqualTo(target("http://a/h"));
        assertThat(asterisk.resolve("/g")).isEqualTo(target("http://a/g"));
    }

    @Test
    void hostsKeepTheirPortOnlyWhenGiven() {
        HostPort plain = requireNonNull(HostPort.parse("Example.COM"));
        assertThat(plain.text()).isEqualTo("example.com");
        assertThat(plain.portOr(80)).isEqualTo(80);
        HostPort full = requireNonNull(HostPort.parse("[::FFFF:1.2.3.4]:8443"));
        assertThat(full.text()).isEqualTo("[::ffff:1.2.3.4]:8443");
        assertThat(full.portOr(80)).isEqualTo(8443);
        assertThat(HostPort.parse("")).isNull();
        assertThat(HostPort.parse("\u0131.example")).isNull();
    }
}
