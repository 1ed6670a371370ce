package io.weir.server.migrate.squid;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random rules: no request passes the translation that the rules, evaluated one by one, refuse. */
final class SquidAccessFuzzTest {
    private static final List<String> ACLS = List.of(
            "office src 10.0.0.0/8",
            "guests src 10.9.0.0/16",
            "local src 127.0.0.1",
            "ssl port 443",
            "safe port 80 443 1025-65535",
            "bad dstdomain .evil.test",
            "good dstdomain www.good.test .evil.test",
            "post method POST PUT",
            "get method GET HEAD",
            "users proxy_auth REQUIRED",
            "ann proxy_auth ann",
            "night time 22:00-24:00");
    private static final List<String> NAMES = List.of(
            "all", "office", "guests", "local", "ssl", "safe", "bad", "good", "post", "get", "users", "ann", "night",
            "CONNECT");

    private record Request(
            String client,
            String method,
            String host,
            int port,
            @Nullable String user,
            boolean night) {}

    private final SquidAcls acls = new SquidAcls(new Findings());

    SquidAccessFuzzTest() {
        ACLS.forEach(a -> acls.read(directive("acl", a)));
    }

    private static Directive directive(String name, String words) {
        return new Directive(name, Arrays.asList(words.split(" ", -1)), new Place("squid.conf", 1, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noRequestPassesThatTheRulesRefuse(long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        int passed = 0;
        for (int i = 0; i < 400; i++) {
            List<Directive> rules = rules(random);
            SquidBox plain = new SquidAccess(acls, rules, new Findings()).allowed(SquidAccess.Kind.FORWARD);
            SquidBox tunnel = new SquidAccess(acls, rules, new Findings()).allowed(SquidAccess.Kind.TUNNEL);
            for (int n = 0; n < 60; n++) {
                Request r = request(random);
                SquidBox box = r.method().equals("CONNECT") ? tunnel : plain;
                boolean passes = box != null && has(box, r);
                passed += passes ? 1 : 0;
                assertThat(passes && !allows(rules, r))
                        .as(r + "\n" + rules.stream().map(Directive::text).toList() + "\n" + box)
                        .isFalse();
            }
        }
        assertThat(passed).isGreaterThan(100);
    }

    private static List<Directive> rules(RandomGenerator random) {
        List<Directive> rules = new ArrayList<>();
        int n = 1 + random.nextInt(5);
        for (int i = 0; i < n; i++) {
            StringBuilder words = new StringBuilder(random.nextInt(5) < 2 ? "allow" : "deny");
            int m = 1 + random.nextInt(2);
            for (int k = 0; k < m; k++) {
                words.append(random.nextInt(3) == 0 ? " !" : " ").append(NAMES.get(random.nextInt(NAMES.size())));
            }
            rules.add(directive("http_access", words.toString()));
        }
        return rules;
    }

    private static Request request(RandomGenerator random) {
        return new Request(
                pick(random, "10.1.2.3", "10.9.2.3", "127.0.0.1", "192.0.2.1"),
                pick(random, "GET", "POST", "DELETE", "CONNECT"),
                pick(random, "www.good.test", "a.evil.test", "evil.test", "other.test"),
                random.nextInt(2) == 0 ? 443 : List.of(80, 25, 8080).get(random.nextInt(3)),
                random.nextInt(3) == 0 ? null : pick(random, "ann", "bob"),
                random.nextBoolean());
    }

    private static String pick(RandomGenerator random, String... of) {
        return of[random.nextInt(of.length)];
    }

    /** The rules in order, as Squid reads them. */
    private boolean allows(List<Directive> rules, Request r) {
        boolean last = false;
        for (Directive rule : rules) {
            last = rule.word(0).equals("allow");
            boolean all =
                    rule.words().stream().skip(1).allMatch(w -> w.startsWith("!") != matches(w.replace("!", ""), r));
            if (all) {
                return last;
            }
        }
        return !last;
    }

    private static boolean matches(String name, Request r) {
        return switch (name) {
            case "all" -> true;
            case "office" -> r.client().startsWith("10.");
            case "guests" -> r.client().startsWith("10.9.");
            case "local" -> r.client().equals("127.0.0.1");
            case "ssl" -> r.port() == 443;
            case "safe" -> r.port() == 80 || r.port() == 443 || r.port() > 1024;
            case "bad" -> r.host().endsWith("evil.test");
            case "good" -> !r.host().equals("other.test");
            case "post" -> r.method().equals("POST");
            case "get" -> r.method().equals("GET");
            case "users" -> r.user() != null;
            case "ann" -> "ann".equals(r.user());
            case "night" -> r.night();
            default -> r.method().equals("CONNECT");
        };
    }

    /** Whether the routes and destinations that are written of the set let the request pass. */
    private static boolean has(SquidBox box, Request r) {
        AddressSet client = AddressSet.parse(r.client());
        PortSet port = PortSet.parse(String.valueOf(r.port()));
        List<String> methods = box.methods();
        List<String> hosts = box.hosts();
        List<String> users = box.users();
        boolean in = client != null
                && box.clients().contains(client)
                && port != null
                && box.ports().contains(port);
        boolean method = methods == null || methods.contains(r.method());
        boolean host = (hosts == null || names(hosts, r.host())) && !names(box.without(), r.host());
        boolean user = users == null || (r.user() != null && (users.isEmpty() || users.contains(r.user())));
        return in && method && host && user;
    }

    private static boolean names(List<String> patterns, String host) {
        return patterns.stream().anyMatch(p -> p.startsWith("*.") ? host.endsWith(p.substring(1)) : host.equals(p));
    }
}
