package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.http.semantics.UriTarget;
import io.weir.kernel.listen.BindFailure;
import io.weir.proxy.cache.CachedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One canonical request: what is keyed is what the origin gets. Requests are generated in many spellings, each alone in
 * an empty cache, so that its key and what the origin saw can be held against those of all others.
 */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class CanonicalRequestTest {
    private static final int REQUESTS = 150;

    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 5\r\n\r\nhello";

    private static final String[] HOSTS = {
        "v.test",
        "V.TEST",
        "v.test.",
        "V.Test.:80",
        "v.test:080",
        "v.test:8080",
        "V.TEST.:08080",
        "w.test",
        "v.test:443",
        "[::1]",
        "[::1]:80",
        "[::A]",
        "[::a]:00080",
        "v.test..",
        "."
    };

    private static final String[] SEGMENTS = {
        "a", "A", "%61", "%41", "~", "%7e", "%7E", "%2f", "%2F", "%25", "..", ".", "%2e", "%2E.", "", "b;c", "%2561",
        "%5c"
    };

    private static final String[] QUERIES = {"", "", "?", "?q", "?%7E", "?~", "?/../a"};

    /** What strangers say, and what it may not make of their requests. */
    private static final String[] FORWARDING = {
        "X-Forwarded-Host: evil.test",
        "X_Forwarded_Host: evil.test",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Port: 443",
        "X_FORWARDED_PORT: 443",
        "X-Forwarded-Prefix: /evil",
        "X-Forwarded-Scheme: https",
        "X-Forwarded: for=9.9.9.9",
        "Forwarded: host=evil.test;proto=https",
        "X-Original-URL: /evil",
        "X_Original_URL: /evil",
        "X-Rewrite-URL: /evil",
        "X-Host: evil.test",
        "X-Real-IP: 9.9.9.9",
        "X_Real_IP: 9.9.9.9",
        "WL-Proxy-Client-IP: 9.9.9.9",
        "X.Forwarded.Proto: https",
        "X-HTTP-Method-Override: HEAD",
        "True-Client-IP: 9.9.9.9",
        "Client_IP: 9.9.9.9",
        "Client_Cert: :evil:",
        "Proxy_User_DN: CN=evil",
        "Proxy: http://evil.test/"
    };

    /** What a trusted peer says: some of it is what the request says, some is not. */
    private static final String[] TOLD = {
        "X-Forwarded-Proto: https",
        "X-Forwarded-Proto: HTTPS, http",
        "X-Forwarded-Proto: http",
        "X-Forwarded-Host: v.test",
        "X-Forwarded-Host: V.TEST.:443",
        "X-Forwarded-Host: w.test:8080",
        "X-Host: v.test",
        "X_Host: V.TEST",
        "X-Forwarded-Port: 80",
        "X-Forwarded-Port: 443",
        "Forwarded: for=1.2.3.4;proto=https",
        "Forwarded: for=1.2.3.5;host=v.test",
        "Forwarded: host=\"v.test:8080\";proto=http, for=9.9.9.9",
        "X-Forwarded-Prefix: /p",
        "X_Original_Url: /p",
        "X-Real-IP: 1.2.3.4"
    };

    /** A request as a client spells it. */
    private record Spelling(boolean http2, boolean absolute, String host, String target, List<String> fields) {
        static Spelling random(RandomGenerator random, String[] said, int most) {
            StringBuilder path = new StringBuilder();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                path.append('/').append(pick(random, SEGMENTS));
            }
            List<String> fields = new ArrayList<>();
            for (int i = random.nextInt(most + 1); i > 0; i--) {
                String line = pick(random, said);
                String name = line.substring(0, line.indexOf(':'));
                if (fields.stream().noneMatch(f -> f.startsWith(name + ":"))) {
                    fields.add(line);
                }
            }
            return new Spelling(
                    random.nextBoolean(),
                    random.nextInt(4) == 0,
                    pick(random, HOSTS),
                    path + pick(random, QUERIES),
                    fields);
        }

        private static String pick(RandomGenerator random, String[] from) {
            return from[random.nextInt(from.length)];
        }

        /** Sends it; the status. */
        String send(String method, int port) throws Exception {
            return http2 ? sendFrames(method, port) : sendText(method, port);
        }

        private String sendText(String method, int port) throws Exception {
            try (RawClient client = new RawClient(port)) {
                String first = absolute ? "http://" + host + target : target;
                String lines = fields.stream().map(f -> f + "\r\n").collect(Collectors.joining());
                client.send(method + ' ' + first + " HTTP/1.1\r\nHost: " + host + "\r\n" + lines + "\r\n");
                return client.answer().substring(9, 12);
            }
        }

        private String sendFrames(String method, int port) throws Exception {
            try (FrameClient client = new FrameClient(port)) {
                List<String> lines = new ArrayList<>(
                        List.of(":method: " + method, ":scheme: http", ":authority: " + host, ":path: " + target));
                for (String f : fields) {
                    int colon = f.indexOf(':');
                    lines.add(f.substring(0, colon).toLowerCase(Locale.ROOT) + f.substring(colon));
                }
                return client.request(1, true, lines.toArray(String[]::new))
                        .answer(1)
                        .status();
            }
        }
    }

    /** What the origin gets of a request, but for what differs by who asks and through which protocol. */
    private static String seen(String head) {
        TreeSet<String> lines = new TreeSet<>();
        String[] all = head.strip().split("\r\n", -1);
        for (int i = 1; i < all.length; i++) {
            String name = all[i].substring(0, all[i].indexOf(':')).toLowerCase(Locale.ROOT);
            if (!List.of("via", "x-forwarded-for", "x-real-ip").contains(name)) {
                lines.add(name + all[i].substring(name.length()));
            }
        }
        return all[0] + '\n' + String.join("\n", lines);
    }

    private static TestProxy proxy(TestOrigin origin, String... more) throws BindFailure {
        return TestProxy.reversing(origin.port(), more).start();
    }

    private static String key(TestProxy proxy) {
        List<CachedObject> stored = proxy.proxy.cache().inspection().objects(2);
        assertThat(stored).hasSizeLessThan(2);
        return stored.isEmpty() ? "" : stored.getFirst().uri();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20261123, 0xB})
    void oneKeyIsOneRequestToTheOriginAndOneRequestIsOneKey(long seed) throws Exception {
        RandomGenerator random = Chance.seeded(seed).random();
        Map<String, String> byKey = new HashMap<>();
        Map<String, String> bySight = new HashMap<>();
        try (TestOrigin origin = TestOrigin.always(ANSWER);
                TestProxy proxy = proxy(origin)) {
            for (int i = 0; i < REQUESTS; i++) {
                Spelling one = Spelling.random(random, FORWARDING, 3);
                proxy.proxy.cache().clear();
                origin.heads.clear();
                assertThat(one.send("GET", proxy.port())).as(one.toString()).isEqualTo("200");
                String sight = seen(origin.heads.getFirst());
                assertThat(sight)
                        .as(one.toString())
                        .doesNotContainIgnoringCase("evil")
                        .doesNotContain("9.9.9.9");
                String key = key(proxy);
                assertThat(key).as(one.toString()).isNotEmpty();
                assertThat(byKey.merge(key, sight, (a, _) -> a))
                        .as(one + " is " + key)
                        .isEqualTo(sight);
                assertThat(bySight.merge(sight, key, (a, _) -> a))
                        .as(one + " is " + sight)
                        .isEqualTo(key);
                found(proxy, one, key);
            }
            assertThat(byKey).hasSizeBetween(10, REQUESTS - 10);
        }
    }

    /** The stored object is found by the request as it was spelled: by a purge, and by an unsafe method. */
    private static void found(TestProxy proxy, Spelling one, String key) throws Exception {
        UriTarget named = Objects.requireNonNull(UriTarget.parse("http://" + one.host() + one.target()));
        assertThat(one.send("GET", proxy.port())).isEqualTo("200");
        assertThat(proxy.proxy.cache().invalidate(named)).as(one + " is " + key).isOne();
        assertThat(one.send("GET", proxy.port())).isEqualTo("200");
        assertThat(key(proxy)).isEqualTo(key);
        assertThat(one.send("DELETE", proxy.port())).isEqualTo("200");
        assertThat(key(proxy)).as("%s deletes %s", one, key).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "x-forwarded", "forwarded", "both"})
    void whatATrustedPeerTellsIsKeyedOrNotStored(String mode) throws Exception {
        RandomGenerator random = Chance.seeded(7).random();
        Map<String, String> byKey = new HashMap<>();
        try (TestOrigin origin = TestOrigin.always(ANSWER);
                TestProxy proxy = proxy(origin, "trusted-proxies.0=127.0.0.0/8", "forwarded=" + mode)) {
            int stored = 0;
            for (int i = 0; i < REQUESTS; i++) {
                Spelling one = Spelling.random(random, TOLD, 3);
                proxy.proxy.cache().clear();
                origin.heads.clear();
                String status = one.send("GET", proxy.port());
                boolean tlsOfAbsolute = one.absolute() && !one.http2() && status.equals("421");
                assertThat(status.equals("200") || tlsOfAbsolute)
                        .as(one + " " + status)
                        .isTrue();
                String key = key(proxy);
                if (key.isEmpty()) {
                    continue;
                }
                stored++;
                String sight = agreeing(seen(origin.heads.getFirst()), key, one);
                assertThat(byKey.merge(key, sight, (a, _) -> a))
                        .as(one + " is " + key)
                        .isEqualTo(sight);
            }
            assertThat(stored).isBetween(20, REQUESTS - 20);
            assertThat(byKey.keySet()).anyMatch(k -> k.startsWith("https://"));
        }
    }

    /** Leaves out what repeats the key; what contradicts it is an error. */
    private static String agreeing(String sight, String key, Spelling one) {
        UriTarget asked = Objects.requireNonNull(UriTarget.parse(key));
        String authority = asked.authority().text();
        StringBuilder rest = new StringBuilder();
        for (String line : sight.split("\n", -1)) {
            String value = line.substring(line.indexOf(':') + 1).strip();
            String name = line.substring(0, Math.max(0, line.indexOf(':'))).replace('_', '-');
            switch (name) {
                case "x-forwarded-host", "x-host", "host" ->
                    assertThat(value).as(one.toString()).isEqualTo(authority);
                case "x-forwarded-proto" -> assertThat(value).as(one.toString()).isEqualTo(asked.scheme());
                case "x-forwarded-port" ->
                    assertThat(value).as(one.toString()).isEqualTo(Integer.toString(asked.port()));
                case "forwarded" -> {
                    String alike = value.replace("host=" + authority, "")
                            .replace("host=\"" + authority + '"', "")
                            .replace("proto=" + asked.scheme(), "");
                    assertThat(alike).as(one.toString()).doesNotContain("host=", "proto=");
                }
                default -> rest.append(line).append('\n');
            }
        }
        return rest.toString();
    }
}
