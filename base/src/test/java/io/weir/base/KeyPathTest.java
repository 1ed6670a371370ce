package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPathTest {
    @ParameterizedTest
    @CsvSource(quoteCharacter = '\'', textBlock = """
            kernel,                             kernel
            kernel.keep-alive.timeout,          kernel|keep-alive|timeout
            messaging.queues."orders.in".quota, messaging|queues|orders.in|quota
            messaging.queues."orders.in",       messaging|queues|orders.in
            "a.b"."c.d",                        a.b|c.d
            a..b,                               a||b
            a.,                                 a|
            a."b,                               a|"b
            a."b".c"d",                         a|b|c"d"
            a."b"c.d,                           a|"b"c|d
            '',                                 ''
            """)
    void namesAreBetweenDotsOutsideOfQuotes(String key, String names) {
        assertThat(String.join("|", KeyPath.names(key))).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '\'', textBlock = """
            messaging.queues.*.quota, messaging.queues.demo.quota,        true
            messaging.queues.*.quota, messaging.queues."orders.in".quota, true
            messaging.queues.*.quota, messaging.queues.orders.in.quota,   false
            messaging.queues.*.quota, messaging.queues.demo.quot,         false
            messaging.queues.*.quota, messaging.queues.demo.quotas,       false
            messaging.queues.*.quota, messaging.queues.demo,              false
            messaging.queues.*,       messaging.queues.demo.quota,        false
            messaging.queues.*,       messaging.queues.,                  true
            kernel.mode,              kernel."mode",                      true
            kernel.mode,              kernel,                             false
            kernel,                   kernel.mode,                        false
            *,                        a,                                  true
            """)
    void aPatternHasAnyNameForAStar(String pattern, String key, boolean matches) {
        assertThat(KeyPath.matches(pattern, key)).isEqualTo(matches);
    }

    @Test
    void aNameWithADotIsQuoted() {
        assertThat(KeyPath.join("messaging.queues", "demo")).isEqualTo("messaging.queues.demo");
        assertThat(KeyPath.join("messaging.queues", "orders.in")).isEqualTo("messaging.queues.\"orders.in\"");
        assertThat(KeyPath.join("", "kernel")).isEqualTo("kernel");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "orders.in", "DEV.QUEUE.1"})
    void whatIsJoinedIsReadBack(String name) {
        assertThat(KeyPath.names(KeyPath.join(KeyPath.join("messaging.queues", name), "quota")))
                .containsExactly("messaging", "queues", name, "quota");
    }

    @Test
    void theKeysAbove() {
        String key = "messaging.queues.\"orders.in\".quota";
        assertThat(KeyPath.allAbove(key))
                .containsExactly("messaging", "messaging.queues", "messaging.queues.\"orders.in\"");
        assertThat(KeyPath.above(key)).isEqualTo("messaging.queues.\"orders.in\"");
        assertThat(KeyPath.above("messaging")).isNull();
    }
}
