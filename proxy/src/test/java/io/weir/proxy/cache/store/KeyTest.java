package io.weir.proxy.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Keys, their hash, and the memory of what may not be stored. */
class KeyTest {
    private final KeyHash hash = new KeyHash(1, 2);

    @Test
    void aKeyIsTheAbsoluteUriWithItsPort() {
        KeyBuilder key =
                new KeyBuilder(hash).start(true).host("Origin.TEST", 443).path("/A?b=C");
        assertThat(key).hasToString("https://origin.test:443/A?b=C");
        assertThat(key.queryLength()).isEqualTo(3);
        byte[] text = "GET /x HTTP/1.1 h".getBytes(StandardCharsets.ISO_8859_1);
        key.start(false).host(text, 16, 17, 8).path(text, 4, 6);
        assertThat(key).hasToString("http://h:8/x");
        assertThat(key.queryLength()).isEqualTo(-1);
        assertThat(new KeyBuilder(hash).start(false).host("h", 65535).path("/")).hasToString("http://h:65535/");
    }

    @Test
    void aKeyHasABound() {
        KeyBuilder key =
                new KeyBuilder(hash).start(false).host("h", 1).path("/" + "x".repeat(KeyBuilder.MAX_BYTES - 11));
        assertThat(key.tooLong()).isFalse();
        assertThat(key.length()).isEqualTo(KeyBuilder.MAX_BYTES);
        key.start(false).host("h", 1).path("/" + "x".repeat(KeyBuilder.MAX_BYTES - 10));
        assertThat(key.tooLong()).isTrue();
    }

    @Test
    void theHashDependsOnTheSeedAndOnEveryByte() {
        KeyBuilder a = new KeyBuilder(hash).start(false).host("h", 1).path("/aaaaaaaaaaaaaaaa");
        long first = a.hash();
        assertThat(new KeyBuilder(new KeyHash(3, 2))
                        .start(false)
                        .host("h", 1)
                        .path("/aaaaaaaaaaaaaaaa")
                        .hash())
                .isNotEqualTo(first);
        for (int i = 0; i < 16; i++) {
            StringBuilder path = new StringBuilder("/aaaaaaaaaaaaaaaa");
            path.setCharAt(i + 1, 'b');
            assertThat(a.start(false).host("h", 1).path(path).hash()).isNotEqualTo(first);
        }
        assertThat(a.start(false).host("h", 1).path("/aaaaaaaaaaaaaaaa").hash()).isEqualTo(first);
    }

    @Test
    void whatMayNotBeStoredIsForgottenInTime() {
        HitForMiss known = new HitForMiss(64, 1000);
        known.add(0x123456789abcdef0L, 5000, 60_000);
        assertThat(known.has(0x123456789abcdef0L, 5000)).isTrue();
        assertThat(known.has(0x123456789abcdef0L, 64_000)).isTrue();
        assertThat(known.has(0x123456789abcdef0L, 66_000)).isFalse();
        assertThat(known.has(0x223456789abcdef0L, 5000)).isFalse();
        known.remove(0x123456789abcdef0L);
        assertThat(known.has(0x123456789abcdef0L, 5000)).isFalse();
        known.add(0x123456789abcdef0L, 5000, 0);
        assertThat(known.has(0x123456789abcdef0L, 5000)).isFalse();
    }

    @Test
    void whatMayNotBeStoredTakesABoundedTable() {
        HitForMiss known = new HitForMiss(64, 0);
        for (long i = 1; i <= 1000; i++) {
            known.add(i * 0x9E3779B97F4A7C15L, i, 60_000);
        }
        long last = 0;
        int left = 0;
        for (long i = 1; i <= 1000; i++) {
            last = i * 0x9E3779B97F4A7C15L;
            left += known.has(last, 1000) ? 1 : 0;
        }
        assertThat(left).isBetween(48, 64);
        assertThat(known.has(last, 1000)).isTrue();
    }
}
