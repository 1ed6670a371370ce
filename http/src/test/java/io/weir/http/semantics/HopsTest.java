package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.FieldName;
import io.weir.http.FieldNames;
import io.weir.http.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 7.6.1. */
class HopsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connection",
                "keep-alive",
                "proxy-connection",
                "te",
                "transfer-encoding",
                "upgrade",
                "http2-settings"
            })
    void theFixedFieldsEndHereWithoutBeingNamed(String name) {
        assertThat(Hops.FIXED.removes(name)).isTrue();
        assertThat(Hops.of("x-other").removes(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"content-type", "trailer", "x-custom", "cache-control", "via", "proxy-authorization"})
    void otherFieldsGoOnUnlessNamed(String name) {
        assertThat(Hops.of(null).removes(name)).isFalse();
        assertThat(Hops.of("close").removes(name)).isFalse();
    }

    @Test
    void fieldsThatConnectionNamesEndHereInAnyCase() {
        Hops hops = Hops.of("close, X-Custom,a , ,\tB");
        assertThat(hops.nominated()).containsExactlyInAnyOrder("x-custom", "a", "b");
        assertThat(hops.removes("x-custom")).isTrue();
        assertThat(hops.removes("c")).isFalse();
        assertThat(hops.refused()).isZero();
        assertThat(hops.close()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "Content-Length",
                "content-encoding",
                "Authorization",
                "Cookie",
                "Set-Cookie",
                "Cache-Control",
                "Date",
                "ETag",
                "Vary",
                "Range",
                "If-None-Match",
                "Via",
                "Forwarded",
                "X-Forwarded-For",
                "X-Forwarded-Anything",
                "Max-Forwards",
                "Location",
                "Access-Control-Allow-Origin"
            })
    void fieldsForEveryRecipientCannotBeStripped(String name) {
        Hops hops = Hops.of("close, " + name);
        assertThat(hops.removes(name.toLowerCase(java.util.Locale.ROOT))).isFalse();
        assertThat(hops.refused()).isEqualTo(1);
        assertThat(hops.close()).isTrue();
    }

    @Test
    void connectionOptionsAreNoFields() {
        assertThat(Hops.of("close").close()).isTrue();
        assertThat(Hops.of("Close").keepAlive()).isFalse();
        assertThat(Hops.of("Keep-Alive").keepAlive()).isTrue();
        assertThat(Hops.of("keep-alive, Upgrade, HTTP2-Settings").upgrade()).isTrue();
        assertThat(Hops.of("keep-alive").upgrade()).isFalse();
        assertThat(Hops.of("closed").close()).isFalse();
        assertThat(Hops.of("x-close").close()).isFalse();
    }

    @Test
    void usualValuesShareOneObject() {
        assertThat(Hops.of(null)).isSameAs(Hops.FIXED);
        assertThat(Hops.of("close")).isSameAs(Hops.of("CLOSE"));
        assertThat(Hops.of("keep-alive")).isSameAs(Hops.of("Keep-Alive"));
    }

    @Test
    void fieldsSayTheSameAsTheirText() {
        assertThat(Hops.in(new Fields())).isSameAs(Hops.FIXED);
        for (String value : List.of("close", "Keep-Alive", "CLOSE", "keep-alive, X-A", "closed", "")) {
            Fields fields = new Fields();
            fields.add(FieldName.CONNECTION, value);
            assertThat(Hops.in(fields)).usingRecursiveComparison().isEqualTo(Hops.of(value));
        }
        Fields two = new Fields();
        two.add(FieldName.CONNECTION, "close");
        two.add(FieldName.CONNECTION, "X-B");
        assertThat(Hops.in(two).close()).isTrue();
        assertThat(Hops.in(two).nominated()).containsExactly("x-b");
    }

    @Test
    void setOfNamesHoldsTheFirstAndTheLast() {
        FieldName[] all = FieldName.values();
        FieldNames some = FieldNames.of(all[0], all[63], all[64], all[all.length - 1]);
        assertThat(all).filteredOn(some::contains).containsExactly(all[0], all[63], all[64], all[all.length - 1]);
    }

    @Test
    void membersThatAreNoTokensAreRefused() {
        Hops hops = Hops.of("a b, (c), \"d\", e");
        assertThat(hops.nominated()).containsExactly("e");
        assertThat(hops.refused()).isEqualTo(3);
    }

    @Test
    void thirtyTwoNamesAreFollowedAndTheNextIsRefused() {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < Hops.MAX_NOMINATED; i++) {
            names.append("x").append(i).append(',');
        }
        assertThat(Hops.of(names.toString()).refused()).isZero();
        Hops over = Hops.of(names + "one-more, x0");
        assertThat(over.refused()).isEqualTo(1);
        assertThat(over.removes("one-more")).isFalse();
        assertThat(over.nominated()).hasSize(Hops.MAX_NOMINATED);
    }

    @Test
    void proxyCredentialsAreOfOneProxy() {
        assertThat(Hops.isProxyCredential("proxy-authorization")).isTrue();
        assertThat(Hops.isProxyCredential("proxy-authenticate")).isTrue();
        assertThat(Hops.isProxyCredential("proxy-authentication-info")).isTrue();
        assertThat(Hops.isProxyCredential("authorization")).isFalse();
    }
}
