package io.weir.proxy.program;

import io.weir.base.ConfigNode;
import io.weir.proxy.pool.HashOn;
import io.weir.proxy.pool.OriginsConfig;
import io.weir.proxy.pool.PoolRules;
import io.weir.proxy.pool.PoolServerConfig;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.origin.Origin;
import java.util.regex.Pattern;

/** Checks an entry of {@code proxy.origins} as a whole. Stateless. */
final class OriginsCheck {
    /** At least two labels: TLS clients send no server name of a single label. */
    private static final Pattern HOST_NAME = Pattern.compile(
            "([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?[.])+[A-Za-z]" + "([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");

    private OriginsCheck() {}

    /** Reports every problem. */
    static void of(String name, OriginsConfig pool, ConfigNode.Place at, ProgramBuilder problems) {
        String key = "proxy.origins." + name;
        if (pool.servers().isEmpty() || pool.servers().size() > ServerPool.MAX_MEMBERS) {
            problems.problem(at, key + ".servers", "a pool has 1 to " + ServerPool.MAX_MEMBERS + " servers");
        }
        for (PoolServerConfig server : pool.servers()) {
            String url = server.url();
            if (url == null) {
                continue; // already reported as missing
            }
            try {
                serverName(server, Origin.parse(url));
            } catch (IllegalArgumentException e) {
                problems.problem(at, key + ".servers", String.valueOf(e.getMessage()));
            }
        }
        boolean named = pool.hashOn() == HashOn.HEADER || pool.hashOn() == HashOn.COOKIE;
        if (named && (pool.hashName() == null || pool.hashName().isEmpty())) {
            problems.problem(at, key + ".hash-name", "name the field or cookie that is hashed");
        }
        String path = pool.check().path();
        if (path != null && !path.startsWith("/") && !path.equals("*")) {
            problems.problem(at, key + ".check.path", "a path begins with a slash, found \"" + path + "\"");
        } else if (path != null && !path.matches("[!-~]+")) {
            problems.problem(at, key + ".check.path", "a path has no spaces and only ASCII, found \"" + path + "\"");
        }
        String host = pool.check().host();
        if (host != null && !host.matches("[!-~]+")) {
            problems.problem(at, key + ".check.host", "expected a host, found \"" + host + "\"");
        }
        try {
            PoolRules.of(pool, 1);
        } catch (IllegalArgumentException e) {
            problems.problem(at, key, String.valueOf(e.getMessage()));
        }
    }

    private static void serverName(PoolServerConfig server, Origin origin) {
        String name = server.serverName();
        if (name == null) {
            return;
        }
        if (!origin.secure()) {
            throw new IllegalArgumentException("server-name is for https, found " + server.url());
        }
        if (name.length() > 253 || !HOST_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("server-name takes a host name, found \"" + name + "\"");
        }
    }
}
