package io.weir.starter;

import io.weir.jms.WeirConnectionFactory;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of an application that uses Weir. Immutable.
 *
 * @param url Broker to connect to, with options in its query: weir://host:port, weirs:// for TLS, several addresses
 * separated by commas.
 * @param user Login user of the broker.
 * @param password Login password of the broker.
 * @param options Options of the client by their names, such as reconnect-policy. Those of the URL take precedence.
 * @param pool Pool of connections, instead of the cache of spring.jms.cache.
 */
@ConfigurationProperties("weir.jms")
public record WeirProperties(
        @DefaultValue(WeirConnectionFactory.DEFAULT_URL) String url,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue Map<String, String> options,
        @DefaultValue Pool pool) {

    /** Without the password. */
    @Override
    public String toString() {
        return "WeirProperties " + url + " user=" + user + " " + options + " " + pool;
    }

    /**
     * The pool of pooled-jms, with the names and defaults of Spring Boot's other starters. Immutable.
     *
     * @param enabled Whether connections are pooled, which needs org.messaginghub:pooled-jms on the class path.
     * @param blockIfFull Whether to wait for a session when the pool is full. Off: a JMSException.
     * @param blockIfFullTimeout How long to wait then before a JMSException; negative without end.
     * @param idleTimeout How long a connection is idle before it is closed.
     * @param maxConnections Connections in the pool.
     * @param maxSessionsPerConnection Sessions of each connection.
     * @param timeBetweenExpirationCheck Time between two searches for idle connections; negative: none.
     * @param useAnonymousProducers Whether a session has one producer for all destinations.
     */
    public record Pool(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("true") boolean blockIfFull,
            @DefaultValue("-1ms") Duration blockIfFullTimeout,
            @DefaultValue("30s") Duration idleTimeout,
            @DefaultValue("1") int maxConnections,
            @DefaultValue("500") int maxSessionsPerConnection,
            @DefaultValue("-1ms") Duration timeBetweenExpirationCheck,
            @DefaultValue("true") boolean useAnonymousProducers) {}
}
