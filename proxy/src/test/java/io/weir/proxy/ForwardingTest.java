package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.listen.BindFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers say of who they are and what they ask for goes no further, whatever its spelling. */
@ExtendWith(LeakCheck.class)
class ForwardingTest {
    private static final String NONE = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private static final List<String> NAMES = List.of(
            "Forwarded",
            "X-Forwarded",
            "X-Forwarded-Port",
            "X-Forwarded-Prefix",
            "X-Forwarded-Scheme",
            "X-Forwarded-Ssl",
            "X-Forwarded-Uri",
            "X-Forwarded-Client-Cert",
            "X-Original-URL",
            "X-Original-Host",
            "X-Rewrite-URL",
            "X-Host",
            "X-HTTP-Host-Override",
            "X-Real-IP",
            "X-Client-IP",
            "X-Cluster-Client-IP",
            "True-Client-IP",
            "Client-IP",
            "CF-Connecting-IP",
            "Client-Cert",
            "Client-Cert-Chain",
            "Proxy-User-DN",
            "Proxy");

    /** Each name as it is, with one and with all hyphens replaced, in other cases. */
    private static List<String> spellings() {
        List<String> all = new ArrayList<>();
        for (String name : NAMES) {
            all.add(name);
            all.add(name.toUpperCase(Locale.ROOT));
            if (name.contains("-")) {
                all.add(name.replace('-', '_'));
                all.add(name.replaceFirst("-", "_").toLowerCase(Locale.ROOT));
            }
        }
        all.addAll(List.of(
                "WL-Proxy-Client-IP",
                "wl_proxy_ssl",
                "Proxy-Client-IP",
                "CF-Visitor",
                "CloudFront-Forwarded-Proto",
                "X-Backend-Host",
                "X-Original-Method",
                "X-Script-Name",
                "X-SSL-Client-Cert",
                "X.Forwarded.Proto",
                "x.real_ip"));
        all.add("X_Forwarded_For");
        all.add("X-Forwarded_Host");
        all.add("x_forwarded-proto");
        return all;
    }

    private static final List<String> KEPT =
            List.of("X-Forwardedly", "X-Hosts", "X-Request-ID", "Proxying", "X_Other", "Traceparent", "X-Scheme-Of");

    private static String[] lines() {
        List<String> lines = new ArrayList<>();
        spellings().forEach(name -> lines.add(name + ": secret"));
        KEPT.forEach(name -> lines.add(name + ": kept"));
        return lines.toArray(String[]::new);
    }

    private static TestProxy proxy(TestOrigin origin, String... more) throws BindFailure {
        return TestProxy.reversing(origin.port(), more).start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "x-forwarded", "forwarded", "both"})
    void aStrangersWordIsNotPassedOn(String mode) throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = proxy(origin, "forwarded=" + mode);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", lines()).answer();
            assertThat(origin.heads.getFirst()).doesNotContain("secret");
            KEPT.forEach(name -> assertThat(origin.heads.getFirst()).contains(name + ": kept\r\n"));
        }
    }

    @Test
    void norFromFramesOrThroughFramesOrWithABodyOrAnUpgrade() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy between = TestProxy.reversing(
                                origin.port(), "via-pseudonym=between", "trusted-proxies.0=127.0.0.0/8")
                        .listener("port=0", "http2=only")
                        .start();
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.pool=p",
                                "origins.p.servers.0.url=http://127.0.0.1:" + between.port(),
                                "origins.p.http2=on")
                        .start();
                FrameClient frames = new FrameClient(proxy.port());
                RawClient client = new RawClient(proxy.port())) {
            String[] lower = lines();
            for (int i = 0; i < lower.length; i++) {
                lower[i] = lower[i].toLowerCase(Locale.ROOT);
            }
            assertThat(frames.get(1, "/a", lower).answer(1).status()).isEqualTo("200");
            client.send("POST /a HTTP/1.1\r\nHost: example.com\r\nContent-Length: 2\r\n" + String.join("\r\n", lines())
                    + "\r\n\r\nhi");
            client.answer();
            client.get("/a", with(lines(), "Connection: upgrade", "Upgrade: raw"))
                    .answer();
            assertThat(origin.heads).hasSize(3).noneMatch(h -> h.contains("secret"));
            assertThat(origin.heads)
                    .allMatch(h -> h.contains("X-Forwarded-For: 127.0.0.1, 127.0.0.1\r\n")
                            || h.contains("x-forwarded-for: 127.0.0.1, 127.0.0.1\r\n"));
        }
    }

    /** Applications take another method from a POST; what makes another one of a GET would be stored as that GET's answer. */
    @ParameterizedTest
    @ValueSource(strings = {"X-HTTP-Method-Override", "x_http_method_override", "X-HTTP-Method", "X-Method-Override"})
    void aSafeRequestHasNoOtherMethod(String name) throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = proxy(origin);
                TestProxy edits = proxy(origin, "routes.0.set-request-headers.X-Set=1");
                RawClient client = new RawClient(proxy.port());
                RawClient edited = new RawClient(edits.port())) {
            client.get("/a", name + ": DELETE").answer();
            edited.get("/a", name + ": DELETE").answer();
            assertThat(origin.heads).hasSize(2).noneMatch(h -> h.contains("DELETE"));
            client.send("POST /a HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n" + name + ": DELETE\r\n\r\n");
            client.answer();
            assertThat(origin.heads.getLast()).contains(name + ": DELETE\r\n");
        }
    }

    private static String[] with(String[] lines, String... more) {
        List<String> all = new ArrayList<>(List.of(lines));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void aTrustedPeersWordIsPassedOn() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = proxy(origin, "trusted-proxies.0=127.0.0.0/8", "forwarded=off");
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", lines()).answer();
            for (String name : spellings()) {
                assertThat(origin.heads.getFirst()).contains(name + ": secret\r\n");
            }
        }
    }

    @Test
    void whatARouteSetsIsPassedOnAndNotBesideAnotherSpelling() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = proxy(
                        origin,
                        "routes.0.set-request-headers.X-Forwarded-Prefix=/shop",
                        "routes.0.set-request-headers.X-User=guest",
                        "routes.0.remove-request-headers.0=X-Admin");
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", with(lines(), "X_User: root", "X-User: root", "x_admin: root", "X-Admin: root"))
                    .answer();
            assertThat(origin.heads.getFirst())
                    .contains("X-Forwarded-Prefix: /shop\r\n", "X-User: guest\r\n", "X_Other: kept\r\n")
                    .doesNotContain("secret", "root");
        }
    }
}
