package io.weir.proxy.program.origin;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * An origin server. Immutable.
 *
 * @param secure TLS
 * @param host name or address in lower case, IPv6 without brackets
 * @param port never 0
 */
public record Origin(boolean secure, String host, int port) {
    /**
     * Parses {@code http[s]://host[:port][/]}.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static Origin parse(String url) {
        URI uri = uri(url);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        String path = uri.getRawPath();
        boolean plain = path == null || path.isEmpty() || path.equals("/");
        if ((!scheme.equals("http") && !scheme.equals("https"))
                || uri.getHost() == null
                || uri.getPort() == 0
                || uri.getPort() > 65535
                || uri.getRawUserInfo() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null
                || !plain) {
            throw new IllegalArgumentException(
                    "expected an origin such as http://10.0.0.5:8000 or https://app.example.com, without path or user");
        }
        boolean secure = scheme.equals("https");
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        return new Origin(secure, host, uri.getPort() < 0 ? secure ? 443 : 80 : uri.getPort());
    }

    private static URI uri(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("expected an origin such as http://10.0.0.5:8000: " + e.getMessage(), e);
        }
    }

    public String scheme() {
        return secure ? "https" : "http";
    }

    /** {@code host[:port]} as written in Host: without the scheme's default port, IPv6 in brackets. */
    public String authority() {
        String h = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (secure ? 443 : 80) ? h : h + ":" + port;
    }

    /** The URL without a path. */
    public String url() {
        return scheme() + "://" + authority();
    }
}
