package io.weir.server.admin.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.admin.AdminRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a purge numbers for all processes: never what they refuse, such as a URL that was cut. */
class PurgedUrlsTest {
    private static String purged(Map<String, String> query) {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        return String.valueOf(
                CacheViews.purged(new AdminRequest("DELETE", "/cache", query, Map.of(), "", here, "token")));
    }

    @Test
    void onlyWhatIsOneWholeUrlOrEverythingIsPurged() {
        assertThat(purged(Map.of("url", "http://a/x?b=1&c=2"))).isEqualTo("http://a/x?b=1&c=2");
        assertThat(purged(Map.of("all", ""))).isEmpty();
        assertThat(purged(Map.of("url", "http://a/x?b=1", "c", "2"))).as("cut").isEqualTo("null");
        assertThat(purged(Map.of("url", "ftp://a/x"))).isEqualTo("null");
        assertThat(purged(Map.of("url", "http://a/x", "all", ""))).isEqualTo("null");
        assertThat(purged(Map.of())).isEqualTo("null");
    }
}
