package io.weir.proxy.pool;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a session's requests find their server: by the route that a request names, and the cookie that an answer sets.
 * Names and order are those of the Sun proxy's {@code set-origin-server}. Immutable.
 *
 * @param cookies the application's session cookies
 * @param param the parameter of path or query that carries a session, as {@code value:route}
 * @param routeHeader the field that names a route
 * @param routeCookie the cookie in which clients keep the route
 */
public record Sticky(boolean enabled, List<String> cookies, String param, String routeHeader, String routeCookie) {
    /** Length of a route in characters. */
    static final int ROUTE_LENGTH = 16;

    static Sticky of(StickyConfig c) {
        List<String> cookies = List.of(c.cookie().strip().split(" *, *", -1));
        List<String> names = new ArrayList<>(cookies);
        names.addAll(List.of(c.param(), c.routeHeader(), c.routeCookie()));
        for (String name : names) {
            if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
                throw new IllegalArgumentException(
                        "expected the name of a cookie, parameter or field, found \"" + name + "\"");
            }
        }
        return new Sticky(c.enabled(), cookies, c.param(), c.routeHeader(), c.routeCookie());
    }

    /**
     * The route that a request names.
     *
     * @param sent its cookies, as in Cookie; null: none
     * @param target path and query
     * @param header the value of the route's field; null: none
     * @return null if it names none
     */
    public @Nullable String route(@Nullable String sent, String target, @Nullable String header) {
        String found = null;
        if (sent != null) {
            found = whole(cookie(sent, routeCookie));
            for (int i = 0; i < cookies.size() && found == null; i++) {
                found = afterColon(cookie(sent, cookies.get(i)));
            }
        }
        found = found == null ? afterColon(parameter(target)) : found;
        return found == null ? whole(header) : found;
    }

    /** The value of a cookie among those of a request (RFC 6265 section 4.2.1), or null. */
    public static @Nullable String cookie(String cookies, String name) {
        int at = 0;
        while (at < cookies.length()) {
            int end = cookies.indexOf(';', at);
            end = end < 0 ? cookies.length() : end;
            while (at < end && cookies.charAt(at) == ' ') {
                at++;
            }
            int value = at + name.length() + 1;
            if (value <= end && cookies.startsWith(name, at) && cookies.charAt(value - 1) == '=') {
                return cookies.substring(value, end).strip();
            }
            at = end + 1;
        }
        return null;
    }

    private @Nullable String parameter(String target) {
        int at = target.indexOf(param);
        while (at > 0) {
            int value = at + param.length() + 1;
            boolean begins = ";?&".indexOf(target.charAt(at - 1)) >= 0;
            if (begins && value <= target.length() && target.charAt(value - 1) == '=') {
                int end = value;
                while (end < target.length() && ";/?&#".indexOf(target.charAt(end)) < 0) {
                    end++;
                }
                return target.substring(value, end);
            }
            at = target.indexOf(param, at + 1);
        }
        return null;
    }

    private static @Nullable String afterColon(@Nullable String value) {
        if (value == null || value.length() <= ROUTE_LENGTH) {
            return null;
        }
        int cut = value.length() - ROUTE_LENGTH;
        String before = value.substring(0, cut);
        boolean colon = before.endsWith(":") || before.endsWith("%3A") || before.endsWith("%3a");
        return colon ? whole(value.substring(cut)) : null;
    }

    private static @Nullable String whole(@Nullable String route) {
        if (route == null || route.length() != ROUTE_LENGTH) {
            return null;
        }
        for (int i = 0; i < ROUTE_LENGTH; i++) {
            char c = route.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') {
                return null;
            }
        }
        return route;
    }

    /**
     * The route cookie to set along with a session cookie.
     *
     * @param setCookie a value of Set-Cookie
     * @return with the session cookie's attributes, so that both expire together; null if it is another cookie
     */
    public @Nullable String beside(String setCookie, String route) {
        for (String cookie : cookies) {
            int value = cookie.length() + 1;
            if (setCookie.length() >= value && setCookie.startsWith(cookie) && setCookie.charAt(value - 1) == '=') {
                int attributes = setCookie.indexOf(';');
                return routeCookie + "=" + route + (attributes < 0 ? "" : setCookie.substring(attributes));
            }
        }
        return null;
    }
}
