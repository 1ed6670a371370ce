package io.weir.proxy.program.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.proxy.program.server.VirtualServers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VirtualServersTest {
    private final Map<String, VirtualServerConfig> section = new LinkedHashMap<>();

    private VirtualServersTest with(String name, List<String> hosts, List<String> listeners) {
        section.put(name, new VirtualServerConfig(hosts, listeners));
        return this;
    }

    private String select(String listener, String host) {
        return select(listener, "default", host);
    }

    private String select(String listener, String preferred, String host) {
        byte[] bytes = ("x" + host + "x").getBytes(StandardCharsets.ISO_8859_1);
        return VirtualServers.of(section)
                .select(listener, preferred, bytes, 1, bytes.length - 1)
                .name();
    }

    @Test
    void withoutAnyThereIsTheDefaultOne() {
        assertThat(VirtualServers.of(section).all()).containsExactly(VirtualServer.DEFAULT);
        assertThat(select("http", "www.example.com")).isEqualTo("default");
        assertThat(select("http", "")).isEqualTo("default");
    }

    @Test
    void hostSelectsTheMostSpecific() {
        with("a", List.of("www.a.example"), List.of()).with("wild", List.of("*.a.example"), List.of());
        assertThat(select("http", "WWW.a.Example")).isEqualTo("a");
        assertThat(select("http", "x.y.a.example")).isEqualTo("wild");
        assertThat(select("http", "a.example")).isEqualTo("default");
        assertThat(select("http", "xa.example")).isEqualTo("default");
    }

    @Test
    void listenerComesBeforeTheHost() {
        with("inner", List.of(), List.of("admin")).with("shop", List.of("shop.example"), List.of("http"));
        assertThat(select("http", "shop.example")).isEqualTo("shop");
        assertThat(select("admin", "shop.example")).isEqualTo("inner");
        assertThat(select("other", "shop.example")).isEqualTo("default");
    }

    @Test
    void listenersOwnTakesWhatNoHostDoes() {
        with("inner", List.of(), List.of("http")).with("shop", List.of("shop.example"), List.of("http"));
        with("other", List.of("other.example"), List.of("two"));
        assertThat(select("http", "other", "x.example")).isEqualTo("other");
        assertThat(select("http", "other", "shop.example")).isEqualTo("shop");
        assertThat(select("http", "default", "x.example")).isEqualTo("inner");
        assertThat(select("http", "unknown", "x.example")).isEqualTo("inner");
    }

    @Test
    void firstOfTwoWithTheSameHostWins() {
        with("one", List.of("a.example"), List.of()).with("two", List.of("a.example"), List.of());
        assertThat(select("http", "a.example")).isEqualTo("one");
    }
}
