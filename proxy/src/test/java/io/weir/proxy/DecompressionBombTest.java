package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.context.EngineStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that would be a thousand times as large if they were opened are passed, stored and given again as they came. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class DecompressionBombTest {
    private static final int OPENED = 64 << 20;
    private static final long MEMORY = 16 << 20;

    private static byte[] bomb(String coding) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out =
                coding.equals("gzip") ? new GZIPOutputStream(bytes) : new DeflaterOutputStream(bytes)) {
            for (int i = 0; i < OPENED >> 20; i++) {
                out.write(new byte[1 << 20]);
            }
        }
        // nothing here knows Brotli: bytes that would not even open
        return bytes.toByteArray();
    }

    private static long memory() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()
                + PooledByteBufAllocator.DEFAULT.metric().usedHeapMemory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "gzip, gzip, gzip"})
    void anOriginsBombIsPassedAndStoredAsItIs(String coding) throws Exception {
        byte[] bomb = bomb(coding);
        String body = new String(bomb, StandardCharsets.ISO_8859_1);
        assertThat(bomb.length).isLessThan(OPENED / 900);
        try (TestOrigin origin =
                        TestOrigin.always("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Encoding: " + coding
                                + "\r\nContent-Type: text/html\r\nContent-Length: " + bomb.length + "\r\n\r\n" + body);
                TestProxy proxy = TestProxy.reversing(
                                origin.port(),
                                "routes.0.set-response-headers.X-Made=here",
                                "routes.0.rewrite-location=on")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            long before = memory();
            for (int i = 0; i < 3; i++) {
                // whatever the client says that it can open
                client.get("/bomb", i == 0 ? "Accept-Encoding: identity" : "X: y");
                String answer = client.answer();
                assertThat(answer).contains("Content-Encoding: " + coding + "\r\n");
                assertThat(answer.endsWith("\r\n\r\n" + body)).isTrue();
                Await.until("stored", () -> proxy.value(CacheStats.FILLS_COMPLETE) == 1);
            }
            assertThat(origin.heads).hasSize(1);
            assertThat(proxy.value(EngineStats.BYTES_SENT, "default"))
                    .isBetween(3L * bomb.length, 3L * bomb.length + 3000);
            assertThat(memory() - before).isLessThan(MEMORY);
        }
    }

    @Test
    void aClientsBombReachesTheOriginAsItIs() throws Exception {
        byte[] bomb = bomb("gzip");
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    assertThat(in.readNBytes(bomb.length)).isEqualTo(bomb);
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            long before = memory();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.length
                    + "\r\n\r\n" + new String(bomb, StandardCharsets.ISO_8859_1));
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(origin.heads.getFirst()).contains("Content-Encoding: gzip\r\n");
            assertThat(memory() - before).isLessThan(MEMORY);
        }
    }
}
