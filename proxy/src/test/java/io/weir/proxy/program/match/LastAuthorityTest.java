package io.weir.proxy.program.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LastAuthorityTest {
    private final LastAuthority last = new LastAuthority();

    private String of(String host, int port, boolean https) {
        byte[] bytes = ("Host: " + host + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        return last.of(bytes, 6, 6 + host.length(), port, https);
    }

    @Test
    void eachPartCounts() {
        assertThat(of("A.example", 80, false)).isEqualTo("a.example");
        assertThat(of("A.example", 8080, false)).isEqualTo("a.example:8080");
        assertThat(of("A.example", 80, true)).isEqualTo("a.example:80");
        assertThat(of("A.example", 443, true)).isEqualTo("a.example");
        assertThat(of("b.example", 443, true)).isEqualTo("b.example");
        assertThat(of("b.example.org", 443, true)).isEqualTo("b.example.org");
        assertThat(of("b.exampl", 443, true)).isEqualTo("b.exampl");
        assertThat(of("", 443, true)).isEmpty();
        assertThat(of("[::1]", 443, true)).isEqualTo("[::1]");
    }

    @Test
    void theSameAgainIsTheSameText() {
        String first = of("a.example", 8080, false);
        assertThat(of("a.example", 8080, false)).isSameAs(first);
        assertThat(of("", 80, false)).isEmpty();
        assertThat(of("a.example", 8080, false)).isSameAs(first);
    }

    /** It is right, but takes no more memory than a host name may. */
    @Test
    void whatNoHostNameCanBeIsNotKept() {
        String kept = of("a.example", 8080, false);
        String host = "x".repeat(256);
        assertThat(of(host, 8080, false)).isEqualTo(host + ":8080");
        assertThat(of("a.example", 8080, false)).isSameAs(kept);
        String longest = "x".repeat(255);
        assertThat(of(longest, 80, false)).isSameAs(of(longest, 80, false));
    }
}
