package io.weir.starter;

import io.weir.jms.WeirConnectionFactory;
import jakarta.jms.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * Configures the connection factories, unless the application or its JNDI directory has one. Spring Boot's own
 * configurations, which use what is there, come after it: by their names, because those of Spring Boot 4 are in other
 * packages. Immutable.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jms.JndiConnectionFactoryAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JndiConnectionFactoryAutoConfiguration",
            // transaction managers, which bring the wrapper for XA, come before these
            "org.springframework.boot.autoconfigure.transaction.jta.JtaAutoConfiguration",
            "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration"
        },
        beforeName = {
            "org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.jms.JmsHealthContributorAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.health.JmsHealthContributorAutoConfiguration"
        })
@ConditionalOnClass({ConnectionFactory.class, WeirConnectionFactory.class})
@ConditionalOnMissingBean(ConnectionFactory.class)
@EnableConfigurationProperties(WeirProperties.class)
@Import({XaConfiguration.class, PlainConfiguration.class, PooledConfiguration.class, HealthConfiguration.class})
public class WeirAutoConfiguration {}
