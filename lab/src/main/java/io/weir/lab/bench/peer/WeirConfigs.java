package io.weir.lab.bench.peer;

import java.nio.file.Path;

/** Configurations of Weir for measurements. Stateless. */
public final class WeirConfigs {
    /** The name of the performance bucket of {@link #bucketed}. */
    public static final String BUCKET = "service-bucket";

    private WeirConfigs() {}

    /** One route to the origin, one socket reader, no access log. */
    public static String plain(int originPort, boolean cache) {
        return head(cache) + "    - origins: [\"http://127.0.0.1:" + originPort + "\"]\n";
    }

    /** The same under TLS, with a certificate of the folder; a client may agree on HTTP/2. */
    public static String secure(int originPort, boolean cache, Path tls) {
        return plain(originPort, cache)
                .replaceFirst(
                        "(  http: \\{[^\n]*)\\}\n",
                        "$1, tls: {certificates: [{chain-file: " + tls + "/cert.pem, key-file: " + tls
                                + "/key.pem}]}}\n");
    }

    /** The same with messaging: a queue {@code waiting} and a factory {@code OneWay} that sends without waiting. */
    public static String withMessages(int originPort) {
        return plain(originPort, true).replaceFirst("(  http: \\{[^\n]*\\}\n)", """
                $1  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                """) + """
                messaging:
                  queues:
                    waiting: {jndi-name: waiting}
                  connection-factories:
                    one-way:
                      jndi-name: OneWay
                      flow: {one-way-send-mode: enabled, one-way-send-window-size: 300}
                """;
    }

    /**
     * The given number of rules from paths to an origin, nine of ten with a wildcard and the tenth with a regular
     * expression, and a last one for all other requests. Rule n is for {@link #rulePath}.
     */
    public static String rules(int originPort, int rules) {
        StringBuilder text = new StringBuilder(head(true));
        for (int i = 0; i < rules; i++) {
            boolean regex = i % 10 == 5;
            text.append("    - {path: \"%s/%s\", path-match: %s, origins: [\"http://127.0.0.1:%d\"]}\n"
                    .formatted(rulePath(i), regex ? ".*" : "*", regex ? "regex" : "wildcard", originPort));
        }
        return text.append("    - origins: [\"http://127.0.0.1:%d\"]\n".formatted(originPort))
                .toString();
    }

    /** The path of the rule's requests, without a slash at the end. */
    public static String rulePath(int rule) {
        return "/app-%05d".formatted(rule);
    }

    /** The server of an {@code obj.conf}, one socket reader, no access log. */
    public static String objects(Path objects, boolean cache) {
        return server(cache) + "proxy: {objects: \"" + objects + "\"}\n";
    }

    /** The default program for the origin, as an {@code obj.conf} whose service has a performance bucket. */
    public static String bucketed(int originPort) {
        return """
                Init fn="define-perf-bucket" name="%1$s" description="Services"
                <Object name="default">
                ObjectType fn="cache-enable"
                Route fn="set-origin-server" server="http://127.0.0.1:%2$d"
                Service fn="proxy-retrieve" bucket="%1$s"
                </Object>
                """.formatted(BUCKET, originPort);
    }

    private static String head(boolean cache) {
        return server(cache) + """
                proxy:
                  access-log: {format: off}
                  routes:
                """;
    }

    private static String server(boolean cache) {
        return """
                listeners:
                  http: {address: 127.0.0.1, port: 0, backlog: 4096}
                admin: {port: 0}
                kernel:
                  socket-readers: 1
                  keep-alive: {timeout: 300s}
                cache: {enabled: %s}
                """.formatted(cache ? "on" : "off");
    }
}
