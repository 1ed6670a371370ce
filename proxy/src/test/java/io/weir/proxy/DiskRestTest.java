package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.WatchedDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that fails within the body of an answer: the rest comes from the origin, if it is of the same answer. */
@ExtendWith(LeakCheck.class)
class DiskRestTest {
    private static final int LENGTH = 2_000_001;
    private static final int BROKEN = 1_000_000;
    private static final byte[] BODY = new byte[LENGTH];
    private static final String HEAD = "Cache-Control: max-age=3600\r\nContent-Length: ";

    static {
        Chance.seeded(5).random().nextBytes(BODY);
    }

    @TempDir
    private Path folder = Path.of("");

    private static TestOrigin origin(String tag, TestOrigin.Handler ofRest) throws IOException {
        return new TestOrigin((head, in, out) -> {
            if (head.contains("\r\nRange: ")) {
                return ofRest.answer(head, in, out);
            }
            whole(out, tag);
            return true;
        });
    }

    private static void whole(OutputStream out, String tag) throws IOException {
        TestOrigin.write(out, "HTTP/1.1 200 OK\r\n" + tag + HEAD + LENGTH + "\r\n\r\n");
        out.write(BODY);
    }

    /** As the request's Range asks for it. */
    private static void part(String head, OutputStream out, String tag) throws IOException {
        part(head, out, tag, 0, 0);
    }

    /**
     * @param less bytes that the part has not
     * @param more bytes that the answer is said to have
     */
    private static void part(String head, OutputStream out, String tag, int less, int more) throws IOException {
        String range = head.substring(head.indexOf("bytes=") + 6, head.indexOf('\r', head.indexOf("bytes=")));
        int dash = range.indexOf('-');
        int from = Integer.parseInt(range.substring(0, dash));
        int to = Integer.parseInt(range.substring(dash + 1)) + 1 - less;
        TestOrigin.write(
                out,
                "HTTP/1.1 206 Partial Content\r\n" + tag + "Content-Range: bytes " + from + "-" + (to - 1) + "/"
                        + (LENGTH + more) + "\r\nContent-Length: " + (to - from) + "\r\n\r\n");
        out.write(BODY, from, to - from);
    }

    /** Gives the part that is asked for, or the whole, as an origin without ranges does. */
    private static TestOrigin.Handler giving(int status, String tag) {
        return (head, in, out) -> {
            if (status == 206) {
                part(head, out, tag);
            } else {
                whole(out, tag);
            }
            return true;
        };
    }

    private static TestProxy proxy(TestOrigin origin, WatchedDisk disk) throws Exception {
        return TestProxy.reversing(origin.port())
                .cache(
                        "memory-budget=16MiB",
                        "max-object-size=8MiB",
                        "disk.read-time-out=1m",
                        "disk.max-memory-object-size=16KiB")
                .start(disk.folders(256L << 20, Chance.seeded(3).random()));
    }

    /** A proxy that has the answer on a disk that fails in the middle of it. */
    private TestProxy broken(TestOrigin origin) throws Exception {
        try (TestProxy proxy = proxy(origin, WatchedDisk.open(folder));
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").head();
            client.in.skipNBytes(LENGTH);
            Await.until("it is written", () -> proxy.value(DiskStats.WRITTEN) == 1);
        }
        WatchedDisk disk = WatchedDisk.open(folder).keeps();
        TestProxy proxy = proxy(origin, disk);
        proxy.awaitDisk();
        assertThat(proxy.value(DiskStats.OBJECTS)).isEqualTo(1);
        disk.breaks(BROKEN);
        return proxy;
    }

