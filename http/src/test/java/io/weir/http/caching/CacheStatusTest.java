package io.weir.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.caching.CacheStatus.Forward;
import io.weir.http.structured.BareItem;
import io.weir.http.structured.Member;
import io.weir.http.structured.StructuredParser;
import io.weir.http.structured.StructuredSyntaxException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9211. */
class CacheStatusTest {

    @Test
    void aHitSaysHowLongItStaysFresh() {
        assertThat(CacheStatus.hit("weir", 376).text()).isEqualTo("weir; hit; ttl=376");
        assertThat(CacheStatus.hit("weir", -412).text()).isEqualTo("weir; hit; ttl=-412");
        assertThat(CacheStatus.hit("weir", CacheStatus.NO_TTL).text()).isEqualTo("weir; hit");
    }

    @Test
    void aForwardedRequestSaysWhyAndWhatCameOfIt() {
        assertThat(CacheStatus.forwarded("weir", Forward.URI_MISS).text()).isEqualTo("weir; fwd=uri-miss");
        assertThat(CacheStatus.forwarded("weir", Forward.STALE)
                        .withForwardStatus(304)
                        .withStored()
                        .withCollapsed()
                        .withTtl(60)
                        .withDetail("must-revalidate")
                        .text())
                .isEqualTo("weir; fwd=stale; fwd-status=304; stored; collapsed; ttl=60; detail=must-revalidate");
    }

    @ParameterizedTest
    @EnumSource(Forward.class)
    void everyReasonIsATokenOfTheRfc(Forward forward) {
        assertThat(List.of("bypass", "method", "uri-miss", "vary-miss", "miss", "request", "stale", "partial"))
                .contains(forward.token());
    }

    @Test
    void theCacheNearestToTheClientComesLast() {
        CacheStatus own = CacheStatus.hit("weir", 5);
        assertThat(own.appendTo(null)).isEqualTo("weir; hit; ttl=5");
        assertThat(own.appendTo("")).isEqualTo("weir; hit; ttl=5");
        assertThat(own.appendTo("OriginCache; hit")).isEqualTo("OriginCache; hit, weir; hit; ttl=5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir", "Weir 7", "7", "a\"b\\c", "", "w\r\nX: y", "\u00fc", "cache.example.com:80"})
    void anyNameAndDetailMakeAValidField(String text) throws StructuredSyntaxException {
        String field =
                CacheStatus.forwarded(text, Forward.MISS).withDetail(text).text();
        Member member = StructuredParser.parseList(field).getFirst();
        assertThat(member.parameters()).containsKeys("fwd", "detail");
        assertThat(member.parameters().get("fwd")).isEqualTo(new BareItem.Token("miss"));
        assertThat(field).doesNotContain("\r", "\n");
    }

    @Test
    void everyReasonNotToStoreIsADetail() throws StructuredSyntaxException {
        for (Storability reason : Storability.values()) {
            String field = CacheStatus.forwarded("weir", Forward.METHOD)
                    .withDetail(reason.label())
                    .text();
            assertThat(StructuredParser.parseList(field).getFirst().parameters().get("detail"))
                    .isEqualTo(new BareItem.Token(reason.label()));
        }
    }
}
