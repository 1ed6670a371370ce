package io.weir.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.structured.BareItem;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** RFC 9211: the content of Cache-Status. */
class ForwardTest {
    @Test
    void theReasonsAreThoseOfTheRfc() {
        assertThat(Arrays.stream(Forward.values()).map(Forward::token))
                .containsExactly("bypass", "method", "uri-miss", "vary-miss", "miss", "request", "stale", "partial");
    }

    @Test
    void everyReasonNotToStoreIsAToken() {
        assertThat(Storability.values()).allMatch(reason -> BareItem.Token.isToken(reason.label()));
    }
}
