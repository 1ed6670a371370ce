package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StoredAnswerTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n";

    @Test
    void theAgeThatTheOriginSentGoesOn() throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nAge: 30\r\nCache-Control: max-age=100\r\nContent-Length: 2\r\n\r\nok";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(GET).answer()).contains("\r\nAge: 30\r\n");
            assertThat(client.send(GET).answer()).containsPattern("\r\nAge: 3[0-9]\r\n");
        }
    }

    @Test
    void aStoredAnswerWithoutContentHasNoFraming() throws Exception {
        String answer = "HTTP/1.1 204 No Content\r\nCache-Control: max-age=100\r\n\r\n";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).head())
                        .startsWith("HTTP/1.1 204 ")
                        .doesNotContain("chunked", "Content-Length");
            }
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aStaleAnswerThatMustBeValidatedIsNotServedWhenTheOriginCloses() throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nAge: 90\r\nCache-Control: max-age=60, must-revalidate\r\nETag: \"1\"\r\n"
                + "Content-Length: 2\r\n\r\nok";
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.contains("If-None-Match")) {
                        return false;
                    }
                    out.write(answer.getBytes(StandardCharsets.US_ASCII));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(GET).answer()).endsWith("ok");
            assertThat(client.send(GET).answer()).startsWith("HTTP/1.1 502 ");
        }
    }
}
