package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.weir.proxy.program.run.ProxyFault;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorPagesTest {
    private static final ErrorPages PAGES = new ErrorPages("Weir/0.1");

    private static String body(ProxyFault fault, @Nullable String detail, String id, @Nullable String accept) {
        ErrorPages.Page page = PAGES.page(UnpooledByteBufAllocator.DEFAULT, fault, detail, id, accept);
        String text = page.body().toString(StandardCharsets.UTF_8);
        page.body().release();
        return page.contentType() + "\n" + text;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | HTML",
                "application/problem+json | PROBLEM",
                "application/json | PROBLEM",
                "application/json;q=0.5, text/html;q=0.4 | PROBLEM",
                "application/json;q=0.4, text/html;q=0.5 | HTML",
                "text/plain | TEXT",
                "TEXT/HTML | HTML",
                "*/* | TEXT",
                "text/* | HTML",
                "image/png | TEXT",
                "text/html;q=0 | TEXT",
                "text/html;q=nonsense | TEXT",
                ",;,;q | TEXT",
            })
    void formFollowsAccept(String accept, ErrorPages.Form form) {
        assertThat(ErrorPages.choose(accept)).isEqualTo(form);
    }

    @Test
    void withoutAcceptTheAnswerIsPlainText() {
        assertThat(body(ProxyFault.ORIGIN_REFUSED, null, "r1", null)).isEqualTo("""
                        text/plain; charset=utf-8
                        502 The origin server refused the connection.
                        Reason origin-refused, request r1.
                        Weir/0.1
                        """);
    }

    @Test
    void problemDocumentHasStatusTitleDetailCodeAndInstance() {
        assertThat(body(ProxyFault.DNS_TIME_OUT, "a \"b\"", "r1", "application/problem+json"))
                .isEqualTo(
                        "application/problem+json\n{\"type\":\"about:blank\","
                                + "\"title\":\"The origin server's name could not be resolved in time\",\"status\":504,"
                                + "\"detail\":\"a \\\"b\\\"\",\"code\":\"dns-time-out\",\"instance\":\"urn:weir:request:r1\"}\n");
    }

    @Test
    void nothingFromOutsideIsReflectedUnescaped() {
        String nasty = "<script>alert('x')</script>&\"\u0000\r\n\u001b[31m\u009b";
        for (String accept : new String[] {"text/html", "application/json", "text/plain"}) {
            String page = body(ProxyFault.URL_MALFORMED, nasty, nasty, accept);
            assertThat(page).doesNotContain("\u0000", "\u001b", "\r", "\u009b");
            if (!accept.equals("text/plain")) {
                assertThat(page).doesNotContain("<script");
            }
        }
        assertThat(body(ProxyFault.URL_MALFORMED, nasty, "r", "text/html"))
                .contains("&lt;script&gt;alert(&#39;x&#39;)");
        assertThat(body(ProxyFault.URL_MALFORMED, nasty, "r", "application/json"))
                .contains("\\u003cscript\\u003e");
    }

    @Test
    void longDetailsAreCut() {
        assertThat(body(ProxyFault.DENIED, "x".repeat(10_000), "r", null).length())
                .isLessThan(1000);
    }

    @Test
    void everyFaultHasACodeOfItsOwnAndAnErrorStatus() {
        assertThat(new HashSet<>(
                        Arrays.stream(ProxyFault.values()).map(ProxyFault::code).toList()))
                .hasSize(ProxyFault.values().length);
        for (ProxyFault fault : ProxyFault.values()) {
            assertThat(fault.status()).as(fault.code()).isBetween(400, 599);
            assertThat(fault.code()).matches("[a-z]+(-[a-z]+)*");
            assertThat(fault.title()).doesNotEndWith(".");
        }
    }
}
