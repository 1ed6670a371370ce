package io.weir.starter;

import io.weir.jms.WeirConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.transaction.TransactionManager;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jms.XAConnectionFactoryWrapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * With a transaction manager: connections that take part in its transactions, and others that do not. The names of the
 * beans are those of Spring Boot's other starters. Immutable.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(ConnectionFactory.class)
@ConditionalOnClass(TransactionManager.class)
@ConditionalOnBean(XAConnectionFactoryWrapper.class)
class XaConfiguration {
    /** The wrapper is declared to throw any exception. */
    @Primary
    @Bean(name = {"jmsConnectionFactory", "xaJmsConnectionFactory"})
    ConnectionFactory jmsConnectionFactory(WeirProperties properties, XAConnectionFactoryWrapper wrapper)
            throws Exception {
        return wrapper.wrapConnectionFactory(WeirFactories.xa(properties));
    }

    @Bean
    WeirConnectionFactory nonXaJmsConnectionFactory(WeirProperties properties) {
        return WeirFactories.plain(properties);
    }
}
