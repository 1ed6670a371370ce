package io.weir.starter;

import jakarta.jms.ConnectionFactory;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** With {@code weir.jms.pool.enabled}: several connections, in a pool of pooled-jms. Immutable. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(ConnectionFactory.class)
@ConditionalOnBooleanProperty("weir.jms.pool.enabled")
class PooledConfiguration {
    private static final String LIBRARY = "org.messaginghub.pooled.jms.JmsPoolConnectionFactory";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = LIBRARY)
    static class WithLibrary {
        @Bean(destroyMethod = "stop")
        JmsPoolConnectionFactory jmsConnectionFactory(WeirProperties properties) {
            WeirProperties.Pool settings = properties.pool();
            JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
            pool.setConnectionFactory(WeirFactories.plain(properties));
            pool.setBlockIfSessionPoolIsFull(settings.blockIfFull());
            pool.setBlockIfSessionPoolIsFullTimeout(
                    settings.blockIfFullTimeout().toMillis());
            pool.setConnectionIdleTimeout(Math.toIntExact(settings.idleTimeout().toMillis()));
            pool.setMaxConnections(settings.maxConnections());
            pool.setMaxSessionsPerConnection(settings.maxSessionsPerConnection());
            pool.setConnectionCheckInterval(
                    settings.timeBetweenExpirationCheck().toMillis());
            pool.setUseAnonymousProducers(settings.useAnonymousProducers());
            return pool;
        }
    }

    /** Not a word, and no connection factory, would be a riddle. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(LIBRARY)
    static class WithoutLibrary {
        @Bean
        ConnectionFactory jmsConnectionFactory() {
            throw new WrongSettingException(
                    "weir.jms.pool.enabled is on, and pooled-jms is not on the class path.",
                    "Add the dependency org.messaginghub:pooled-jms, or remove weir.jms.pool.enabled.");
        }
    }
}
