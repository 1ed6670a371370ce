package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variants are told apart by what the origin was sent, not by what the client sent to this hop. */
@ExtendWith(LeakCheck.class)
class VariantsTest {
    /** Answers with the value of a field that it got, for which it says to vary. */
    private static TestOrigin varying(String field) throws IOException {
        return new TestOrigin((head, in, out) -> {
            String body = head.lines()
                    .filter(l -> l.toLowerCase(Locale.ROOT).startsWith(field.toLowerCase(Locale.ROOT) + ": "))
                    .findFirst()
                    .map(l -> l.substring(field.length() + 2))
                    .orElse("none");
            TestOrigin.write(
                    out,
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nVary: " + field + "\r\nContent-Length: "
                            + body.length() + "\r\n\r\n" + body);
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept-Language", "Accept", "User-Agent", "X-Tenant"})
    void whoSaysThatAFieldEndsHereChoosesNoVariantByIt(String field) throws Exception {
        try (TestOrigin origin = varying(field);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient attacker = new RawClient(proxy.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(attacker.get("/a", field + ": mine", "Connection: " + field)
                            .answer())
                    .endsWith("none");
            assertThat(client.get("/a", field + ": mine").answer()).endsWith("mine");
            assertThat(client.get("/a", field + ": mine").answer())
                    .contains("; hit")
                    .endsWith("mine");
            assertThat(client.get("/a").answer()).contains("; hit").endsWith("none");
        }
    }

    @Test
    void whatIsMadeForAnAddressIsForNobodyElse() throws Exception {
        try (TestOrigin origin = varying("X-Forwarded-For");
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .listener("port=0", "proxy-protocol.enabled=on")
                        .start()) {
            for (String address : new String[] {"203.0.113.1", "203.0.113.2"}) {
                try (RawClient client = new RawClient(proxy.port())) {
                    client.send("PROXY TCP4 " + address + " 127.0.0.1 40000 80\r\n");
                    assertThat(client.get("/a").answer()).endsWith(address);
                }
            }
        }
    }
}
