package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the access log tells of an exchange: bytes of heads and bodies on both sides, types, ends. */
@ExtendWith(LeakCheck.class)
class RecordedExchangeTest {
    private static final String NUMBERS =
            "%Ses->client.ip% %Req->srvhdrs.clf-status% c2p=%Req->vars.c2p-hl%/%Req->vars.c2p-cl%"
                    + " p2r=%Req->vars.p2r-hl%/%Req->vars.p2r-cl% r2p=%Req->vars.r2p-hl%/%Req->vars.r2p-cl%"
                    + " p2c=%Req->vars.p2c-hl%/%Req->vars.p2c-cl% type=%Req->srvhdrs.content-type%"
                    + " remote=%Req->vars.remote-status%";

    @TempDir
    Path folder;

    private TestProxy.Made logging(TestProxy.Made made) {
        List<String> lines = new ArrayList<>(made.proxy());
        lines.add("access-log.format=custom");
        lines.add("access-log.custom=" + NUMBERS);
        return TestProxy.Made.of(lines.toArray(String[]::new)).data(folder);
    }

    private List<String> lines() throws Exception {
        try (var files = Files.walk(folder)) {
            Path log = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            return Files.readAllLines(log).stream()
                    .filter(l -> l.startsWith("127."))
                    .toList();
        }
    }

    @Test
    void bytesOfHeadsAndBodiesAreCountedApartOnBothSides() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: text/x\r\nContent-Length: 5\r\n\r\n";
        String post = "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        String got;
        String up;
        try (TestOrigin origin = new TestOrigin((request, in, out) -> {
                    in.readNBytes("7\r\n1234567\r\n0\r\n\r\n".length());
                    TestOrigin.write(out, head + "hello");
                    return true;
                });
                TestProxy proxy = logging(TestProxy.reversing(origin.port())).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(post + "7\r\n1234567\r\n0\r\n\r\n");
            got = client.answer();
            up = origin.heads.getFirst();
        }
        assertThat(lines())
                .containsExactly("127.0.0.1 200 c2p=" + post.length() + "/7 p2r=" + up.length() + "/7 r2p="
                        + head.length() + "/5 p2c=" + (got.length() - 5) + "/5 type=text/x remote=200");
    }

    @Test
    void aMissForTheStoreAndAHitAreToldApart() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\n";
        try (TestOrigin origin = TestOrigin.always(head + "hello");
                TestProxy proxy = logging(TestProxy.reversing(origin.port())).start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            client.get("/a").answer();
        }
        assertThat(lines()).hasSize(2);
        assertThat(lines().getFirst()).contains(" r2p=" + head.length() + "/5 ", "remote=200");
        assertThat(lines().getLast()).contains(" p2r=0/0 r2p=0/0 ").endsWith("remote=-");
    }

    @Test
    void anAnswerOfOurOwnHasItsType() throws Exception {
        try (TestProxy proxy = logging(TestProxy.Made.of("routes.0.deny=on")).start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
        }
        assertThat(lines()).singleElement().asString().contains(" 403 ").contains("type=text/plain");
    }

    @Test
    void aTunnelIsRecordedAtItsEnd() throws Exception {
        try (TestOrigin origin = new TestOrigin((request, in, out) -> {
                    TestOrigin.write(out, "bye");
                    return false;
                });
                TestProxy proxy = logging(TestProxy.Made.of(
                                "routes.0.connect.enabled=on", "routes.0.connect.ports.0=" + origin.port()))
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            String there = "127.0.0.1:" + origin.port();
            client.send("CONNECT " + there + " HTTP/1.1\r\nHost: " + there + "\r\n\r\n")
                    .head();
            client.send("1234\r\n\r\n");
            assertThat(client.rest()).isEqualTo("bye");
        }
        assertThat(lines()).singleElement().asString().contains(" 200 ").containsPattern("c2p=\\d+/8 .*p2c=\\d+/3");
    }
}
