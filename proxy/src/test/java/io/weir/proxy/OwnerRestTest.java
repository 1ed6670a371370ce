package io.weir.proxy;

import static io.weir.proxy.TestOwners.MARK;
import static io.weir.proxy.TestOwners.ORIGINS;
import static io.weir.proxy.TestOwners.answering;
import static io.weir.proxy.TestOwners.half;
import static io.weir.proxy.TestOwners.ownedBy;
import static io.weir.proxy.TestOwners.owners;
import static io.weir.proxy.TestOwners.silentAfter;
import static io.weir.proxy.TestOwners.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.members.MemberStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An owner that fails within its answer: the rest comes from the origin, if it is the same answer. */
@ExtendWith(LeakCheck.class)
class OwnerRestTest {
    /** Head of a part of ten bytes, without its end. */
    private static final String PART =
            "HTTP/1.1 206 Partial Content\r\nETag: \"t\"\r\nContent-Range: bytes %s/10\r\nContent-Length: %d\r\n";

    @Test
    void theRestOfAnAnswerComesFromTheOrigin() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            head.contains("Range: bytes=4-9\r\n") && head.contains("If-Range: \"t\"\r\n")
                                    ? "HTTP/1.1 206 Partial Content\r\nETag: \"t\"\r\nContent-Range: bytes 4-9/10\r\n"
                                            + "Content-Length: 6\r\n\r\n456789"
                                    : tagged("") + "0123456789");
                    return true;
                });
                TestOrigin b = half("max-age=60");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(path).answer()).endsWith("0123456789");
            assertThat(origin.heads).hasSize(1);
            assertThat(client.get(path).answer()).contains("; hit").endsWith("0123456789");
            assertThat(proxy.value(MemberStats.CONTINUED)).isEqualTo(1);
        }
    }

    /** What is relayed is not kept, so each client needs the rest for itself. */
    @ParameterizedTest
    @ValueSource(ints = {206, 200})
    void theRestOfARelayedAnswerComesFromTheOrigin(int status) throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (!head.startsWith("GET /0 ")) {
                        assertThat(head).contains("Range: bytes=4-9\r\n", "If-Range: \"t\"\r\n");
                    }
                    TestOrigin.write(
                            out,
                            status == 206
                                    ? "HTTP/1.1 206 Partial Content\r\nETag: \"t\"\r\nContent-Range: bytes 4-9/10\r\n"
                                            + "Content-Length: 6\r\n\r\n456789"
                                    : tagged("") + "0123456789");
                    return true;
                });
                TestOrigin b = half("no-store");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String answer = client.get(ownedBy(proxy, "b", 0)).answer();
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("no-store")
                    .endsWith("\r\n\r\n0123456789");
            assertThat(origin.heads).hasSize(1);
            assertThat(proxy.value(MemberStats.CONTINUED)).isEqualTo(1);
            owners(proxy);
            assertThat(client.get("/0").answer()).as("the connection stays").startsWith("HTTP/1.1 ");
        }
    }

    /** The origin ends its answer wrongly, after all of the rest: that is nothing to the client. */
    @ParameterizedTest
    @ValueSource(strings = {"max-age=60", "no-store"})
    void aRestWithoutItsLastChunkIsWhole(String control) throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            PART.formatted("4-9", 6).replace("Content-Length: 6", "Transfer-Encoding: chunked")
                                    + "\r\n6\r\n456789\r\n");
                    return false;
                });
                TestOrigin b = half(control);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            assertThat(client.get(ownedBy(proxy, "b", 0)).answer()).endsWith("0123456789");
            assertThat(proxy.value(MemberStats.CUT)).isZero();
            assertThat(proxy.value(MemberStats.ASKED, "failed"))
                    .as("it answered")
                    .isZero();
        }
    }

    /** A part of what the owner has stored, which fails within it: only the rest of the part is missing. */
    @ParameterizedTest
    @ValueSource(ints = {206, 200, 0})
    void theRestOfAPartComesFromTheOrigin(int status) throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    assertThat(head).contains("Range: bytes=4-7\r\n", "If-Range: \"t\"\r\n");
                    TestOrigin.write(
                            out,
                            switch (status) {
                                case 206 -> PART.formatted("4-7", 4) + "\r\n4567";
                                case 200 -> tagged("") + "0123456789";
                                default -> PART.formatted("5-7", 3) + "\r\n567";
                            });
                    return true;
                });
                TestOrigin b = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, PART.formatted("2-7", 6) + MARK + "\r\n23");
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            client.get(ownedBy(proxy, "b", 0), "Range: bytes=2-7");
            if (status == 0) {
                assertThat(client.rest()).contains("bytes 2-7/10").endsWith("\r\n\r\n23");
            } else {
                assertThat(client.answer()).contains("bytes 2-7/10").endsWith("\r\n\r\n234567");
            }
            assertThat(proxy.value(MemberStats.CONTINUED)).isEqualTo(1);
            assertThat(proxy.value(MemberStats.CUT)).isEqualTo(status == 0 ? 1 : 0);
        }
    }

    @Test
    void whoHasLeftNeedsNoRest() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = silentAfter(tagged(MARK).replace("max-age=60", "no-store") + "0123");
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            owners(proxy, b.port());
            try (RawClient client = new RawClient(proxy.port())) {
                client.get(ownedBy(proxy, "b", 0));
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                client.reset();
            }
            Await.until("it has left", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
            owners(proxy);
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(MemberStats.CONTINUED)).isZero();
        }
    }

    @Test
    void anOwnerThatIsSilentWhenItLeavesTheClusterIsNotWaitedFor() throws Exception {
        try (TestOrigin origin = new TestOrigin(
                        answering("HTTP/1.1 206 Partial Content\r\nETag: \"t\"\r\nContent-Range: bytes 4-9/10\r\n"
                                + "Content-Length: 6\r\n\r\n456789"));
                TestOrigin b = silentAfter(tagged(MARK) + "0123");
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.body-idle=1h")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            client.get(ownedBy(proxy, "b", 0));
            Await.until("the owner answers", () -> proxy.value(MemberStats.ASKED, "answered") == 1);
            owners(proxy);
            assertThat(client.answer()).endsWith("0123456789");
            assertThat(proxy.value(MemberStats.CONTINUED)).isEqualTo(1);
        }
    }

    @Test
    void anOriginThatSendsTheWholeAgainIsReadFromThere() throws Exception {
        try (TestOrigin origin = TestOrigin.always(tagged("") + "0123456789");
                TestOrigin b = half("max-age=60");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            assertThat(client.get(ownedBy(proxy, "b", 0)).answer()).endsWith("0123456789");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'ETag: \"other\"', max-age=60",
        "'ETag: \"t\"\r\nContent-Encoding: gzip', max-age=60",
        "'ETag: \"t\"\r\nContent-Encoding: gzip', no-store",
        "'ETag: W/\"t\"', max-age=60",
        "X: 1, max-age=60",
        "'ETag: \"other\"', no-store"
    })
    void anotherAnswerDoesNotContinueIt(String tag, String control) throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 200 OK\r\n" + tag
                        + "\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nabcdefghij");
                TestOrigin b = half(control);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(path).rest()).endsWith("0123");
            assertThat(proxy.value(MemberStats.CUT)).isEqualTo(1);
            try (RawClient again = new RawClient(proxy.port())) {
                owners(proxy);
                assertThat(again.get(path).answer()).doesNotContain("; hit").endsWith("abcdefghij");
            }
        }
    }
}
