package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.http.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Via and Max-Forwards (RFC 9110 7.6.2, 7.6.3), Forwarded (RFC 7239). */
class ForwardingTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1 weir-7",
                "HTTP/1.1 weir-7",
                "1.0 fred, 1.1 weir-7",
                "1.1 WEIR-7 (Weir 0.1)",
                "1.1 weir-7(no space)",
                "1.1 weir-7:8080 (a, b (c, d) e)",
                "1.0 fred (1.1 other, x), 1.1 weir-7",
                "1.0 fred (\\), ), 1.1 weir-7",
                "1.1 a,1.1 weir-7,1.1 b",
                ", ,1.1\tweir-7 ,",
                "1.1 fred (x (y), 1.1 weir-7",
                "1.1 fred (open, 1.0 x (a, b), 1.1 weir-7",
            })
    void itsOwnPseudonymIsALoop(String via) {
        assertThat(Via.passedThrough(via, "weir-7")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1.1 weir-70",
                "1.1 xweir-7",
                "1.1 weir-7.example",
                "1.1 fred (weir-7)",
                "1.1 fred (via 1.1 weir-7)",
                "1.1 fred (x, 1.1 weir-7)",
                "weir-7",
                "weir-7 fred",
                "1.1 a, 1.1 b",
            })
    void itsNameElsewhereIsNone(String via) {
        assertThat(Via.passedThrough(via, "weir-7")).isFalse();
    }

    @Test
    void noViaIsNoLoop() {
        assertThat(Via.passedThrough(null, "weir-7")).isFalse();
        assertThat(Via.hops(null)).isZero();
    }

    @Test
    void countsHopsAndNotCommasInComments() {
        assertThat(Via.hops("1.0 fred, 1.1 p.example.net")).isEqualTo(2);
        assertThat(Via.hops("1.0 fred (a, b, c), , 1.1 x")).isEqualTo(2);
        assertThat(Via.hops("1.0 fred (never closed, 1.1 x")).isEqualTo(2);
    }

    @Test
    void viaGrowsAtItsEnd() {
        assertThat(Via.append(null, "1.1", "weir-7")).isEqualTo("1.1 weir-7");
        assertThat(Via.append("1.0 fred", "1.1", "weir-7")).isEqualTo("1.0 fred, 1.1 weir-7");
        assertThatThrownBy(() -> Via.append(null, "1.1", "a b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatItAppendsItFindsAgain() {
        assertThat(Via.passedThrough(Via.append("1.0 a (x)", "1.1", "weir-7"), "weir-7"))
                .isTrue();
    }

    @Test
    void forwardedQuotesWhatIsNoToken() {
        assertThat(Forwarded.element(null, "192.0.2.60", "example.com:8080", "http"))
                .isEqualTo("for=192.0.2.60;host=\"example.com:8080\";proto=http");
        assertThat(Forwarded.element("_weir", "[2001:db8:cafe::17]:4711", null, null))
                .isEqualTo("by=_weir;for=\"[2001:db8:cafe::17]:4711\"");
        assertThat(Forwarded.element(null, "a\"b\\c", null, null)).isEqualTo("for=\"a\\\"b\\\\c\"");
        assertThat(Forwarded.element(null, "", null, null)).isEqualTo("for=\"\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX: y", "a\u0000", "a\u007f", "\u00fc"})
    void forwardedRefusesControlCharacters(String value) {
        assertThatThrownBy(() -> Forwarded.element(null, value, null, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nodesOfVersionSixStandInBracketsWithoutZone() {
        assertThat(Forwarded.node("192.0.2.1", 0)).isEqualTo("192.0.2.1");
        assertThat(Forwarded.node("192.0.2.1", 80)).isEqualTo("192.0.2.1:80");
        assertThat(Forwarded.node("fe80::1%eth0", 0)).isEqualTo("[fe80::1]");
        assertThat(Forwarded.node("::1", 80)).isEqualTo("[::1]:80");
    }

    @Test
    void listsGrowAtTheirEnd() {
        assertThat(Forwarded.append(null, "b")).isEqualTo("b");
        assertThat(Forwarded.append(" ", "b")).isEqualTo("b");
        assertThat(Forwarded.append("a", "b")).isEqualTo("a, b");
        assertThat(Forwarded.append("for=\"[::1]\"", "b")).isEqualTo("for=\"[::1]\", b");
    }

    @Test
    void aQuoteThatNeverEndsSwallowsNothing() {
        assertThat(Forwarded.append("for=\"x", "for=1.2.3.4")).isEqualTo("for=1.2.3.4");
        assertThat(Forwarded.append("for=\"x\\\"", "for=1.2.3.4")).isEqualTo("for=1.2.3.4");
    }

    @ParameterizedTest
    @CsvSource({
        "TRACE, 0, -2",
        "OPTIONS, 0, -2",
        "OPTIONS, 1, 0",
        "TRACE, 10, 9",
        "TRACE, 00, -2",
        "GET, 0, -1",
        "OTHER, 0, -1",
        "TRACE, -1, -1",
        "TRACE, x, -1",
        "TRACE, '0, 0', -1",
        "TRACE, '', -1",
        "TRACE, 99999999999999999999, 2147483646",
    })
    void maxForwardsStopsTraceAndOptionsAlone(Method method, String value, long expected) {
        assertThat(MaxForwards.next(method, value)).isEqualTo(expected);
    }

    @Test
    void withoutTheFieldNothingIsLimited() {
        assertThat(MaxForwards.next(Method.TRACE, null)).isEqualTo(MaxForwards.UNLIMITED);
    }

    @Test
    void traceKeepsSecretsBack() {
        assertThat(MaxForwards.isWithheldFromTrace("cookie")).isTrue();
        assertThat(MaxForwards.isWithheldFromTrace("authorization")).isTrue();
        assertThat(MaxForwards.isWithheldFromTrace("accept")).isFalse();
    }
}
