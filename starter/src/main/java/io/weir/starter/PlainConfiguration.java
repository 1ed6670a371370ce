package io.weir.starter;

import io.weir.jms.WeirConnectionFactory;
import jakarta.jms.ConnectionFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jms.connection.CachingConnectionFactory;

/**
 * Without a pool: one connection for all, with its sessions in a cache, or with {@code spring.jms.cache.enabled=false} a
 * connection for each use. Immutable.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(ConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "weir.jms.pool.enabled", havingValue = false, matchIfMissing = true)
class PlainConfiguration {
    private static final String CACHE = "spring.jms.cache.";

    @Bean
    @ConditionalOnBooleanProperty(name = CACHE + "enabled", havingValue = false)
    WeirConnectionFactory jmsConnectionFactory(WeirProperties properties) {
        return WeirFactories.plain(properties);
    }

    /** Keys and defaults are Spring Boot's; its class for them is in another package in Spring Boot 4. */
    @Bean(name = "jmsConnectionFactory")
    @ConditionalOnBooleanProperty(name = CACHE + "enabled", matchIfMissing = true)
    CachingConnectionFactory cachingJmsConnectionFactory(WeirProperties properties, Environment environment) {
        CachingConnectionFactory caching = new CachingConnectionFactory(WeirFactories.plain(properties));
        caching.setCacheConsumers(environment.getProperty(CACHE + "consumers", Boolean.class, false));
        caching.setCacheProducers(environment.getProperty(CACHE + "producers", Boolean.class, true));
        caching.setSessionCacheSize(environment.getProperty(CACHE + "session-cache-size", Integer.class, 1));
        return caching;
    }
}
