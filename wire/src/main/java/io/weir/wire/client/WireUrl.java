package io.weir.wire.client;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of servers: {@code weir://host:7001,other:7001?option=value}, or {@code weirs://} for TLS. Immutable.
 *
 * @param secure whether TLS is used
 * @param addresses tried in this order
 * @param options the query part, decoded
 */
public record WireUrl(boolean secure, List<Address> addresses, Map<String, String> options) {
    /** The default port. */
    public static final int DEFAULT_PORT = 7001;

    private static final int LAST_PORT = 0xffff;

    /**
     * One server.
     *
     * @param host a name or an address; IPv6 without brackets
     */
    public record Address(String host, int port) {
        /** @throws IllegalArgumentException if the port is invalid */
        public Address {
            if (port < 1 || port > LAST_PORT) {
                throw new IllegalArgumentException(
                        host + ":" + port + " is not an address: ports are from 1 to " + LAST_PORT);
            }
        }

        @Override
        public String toString() {
            return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
        }
    }

    /** Copies the list and the map. */
    public WireUrl {
        addresses = List.copyOf(addresses);
        options = Map.copyOf(options);
    }

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException if it is invalid; the text describes the problem
     */
    public static WireUrl parse(String url) {
        int scheme = url.indexOf("://");
        String name = scheme < 0 ? "" : url.substring(0, scheme);
        if (!name.equals("weir") && !name.equals("weirs")) {
            throw new IllegalArgumentException("not a URL like weir://host:7001: " + url);
        }
        String rest = url.substring(scheme + 3);
        int question = rest.indexOf('?');
        String hosts = question < 0 ? rest : rest.substring(0, question);
        if (hosts.endsWith("/")) {
            hosts = hosts.substring(0, hosts.length() - 1);
        }
        List<Address> addresses = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            addresses.add(address(host.strip(), url));
        }
        return new WireUrl(name.equals("weirs"), addresses, options(question < 0 ? "" : rest.substring(question + 1)));
    }

    /** The option's value, or null. */
    public @Nullable String option(String name) {
        return options.get(name);
    }

    private static Address address(String text, String url) {
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(0, bracket));
        String host = colon < 0 ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("no host in " + url);
        }
        return new Address(host, colon < 0 ? DEFAULT_PORT : port(text.substring(colon + 1), url));
    }

    private static int port(String text, String url) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= LAST_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a port: '" + text + "' in " + url, e);
        }
        throw new IllegalArgumentException("not a port: '" + text + "' in " + url);
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                options.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return options;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
