package io.weir.starter;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.jms.JmsHealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * With the actuator: Spring Boot's own health indicator, on connections of its own. On the application's it would wait for
 * a lost connection as sends do, a minute by default, and probes have given up by then. The name of the bean is the one
 * for which Spring Boot leaves out its own. Immutable.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(name = {"jmsHealthIndicator", HealthConfiguration.NAME})
class HealthConfiguration {
    static final String NAME = "jmsHealthContributor";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JmsHealthIndicator.class)
    @ConditionalOnEnabledHealthIndicator("jms")
    static class Boot3 {
        @Bean(NAME)
        JmsHealthIndicator jmsHealthContributor(WeirProperties properties) {
            return new JmsHealthIndicator(WeirFactories.probing(properties));
        }
    }

    /** Its classes have other packages. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.jms.health.JmsHealthIndicator.class)
    @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("jms")
    static class Boot4 {
        @Bean(NAME)
        org.springframework.boot.jms.health.JmsHealthIndicator jmsHealthContributor(WeirProperties properties) {
            return new org.springframework.boot.jms.health.JmsHealthIndicator(WeirFactories.probing(properties));
        }
    }
}
