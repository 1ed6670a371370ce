package io.weir.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes in requests and answers. */
class StickyTest {
    private static final String ROUTE = "AbCdEfGh0123-_zZ";
    private static final Sticky STICKY = Sticky.of(OriginsConfig.DEFAULT.sticky());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JROUTE=" + ROUTE,
                "a=b; JROUTE=" + ROUTE + "; c=d",
                "a=b;JROUTE=" + ROUTE,
                "JSESSIONID=12:" + ROUTE,
                "JSESSIONID=1:2%3A" + ROUTE,
                "JSESSIONIDSSO=12:" + ROUTE,
                "JSESSIONID=1; JSESSIONIDSSO=12:" + ROUTE
            })
    void aCookieNamesARoute(String cookies) {
        assertThat(STICKY.route(cookies, "/", null)).isEqualTo(ROUTE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JROUTE=",
                "JROUTE",
                "XJROUTE=" + ROUTE,
                "jroute=" + ROUTE,
                "JROUTE=" + ROUTE + "x",
                "JROUTE=AbCdEfGh0123-_z\"",
                "JSESSIONID=" + ROUTE,
                "JSESSIONID=1." + ROUTE,
                ";;; ="
            })
    void whatIsNoRouteIsNone(String cookies) {
        assertThat(STICKY.route(cookies, "/", null)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "/a;jsessionid=1:AbCdEfGh0123-_zZ",
        "/a;jsessionid=1:AbCdEfGh0123-_zZ?q=1",
        "/a;x=y;jsessionid=1:AbCdEfGh0123-_zZ/b",
        "/a?jsessionid=1:AbCdEfGh0123-_zZ&b=c",
        "/a?b=c&jsessionid=1:AbCdEfGh0123-_zZ"
    })
    void aParameterNamesARoute(String target) {
        assertThat(STICKY.route(null, target, null)).isEqualTo(ROUTE);
    }

    @ParameterizedTest
    @CsvSource({
        "/jsessionid=1:AbCdEfGh0123-_zZ",
        "/a;xjsessionid=1:AbCdEfGh0123-_zZ",
        "/a;jsessionid=1:short",
        "/a?jsessionid"
    })
    void whatIsNoParameterIsNone(String target) {
        assertThat(STICKY.route(null, target, null)).isNull();
    }

    @Test
    void theCookieWinsOverTheFieldAndTheFieldCounts() {
        assertThat(STICKY.route("JROUTE=" + ROUTE, "/", "XXXXXXXXXXXXXXXX")).isEqualTo(ROUTE);
        assertThat(STICKY.route("a=b", "/", ROUTE)).isEqualTo(ROUTE);
    }

    @Test
    void theRouteCookieLivesAsLongAsTheSession() {
        assertThat(STICKY.beside("JSESSIONID=1; Path=/app; Secure; Max-Age=9", ROUTE))
                .isEqualTo("JROUTE=" + ROUTE + "; Path=/app; Secure; Max-Age=9");
        assertThat(STICKY.beside("JSESSIONID=1", ROUTE)).isEqualTo("JROUTE=" + ROUTE);
        assertThat(STICKY.beside("JSESSIONIDSSO=1; Path=/", ROUTE)).isEqualTo("JROUTE=" + ROUTE + "; Path=/");
        assertThat(STICKY.beside("JSESSIONIDS=1; Path=/", ROUTE)).isNull();
        assertThat(STICKY.beside("JSESSIONID", ROUTE)).isNull();
    }

    @Test
    void severalCookiesMayCarryTheSession() {
        Sticky own = Sticky.of(new StickyConfig(true, "SID, TICKET", "p", "H", "C"));
        assertThat(own.route("SID=1; TICKET=2:" + ROUTE, "/", null)).isEqualTo(ROUTE);
        assertThat(own.route("JSESSIONID=2:" + ROUTE, "/", null)).isNull();
        assertThat(own.beside("TICKET=2; Path=/t", ROUTE)).isEqualTo("C=" + ROUTE + "; Path=/t");
    }

    @Test
    void namesMustBeNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sticky.of(new StickyConfig(true, "a b", "p", "H", "C")))
                .withMessageContaining("a b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sticky.of(new StickyConfig(true, "a,,b", "p", "H", "C")))
                .withMessageContaining("\"\"");
    }
}
