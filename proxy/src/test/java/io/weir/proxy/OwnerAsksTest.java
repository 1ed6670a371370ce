package io.weir.proxy;

import static io.weir.proxy.TestOwners.MARK;
import static io.weir.proxy.TestOwners.ORIGINS;
import static io.weir.proxy.TestOwners.OWNERS;
import static io.weir.proxy.TestOwners.answering;
import static io.weir.proxy.TestOwners.ownedBy;
import static io.weir.proxy.TestOwners.owners;
import static io.weir.proxy.TestOwners.silentAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.members.MemberStats;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member asks the owner of a key instead of the origin, and the origin if that does not answer. */
@ExtendWith(LeakCheck.class)
class OwnerAsksTest {
    @Test
    void theOwnerIsAskedAsTheClientAskedAndItsAnswerIsKept() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = TestOrigin.always(OWNERS);
                TestProxy proxy = TestProxy.reversing(
                                origin.port(),
                                "routes.0.set-request-headers.X-A=1",
                                "routes.0.set-response-headers.X-Route=1",
                                "routes.0.functions.0.name=set-variable",
                                "routes.0.functions.0.stage=output",
                                "routes.0.functions.0.parameters.insert-srvhdrs=X-Out: 1")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(
                                    path,
                                    "Accept: text/plain",
                                    "Weir-Member-Trusted: yes",
                                    "If-None-Match: \"x\"",
                                    "Connection: X-Hop",
                                    "X-Hop: 1")
                            .answer())
                    .endsWith("owner")
                    .contains("Age: ", "X-Out: 1\r\n")
                    .as("the owner has applied the route's edits")
                    .doesNotContain("Weir-Member", "X-Route");
            assertThat(b.heads).singleElement().asString().satisfies(head -> {
                assertThat(head)
                        .startsWith("GET " + path + " HTTP/1.1\r\nHost: example.com\r\n")
                        .contains(
                                "Accept: text/plain\r\n",
                                "Weir-Member-Client: 127.0.0.1\r\n",
                                "Weir-Member-Scheme: http\r\n",
                                "Weir-Member-Listener: http\r\n",
                                "Weir-Member-Purges: 1-5\r\n")
                        .doesNotContain("Trusted", "If-None-Match", "X-Hop", "Via", "X-Forwarded-For", "X-A");
            });
            assertThat(client.get(path).answer()).contains("; hit").endsWith("owner");
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(MemberStats.ASKED, "answered")).isEqualTo(1);
            String own = ownedBy(proxy, "a", 0);
            assertThat(client.get(own).answer()).endsWith("origin");
            assertThat(b.heads).hasSize(1);
        }
    }

    @Test
    void whatTheOwnerWithholdsIsForTheClientThatAskedAlone() throws Exception {
        String own = "Set-Cookie: id=1\r\nX-Own: 1\r\nWeir-Member-Withheld: set-cookie,x-own\r\n";
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = TestOrigin.always(OWNERS.replace(MARK, own + MARK));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(one.get(path).answer())
                    .contains("Set-Cookie: id=1\r\n", "X-Own: 1\r\n")
                    .doesNotContain("Weir-Member");
            assertThat(two.get(path).answer()).contains("; hit").doesNotContain("Set-Cookie", "X-Own");
        }
    }

    @Test
    void whoWaitsForAnOwnerHoldsNoSlot() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = new TestOrigin((head, in, out) -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    TestOrigin.write(out, OWNERS);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "request-throttle=1")
                        .start();
                RawClient waiting = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            waiting.get(ownedBy(proxy, "b", 0));
            Await.until("the owner is asked", () -> b.heads.size() == 1);
            assertThat(other.get(ownedBy(proxy, "a", 0)).answer()).endsWith("origin");
            go.countDown();
            assertThat(waiting.answer()).endsWith("owner");
        }
    }

    @Test
    void anOwnerThatWaitsForASlowOriginIsStillAskedForOthers() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = new TestOrigin((head, in, out) -> {
                    TestOrigin.readBody("Content-Length: 1\r\n", in);
                    return in.read() >= 0;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.response-header=2s")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String first = ownedBy(proxy, "b", 0);
            assertThat(client.get(first).answer()).endsWith("origin");
            String second = ownedBy(proxy, "b", Integer.parseInt(first.substring(1)) + 1);
            assertThat(client.get(second).answer()).endsWith("origin");
            assertThat(b.heads).as("asked for both").hasSize(2);
            assertThat(proxy.value(MemberStats.ASKED, "failed")).isEqualTo(2);
        }
    }

    @Test
    void aFieldOfTheOriginDoesNotHideTheMark() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = TestOrigin.always(OWNERS.replace(MARK, "Weir-Member-From: 192.0.2.1\r\n" + MARK));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            assertThat(client.get(ownedBy(proxy, "b", 0)).answer())
                    .endsWith("owner")
                    .doesNotContain("Weir-Member");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\nno",
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 8\r\n\r\nstranger",
                "HTTP/1.1 200 OK\r\nWeir-Member-From: here\r\nCache-Control: max-age=60\r\nContent-Length: 8\r\n\r\nstranger"
            })
    void whatTheOwnerDoesNotVouchForIsAskedOfTheOrigin(String answer) throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(path).answer()).endsWith("origin");
            assertThat(client.get(path).answer()).contains("; hit");
            assertThat(proxy.value(MemberStats.ASKED, "refused")).isEqualTo(1);
            assertThat(b.heads).hasSize(1);
        }
    }

    @Test
    void whoDoesNotAnswerIsNotAskedAgainAtOnceAndTheNextOneIs() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = new TestOrigin((head, in, out) -> false);
                TestOrigin c = TestOrigin.always(OWNERS);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String first = ownedBy(proxy, "b", 0);
            assertThat(client.get(first).answer()).endsWith("origin");
            assertThat(proxy.value(MemberStats.ASKED, "failed")).isEqualTo(1);
            int asked = b.heads.size();
            String second = ownedBy(proxy, "b", Integer.parseInt(first.substring(1)) + 1);
            assertThat(client.get(second).answer()).endsWith("origin");
            assertThat(b.heads).hasSize(asked);
            owners(proxy, b.port(), c.port());
            String ofC = ownedBy(proxy, "c", 0);
            assertThat(client.get(ofC).answer()).endsWith("owner");
        }
    }

    @Test
    void whatProvesTooLargeForThisMemberIsAskedOfItsOwnerAgain() throws Exception {
        String piece = "x".repeat(5_000);
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = new TestOrigin(answering("HTTP/1.1 200 OK\r\n" + MARK
                        + "Cache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n" + piece
                        + "\r\n0\r\n\r\n"));
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .cache("max-object-size=4KiB")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            for (int i = 1; i <= 3; i++) {
                assertThat(client.get(path).answer())
                        .startsWith("HTTP/1.1 200 OK")
                        .endsWith("x\r\n0\r\n\r\n");
                assertThat(b.heads).hasSize(i);
            }
            assertThat(origin.heads).isEmpty();
        }
    }

    @Test
    void aRangeAndAHeadAreAnsweredByWhatTheOwnerHas() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            head.startsWith("HEAD ")
                                    ? OWNERS.substring(0, OWNERS.length() - "owner".length())
                                    : "HTTP/1.1 206 Partial Content\r\n" + MARK + "ETag: \"t\"\r\n"
                                            + "Content-Range: bytes 1-2/5\r\nContent-Length: 2\r\n\r\nwn");
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(path, "Range: bytes=1-2", "If-Range: \"t\"").answer())
                    .startsWith("HTTP/1.1 206 ")
                    .contains("Content-Range: bytes 1-2/5\r\n")
                    .doesNotContain("Weir-Member")
                    .endsWith("\r\n\r\nwn");
            assertThat(b.heads)
                    .singleElement()
                    .asString()
                    .contains("Range: bytes=1-2\r\n", "If-Range: \"t\"\r\n", "Weir-Member-Client: 127.0.0.1\r\n");
            assertThat(client.send("HEAD " + path + " HTTP/1.1\r\nHost: example.com\r\n\r\n")
                            .head())
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Content-Length: 5\r\n")
                    .doesNotContain("Weir-Member");
            assertThat(b.heads).last().asString().startsWith("HEAD " + path + " HTTP/1.1\r\n");
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(MemberStats.ASKED, "answered")).isEqualTo(2);
        }
    }

    @Test
    void aRangeThatTheOwnerHasNotIsAskedOfTheOriginAsReceived() throws Exception {
        try (TestOrigin origin = new TestOrigin(answering(
                        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-2/5\r\nContent-Length: 2\r\n\r\nri"));
                TestOrigin b = TestOrigin.always("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\nno");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            for (int i = 1; i <= 2; i++) {
                assertThat(client.get(path, "Range: bytes=1-2", "If-Range: \"t\"")
                                .answer())
                        .startsWith("HTTP/1.1 206 ")
                        .endsWith("\r\n\r\nri");
                assertThat(origin.heads).hasSize(i);
                assertThat(proxy.value(MemberStats.ASKED, "absent")).isEqualTo(i);
            }
            assertThat(origin.heads).last().asString().contains("Range: bytes=1-2\r\n", "If-Range: \"t\"\r\n");
            assertThat(proxy.value(MemberStats.ASKED, "refused")).isZero();
        }
    }

    @Test
    void onlyIfCachedIsAnsweredByWhatTheOwnerHas() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = TestOrigin.always(OWNERS);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(path, "Cache-Control: only-if-cached").answer())
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("Weir-Member")
                    .endsWith("owner");
            assertThat(b.heads).singleElement().asString().contains("Cache-Control: only-if-cached\r\n");
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(CacheStats.ONLY_IF_CACHED)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 2\r\n\r\nno", "nothing"})
    void onlyIfCachedOfWhatTheOwnerHasNotIs504(String answer) throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = answer.equals("nothing")
                        ? new TestOrigin((head, in, out) -> false)
                        : TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(path, "Cache-Control: only-if-cached").answer())
                    .startsWith("HTTP/1.1 504 ");
            assertThat(b.heads).isNotEmpty();
            // its own
            assertThat(client.get(ownedBy(proxy, "a", 0), "Cache-Control: only-if-cached")
                            .answer())
                    .startsWith("HTTP/1.1 504 ");
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(CacheStats.ONLY_IF_CACHED)).isEqualTo(2);
            assertThat(client.get(path).answer()).endsWith("origin");
        }
    }

    @Test
    void anOwnerThatHasNotBegunWhenItLeavesTheClusterIsNotWaitedFor() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = silentAfter("");
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.response-header=1h")
                        .cache("owner-time-out=10m")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            client.get(ownedBy(proxy, "b", 0));
            Await.until("the owner is asked", () -> b.heads.size() == 1);
            owners(proxy);
            assertThat(client.answer()).endsWith("origin");
            assertThat(proxy.log.entries())
                    .filteredOn(e -> e.message() == EngineMessages.ORIGIN_FAILED)
                    .singleElement()
                    .satisfies(e -> assertThat(e.arguments().getFirst()).isEqualTo("Member"));
        }
    }

    @Test
    void anOwnerHasItsTimeToBegin() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = silentAfter("");
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.response-header=1h")
                        .cache("owner-time-out=50ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            assertThat(client.get(ownedBy(proxy, "b", 0)).answer()).endsWith("origin");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-age=60", "no-store"})
    void anOriginsFieldsOfTheseNamesReachNobody(String control) throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 200 OK\r\nWeir-Member-Withheld: x\r\n" + MARK
                        + "weir-member-any: 1\r\nCache-Control: " + control
                        + "\r\nContent-Length: 6\r\n\r\norigin");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.get("/x").answer()).endsWith("origin").doesNotContainIgnoringCase("weir-member");
            }
        }
    }

    @Test
    void afterAnUnsafeRequestTheOwnerMustValidate() throws Exception {
        try (TestOrigin origin = TestOrigin.whole("HTTP/1.1 204 No Content\r\n\r\n");
                TestOrigin b = TestOrigin.always(OWNERS);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.send("POST " + path + " HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 204 ");
            client.get(path).answer();
            assertThat(b.heads).singleElement().asString().contains("Cache-Control: no-cache\r\n");
            UriTarget target = Objects.requireNonNull(UriTarget.parse("http://example.com" + path));
            assertThat(proxy.proxy.owners().changeOf(target)).isZero();
            proxy.proxy.cache().invalidate(target);
            client.get(path).answer();
            assertThat(b.heads).last().asString().doesNotContain("no-cache");
        }
    }

    @Test
    void whatIsNotStorableIsRelayedFromTheOwner() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ORIGINS);
                TestOrigin b = new TestOrigin(answering(
                        "HTTP/1.1 200 OK\r\n" + MARK + "Cache-Control: no-store\r\nContent-Length: 5\r\n\r\nowner"));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            owners(proxy, b.port());
            String path = ownedBy(proxy, "b", 0);
            assertThat(client.get(path).answer()).endsWith("owner").doesNotContain("Weir-Member");
            assertThat(client.get(path).answer())
                    .as("the next time it is relayed from the origin")
                    .endsWith("origin");
        }
    }
}
