package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoOriginTest {
    @Test
    void whatIsPostedToTheDemoIsReadAndAnswered() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.demo=on").start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /time HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 OK");
            client.send("POST /time HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 OK");
            client.send("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            assertThat(client.rest()).startsWith("HTTP/1.1 200 OK").contains("It works");
        }
    }
}
