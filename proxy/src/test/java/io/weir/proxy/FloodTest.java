package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.weir.proxy.context.EngineStats;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Heads, bodies and trailers without end, from clients and from origins: refused at their bound, and memory stays small. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class FloodTest {
    /** What is sent at most of what never ends. */
    private static final int FLOOD = 64 << 20;

    /** What an origin may have sent into the buffers on the way when it is cut off, and then some. */
    private static final int ON_THE_WAY = 24 << 20;

    /** What Netty may reserve more: a few chunks of its arenas. */
    private static final long MEMORY = 32 << 20;

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static long memory() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()
                + PooledByteBufAllocator.DEFAULT.metric().usedHeapMemory();
    }

    /** Sends a text again and again until the peer ends it or it was enough. */
    private static long pour(OutputStream out, String text) {
        byte[] block = text.repeat(Math.max(1, 65_536 / text.length())).getBytes(StandardCharsets.ISO_8859_1);
        long sent = 0;
        try {
            for (; sent < FLOOD; sent += block.length) {
                out.write(block);
            }
        } catch (IOException e) {
            // cut off, as it should be
            return sent;
        }
        return sent;
    }

    private static String text(String written) {
        return written.replace("|", "\r\n").replace('_', ' ');
    }

    @ParameterizedTest(name = "{0}{1}…")
    @CsvSource(delimiter = '!', textBlock = """
            G                                                             ! G                  ! request-line-too-long
            GET_/                                                         ! a                  ! request-line-too-long
            GET_/_HTTP/1.1|Host:_a|X:                                     ! a                  ! headers-too-large
            GET_/_HTTP/1.1|Host:_a|X                                      ! a                  ! headers-too-large
            GET_/_HTTP/1.1|Host:_a|                                       ! X:_a|              ! headers-too-many
            GET_/_HTTP/1.1|Host:_a|                                       ! Cookie:_a=b|       ! headers-too-many
            GET_/_HTTP/1.1|Host:_a|Cookie:                                ! a=b;_              ! headers-too-large
            POST_/_HTTP/1.1|Host:_a|Transfer-Encoding:_chunked||          ! 0                  ! chunk-size-overflow
            POST_/_HTTP/1.1|Host:_a|Transfer-Encoding:_chunked||1;a=      ! b                  ! chunk-line-too-long
            POST_/_HTTP/1.1|Host:_a|Transfer-Encoding:_chunked||          ! 1;a=bcdefgh|x|     ! chunk-extensions-too-large
            POST_/_HTTP/1.1|Host:_a|Transfer-Encoding:_chunked||0|X:      ! a                  ! trailers-too-large
            POST_/_HTTP/1.1|Host:_a|Transfer-Encoding:_chunked||0|        ! X:_a|              ! trailers-too-many
            """)
    void aClientsFloodIsCutOff(String begin, String again, String reason) throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> in.readAllBytes().length < 0);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            long before = memory();
            client.send(text(begin));
            pour(client.socket.getOutputStream(), text(again));
            Await.until(reason, () -> proxy.value(EngineStats.FAULTS, "request", reason) == 1);
            assertThat(memory() - before).isLessThan(MEMORY);
            // what it still sends is dropped for a moment, so that it can read the answer
            client.reset();
            Await.until("closed", () -> proxy.kernel.connections() == 0);
        }
    }

    @ParameterizedTest(name = "{0}{1}…")
    @CsvSource(delimiter = '!', textBlock = """
            HTTP/1.1_200_                                                 ! a
            HTTP/1.1_200_OK|X:                                            ! a
            HTTP/1.1_200_OK|                                              ! X:_a|
            HTTP/1.1_200_OK|                                              ! Set-Cookie:_a=b|
            HTTP/1.1_103_Early_Hints||                                    ! HTTP/1.1_103_Early_Hints|Link:_a||
            HTTP/1.1_200_OK|Transfer-Encoding:_chunked||                  ! 0
            HTTP/1.1_200_OK|Transfer-Encoding:_chunked||1;a=              ! b
            HTTP/1.1_200_OK|Transfer-Encoding:_chunked||                  ! 1;a=bcdefgh|x|
            HTTP/1.1_200_OK|Transfer-Encoding:_chunked||0|X:              ! a
            HTTP/1.1_200_OK|Transfer-Encoding:_chunked||0|                ! X:_a|
            """)
    void anOriginsFloodIsCutOff(String begin, String again) throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, text(begin));
                    assertThat(pour(out, text(again))).isLessThan(ON_THE_WAY);
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            long before = memory();
            client.get("/", "Connection: close");
            readToTheEnd(client.in);
            Await.until("malformed", () -> proxy.value(EngineStats.ORIGIN_FAILURES, "malformed") == 1);
            Await.until("closed", () -> origin.peers().isEmpty() || proxy.value(EngineStats.ORIGIN_CONNECTIONS) == 0);
            assertThat(memory() - before).isLessThan(MEMORY);
        }
    }

    private static void readToTheEnd(InputStream in) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // cut within the body, or kept after a 502: nothing more comes
        }
    }

    @Test
    void tinyChunksArriveAndCostNoMoreThanTheirBytes() throws Exception {
        int chunks = 5_000;
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    InputStream body = new BufferedInputStream(in);
                    long sum = 0;
                    for (int size = size(body); size > 0; size = size(body)) {
                        body.skipNBytes(size + 2);
                        sum += size;
                    }
                    body.skipNBytes(2);
                    assertThat(sum).isEqualTo(chunks);
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            long before = memory();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("1\r\na\r\n".repeat(chunks) + "0\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(memory() - before).isLessThan(MEMORY);
        }
    }

    private static int size(InputStream in) throws IOException {
        int size = 0;
        for (int b = in.read(); b != '\r'; b = in.read()) {
            size = size * 16 + Character.digit(b, 16);
        }
        in.skipNBytes(1);
        return size;
    }

    /** Fields lie in a list, not in a hash table: names that hash alike cost what others cost. */
    @Test
    void namesThatHashAlikeAreFieldsLikeOthers() throws Exception {
        String fields = IntStream.range(0, 64)
                .mapToObj(n -> name(n) + ": " + n + "\r\n")
                .collect(Collectors.joining());
        assertThat(name(5).hashCode()).isEqualTo(name(37).hashCode());
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(origin.heads.getFirst()).contains(fields);
        }
    }

    private static String name(int n) {
        return IntStream.range(0, 6)
                .mapToObj(bit -> (n >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining());
    }
}