    @ParameterizedTest
    @ValueSource(ints = {206, 200})
    void theRestComesFromTheOrigin(int status) throws Exception {
        String tag = "ETag: \"t\"\r\n";
        try (TestOrigin origin = origin(tag, giving(status, tag));
                TestProxy proxy = broken(origin);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "Accept-Encoding: gzip");
            assertThat(client.head()).contains("HTTP/1.1 200 ", "; hit");
            assertThat(client.in.readNBytes(LENGTH)).isEqualTo(BODY);
            assertThat(proxy.value(DiskStats.CONTINUED)).isEqualTo(1);
            assertThat(proxy.value(DiskStats.CUT)).isZero();
            assertThat(proxy.value(DiskStats.ERRORS, "read")).isEqualTo(1);
            String asked = origin.heads.getLast();
            assertThat(asked)
                    .as("no other coding than that of the answer")
                    .contains("If-Range: \"t\"\r\n", "Accept-Encoding: identity\r\n")
                    .doesNotContain("gzip")
                    .containsPattern("Range: bytes=\\d+-2000000\r\n");
            client.get("/a");
            assertThat(client.head())
                    .as("the connection stays, and it is fetched")
                    .contains("200 ", "; fwd=");
            assertThat(client.in.readNBytes(LENGTH)).isEqualTo(BODY);
        }
    }

    /** An origin that has no ranges sends all of it, of which the part ends in the middle. */
    @ParameterizedTest
    @ValueSource(ints = {206, 200})
    void theRestOfARangeComesFromTheOrigin(int status) throws Exception {
        String tag = "ETag: \"t\"\r\n";
        try (TestOrigin origin = origin(tag, giving(status, tag));
                TestProxy proxy = broken(origin);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "Range: bytes=500000-1499999");
            assertThat(client.head()).contains("HTTP/1.1 206 ", "; hit", "Content-Length: 1000000\r\n");
            assertThat(client.in.readNBytes(1_000_000)).isEqualTo(Arrays.copyOfRange(BODY, 500_000, 1_500_000));
            assertThat(origin.heads.getLast()).containsPattern("Range: bytes=\\d+-1499999\r\n");
            assertThat(proxy.value(DiskStats.CONTINUED)).isEqualTo(1);
            assertThat(client.get("/a", "If-None-Match: \"t\"").answer()).startsWith("HTTP/1.1 304 ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'ETag: \"t\"', 'ETag: \"t\"\r\nContent-Encoding: gzip', 206, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"\r\nContent-Encoding: gzip', 200, 1, ''",
        "'ETag: \"t\"\r\nContent-Encoding: gzip', 'ETag: \"t\"', 200, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"\r\nContent-Range: bytes 0-5/9', 206, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"\r\nContent-Type: multipart/byteranges; boundary=x', 206, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"', 2061, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"', 2062, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"', 2001, 1, ''",
        "'ETag: \"t\"', 'ETag: \"other\"', 206, 1, ''",
        "'ETag: \"t\"', 'ETag: \"other\"', 200, 1, ''",
        "'ETag: \"t\"', 'ETag: W/\"t\"', 206, 1, ''",
        "'ETag: \"t\"', 'X: 1', 206, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"', 404, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"', 0, 1, ''",
        "'ETag: \"t\"', 'ETag: \"t\"', 206, 0, only-if-cached",
        "'ETag: W/\"t\"', 'ETag: W/\"t\"', 206, 0, ''",
        "'Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT', 'X: 1', 206, 0, ''"
    })
    void otherwiseItIsCut(String stored, String now, int status, int asked, String control) throws Exception {
        try (TestOrigin origin = origin(stored + "\r\n", (head, in, out) -> {
                    switch (status) {
                        case 206 -> part(head, out, now + "\r\n", 0, 0);
                        // of an answer that is longer
                        case 2061 -> part(head, out, now + "\r\n", 0, 77);
                        // of another part
                        case 2062 -> part(head, out, now + "\r\n", 1, 0);
                        case 2001 -> {
                            TestOrigin.write(
                                    out, "HTTP/1.1 200 OK\r\n" + now + "\r\n" + HEAD + (LENGTH + 1) + "\r\n\r\n");
                            out.write(BODY);
                            out.write('x');
                        }
                        case 200 -> whole(out, now + "\r\n");
                        case 404 ->
                            TestOrigin.write(
                                    out, "HTTP/1.1 404 Not Found\r\n" + now + "\r\nContent-Length: 3\r\n\r\nabc");
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
                TestProxy proxy = broken(origin);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "Cache-Control: " + (control.isEmpty() ? "max-age=3600" : control));
            assertThat(client.head()).contains("HTTP/1.1 200 ", "; hit");
            byte[] got = client.in.readAllBytes();
            assertThat(got.length).isBetween(BROKEN - (64 << 10), BROKEN);
            assertThat(got).as("its beginning").isEqualTo(Arrays.copyOf(BODY, got.length));
            assertThat(proxy.value(DiskStats.CONTINUED)).isEqualTo(asked);
            assertThat(proxy.value(DiskStats.CUT)).isEqualTo(1);
            assertThat(origin.heads.stream().filter(head -> head.contains("Range: ")))
                    .hasSizeBetween(asked, 2 * asked);
        }
    }

    /** The origin ends the rest too early: the client sees it. */
    @Test
    void aRestThatIsCutIsCut() throws Exception {
        String tag = "ETag: \"t\"\r\n";
        try (TestOrigin origin = origin(tag, (head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\n" + tag + HEAD + LENGTH + "\r\n\r\n");
                    out.write(BODY, 0, 1_500_000);
                    return false;
                });
                TestProxy proxy = broken(origin);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").head();
            assertThat(client.in.readAllBytes()).isEqualTo(Arrays.copyOf(BODY, 1_500_000));
        }
    }

    /** The origin ends its answer wrongly, after all of the rest: that is nothing to the client. */
    @Test
    void aRestWithoutItsLastChunkIsWhole() throws Exception {
        String tag = "ETag: \"t\"\r\n";
        try (TestOrigin origin = origin(tag, (head, in, out) -> {
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 200 OK\r\n" + tag + "Transfer-Encoding: chunked\r\n\r\n"
                                    + Integer.toHexString(LENGTH) + "\r\n");
                    out.write(BODY);
                    TestOrigin.write(out, "\r\n");
                    return false;
                });
                TestProxy proxy = broken(origin);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").head();
            assertThat(client.in.readNBytes(LENGTH)).isEqualTo(BODY);
            assertThat(client.get("/a").head()).as("the connection stays").startsWith("HTTP/1.1 200 ");
        }
    }

    /** The client reads as slowly as it likes: the origin waits. */
    @Test
    void aClientThatDoesNotReadGetsTheRestWhenItReads() throws Exception {
        String tag = "ETag: \"t\"\r\n";
        CountDownLatch asked = new CountDownLatch(1);
        try (TestOrigin origin = origin(tag, (head, in, out) -> {
                    asked.countDown();
                    part(head, out, tag);
                    return true;
                });
                TestProxy proxy = broken(origin);
                RawClient client = RawClient.narrow(proxy.port())) {
            client.get("/a").head();
            byte[] first = client.in.readNBytes(BROKEN - (64 << 10));
            asked.await();
            byte[] second = client.in.readNBytes(LENGTH - first.length);
            assertThat(first).isEqualTo(Arrays.copyOf(BODY, first.length));
            assertThat(second).isEqualTo(Arrays.copyOfRange(BODY, first.length, LENGTH));
        }
    }

    /** Clients that lag behind an answer that still arrives read it from the disk. */
    @Test
    void whoLagsBehindAnAnswerThatArrivesGetsTheRest() throws Exception {
        int length = 24 << 20;
        byte[] body = new byte[length];
        Chance.seeded(6).random().nextBytes(body);
        CountDownLatch broken = new CountDownLatch(1);
        WatchedDisk disk = WatchedDisk.open(folder);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    int at = head.indexOf("Range: bytes=");
                    if (at < 0) {
                        TestOrigin.write(out, "HTTP/1.1 200 OK\r\nETag: \"t\"\r\n" + HEAD + length + "\r\n\r\n");
                        out.write(body, 0, length / 2);
                        out.flush();
                        try {
                            broken.await();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        out.write(body, length / 2, length - length / 2);
                        return true;
                    }
                    int from = Integer.parseInt(head.substring(at + 13, head.indexOf('-', at)));
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 206 Partial Content\r\nETag: \"t\"\r\nContent-Range: bytes " + from + "-"
                                    + (length - 1) + "/" + length + "\r\nContent-Length: " + (length - from)
                                    + "\r\n\r\n");
                    out.write(body, from, length - from);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .cache("memory-budget=4MiB", "max-object-size=1MiB", "disk.read-time-out=1m")
                        .start(disk.folders(256L << 20, Chance.seeded(3).random()));
                RawClient slow = RawClient.narrow(proxy.port());
                RawClient fast = new RawClient(proxy.port())) {
            proxy.awaitDisk();
            slow.get("/a").head();
            fast.get("/a").head();
            byte[] first = fast.in.readNBytes(length / 2);
            disk.breaks(6 << 20);
            broken.countDown();
            byte[] all = slow.in.readNBytes(length);
            assertThat(Arrays.mismatch(all, body)).isEqualTo(-1);
            assertThat(proxy.value(DiskStats.CONTINUED)).isEqualTo(1);
            assertThat(Arrays.mismatch(
                            fast.in.readNBytes(length - first.length), Arrays.copyOfRange(body, length / 2, length)))
                    .isEqualTo(-1);
        }
    }
}
