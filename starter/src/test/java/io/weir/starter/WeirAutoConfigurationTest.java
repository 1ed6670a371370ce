package io.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirXAConnectionFactory;
import io.weir.jms.client.settings.ReconnectPolicy;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.springframework.boot.actuate.autoconfigure.jms.JmsHealthContributorAutoConfiguration;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.actuate.jms.JmsHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration;
import org.springframework.boot.autoconfigure.jms.JndiConnectionFactoryAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jms.XAConnectionFactoryWrapper;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.DelegatingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;

/** What an application has with the starter on its class path, for each of its properties. No broker is asked. */
class WeirAutoConfigurationTest {
    private static final ApplicationContextRunner BOOT = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    JmsHealthContributorAutoConfiguration.class,
                    JmsAutoConfiguration.class,
                    JndiConnectionFactoryAutoConfiguration.class,
                    WeirAutoConfiguration.class));

    private static WeirConnectionFactory cached(AssertableApplicationContext context) {
        ConnectionFactory target =
                context.getBean(CachingConnectionFactory.class).getTargetConnectionFactory();
        return (WeirConnectionFactory) Objects.requireNonNull(target);
    }

    private static WeirConnectionFactory plain(AssertableApplicationContext context) {
        return context.getBean("jmsConnectionFactory", WeirConnectionFactory.class);
    }

    private static ApplicationContextRunner uncached() {
        return BOOT.withPropertyValues("spring.jms.cache.enabled=false");
    }

    private static FailureAnalysis failure(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new WrongSettingAnalyzer().analyze(context.getStartupFailure());
        return Objects.requireNonNull(analysis);
    }

    @Test
    void withoutPropertiesItIsTheDefaultUrlInBootsCache() {
        BOOT.run(context -> {
            assertThat(context).hasSingleBean(ConnectionFactory.class).hasBean("jmsConnectionFactory");
            assertThat(context).hasSingleBean(JmsTemplate.class);
            CachingConnectionFactory caching = context.getBean(CachingConnectionFactory.class);
            assertThat(caching.isCacheProducers()).isTrue();
            assertThat(caching.isCacheConsumers()).isFalse();
            assertThat(caching.getSessionCacheSize()).isEqualTo(1);
            assertThat(cached(context)).hasToString("WeirConnectionFactory weir://127.0.0.1:7001 {}");
        });
        assertThat(WeirConnectionFactory.DEFAULT_URL).isEqualTo("weir://127.0.0.1:7001");
    }

    @Test
    void bootsPropertiesOfTheCacheCount() {
        BOOT.withPropertyValues(
                        "spring.jms.cache.consumers=true",
                        "spring.jms.cache.producers=false",
                        "spring.jms.cache.session-cache-size=7")
                .run(context -> {
                    CachingConnectionFactory caching = context.getBean(CachingConnectionFactory.class);
                    assertThat(caching.isCacheConsumers()).isTrue();
                    assertThat(caching.isCacheProducers()).isFalse();
                    assertThat(caching.getSessionCacheSize()).isEqualTo(7);
                });
    }

    @Test
    void withoutTheCacheItIsTheFactoryItself() {
        uncached()
                .withPropertyValues(
                        "weir.jms.url=weirs://one:1,two:2?messages-maximum=300",
                        "weir.jms.user=shop",
                        "weir.jms.password=secret",
                        "weir.jms.options.messages-maximum=5",
                        "weir.jms.options.reconnect-policy=all")
                .run(context -> {
                    WeirConnectionFactory factory = plain(context);
                    assertThat(factory.getUrl()).isEqualTo("weirs://one:1,two:2");
                    assertThat(factory.getUser()).isEqualTo("shop");
                    assertThat(factory.knobs().messagesMaximum())
                            .as("the URL's take precedence")
                            .isEqualTo(300);
                    assertThat(factory.knobs().reconnectPolicy()).isEqualTo(ReconnectPolicy.ALL);
                    assertThat(context.getBean(WeirProperties.class).toString()).doesNotContain("secret");
                });
    }

    @Test
    void optionsAreFoundAsPeopleAndEnvironmentsSpellThem() {
        uncached()
                .withPropertyValues(
                        "weir.jms.options.sendTimeout=11",
                        "weir.jms.options.defaultpriority=7",
                        "weir.jms.options.default_time_to_live=12",
                        "weir.jms.options.allow-close-in-on-message=true",
                        "weir.jms.options.deserialization-allow-list[0]=com.example.One",
                        "weir.jms.options.deserialization-allow-list[1]=com.example.two.*")
                .run(context -> {
                    WeirConnectionFactory factory = plain(context);
                    assertThat(factory.knobs().sendTimeout()).isEqualTo(11);
                    assertThat(factory.knobs().defaultPriority()).isEqualTo(7);
                    assertThat(factory.knobs().defaultTimeToLive()).isEqualTo(12);
                    assertThat(factory.knobs().allowCloseInOnMessage()).isTrue();
                    assertThat(factory.knobs().deserializationAllowList())
                            .containsExactly("com.example.One", "com.example.two.*");
                });
    }

    @Test
    void aWrongOptionStopsTheStartWithWeirsOwnText() {
        BOOT.withPropertyValues("weir.jms.options.mesages-maximum=5")
                .run(context -> assertThat(failure(context).getDescription())
                        .contains("mesages-maximum", "messages-maximum", "weir://127.0.0.1:7001"));
        BOOT.withPropertyValues("weir.jms.options.default-priority=11").run(context -> {
            assertThat(failure(context).getDescription()).contains("default-priority", "0", "9");
            assertThat(failure(context).getAction()).contains("weir.jms.options");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:7001", "weir://", "weir://127.0.0.1:x"})
    void aWrongUrlStopsTheStart(String url) {
        BOOT.withPropertyValues("weir.jms.url=" + url)
                .run(context -> assertThat(failure(context).getDescription()).contains(url));
    }

    @Test
    void anApplicationsOwnFactoryIsLeftAlone() {
        ConnectionFactory own = new WeirConnectionFactory("weir://own:1");
        BOOT.withBean("own", ConnectionFactory.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(ConnectionFactory.class)).isSameAs(own));
    }

    @Test
    void withoutTheClientItDoesNothing() {
        BOOT.withClassLoader(new FilteredClassLoader("io.weir.jms"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ConnectionFactory.class));
    }

    @Test
    void aPoolHasThePropertiesThatAreSet() {
        BOOT.withPropertyValues(
                        "weir.jms.pool.enabled=true",
                        "weir.jms.pool.max-connections=3",
                        "weir.jms.pool.max-sessions-per-connection=20",
                        "weir.jms.pool.block-if-full=false",
                        "weir.jms.pool.block-if-full-timeout=64ms",
                        "weir.jms.pool.idle-timeout=512s",
                        "weir.jms.pool.time-between-expiration-check=2048ms",
                        "weir.jms.pool.use-anonymous-producers=false")
                .run(context -> {
                    assertThat(context).hasSingleBean(ConnectionFactory.class).hasSingleBean(JmsTemplate.class);
                    JmsPoolConnectionFactory pool = context.getBean(JmsPoolConnectionFactory.class);
                    assertThat(pool.getConnectionFactory()).isInstanceOf(WeirConnectionFactory.class);
                    assertThat(pool.getMaxConnections()).isEqualTo(3);
                    assertThat(pool.getMaxSessionsPerConnection()).isEqualTo(20);
                    assertThat(pool.isBlockIfSessionPoolIsFull()).isFalse();
                    assertThat(pool.getBlockIfSessionPoolIsFullTimeout()).isEqualTo(64);
                    assertThat(pool.getConnectionIdleTimeout())
                            .isEqualTo((int) Duration.ofSeconds(512).toMillis());
                    assertThat(pool.getConnectionCheckInterval()).isEqualTo(2048);
                    assertThat(pool.isUseAnonymousProducers()).isFalse();
                });
    }

    @Test
    void defaultsOfThePoolAreThoseOfPooledJms() {
        BOOT.withPropertyValues("weir.jms.pool.enabled=true")
                .run(context -> assertThat(context.getBean(JmsPoolConnectionFactory.class))
                        .usingRecursiveComparison()
                        .comparingOnlyFields(
                                "connectionIdleTimeout",
                                "maxSessionsPerConnection",
                                "blockIfSessionPoolIsFull",
                                "useAnonymousProducers")
                        .isEqualTo(new JmsPoolConnectionFactory()));
    }

    @Test
    void aPoolWithoutItsLibraryStopsTheStart() {
        BOOT.withPropertyValues("weir.jms.pool.enabled=true")
                .withClassLoader(new FilteredClassLoader(JmsPoolConnectionFactory.class))
                .run(context -> assertThat(failure(context).getAction()).contains("org.messaginghub:pooled-jms"));
    }

    @Test
    void withATransactionManagerConnectionsAreXa() {
        XAConnectionFactoryWrapper wrapper = xa -> new DelegatingConnectionFactoryOf((WeirXAConnectionFactory) xa);
        BOOT.withBean(XAConnectionFactoryWrapper.class, () -> wrapper)
                .withPropertyValues("weir.jms.user=shop")
                .run(context -> {
                    assertThat(context.getBeanNamesForType(ConnectionFactory.class))
                            .containsExactlyInAnyOrder("jmsConnectionFactory", "nonXaJmsConnectionFactory");
                    assertThat(context.getBean(ConnectionFactory.class))
                            .as("the primary one")
                            .isSameAs(context.getBean("jmsConnectionFactory"))
                            .isSameAs(context.getBean("xaJmsConnectionFactory"));
                    DelegatingConnectionFactory wrapped = context.getBean(DelegatingConnectionFactory.class);
                    assertThat(wrapped.getTargetConnectionFactory())
                            .isInstanceOf(WeirXAConnectionFactory.class)
                            .extracting("user")
                            .isEqualTo("shop");
                    assertThat(context.getBean("nonXaJmsConnectionFactory"))
                            .isExactlyInstanceOf(WeirConnectionFactory.class);
                });
    }

    /** As the wrapper of a transaction manager does, whose factory is no XA one. */
    private static final class DelegatingConnectionFactoryOf extends DelegatingConnectionFactory {
        DelegatingConnectionFactoryOf(WeirXAConnectionFactory xa) {
            setTargetConnectionFactory(xa);
        }
    }

    @Test
    void withTheActuatorThereIsHealthOnConnectionsOfItsOwn() {
        BOOT.withPropertyValues("weir.jms.url=weir://127.0.0.1:1", "weir.jms.options.client-id=shop")
                .run(context -> {
                    assertThat(context).hasSingleBean(JmsHealthIndicator.class).hasBean("jmsHealthContributor");
                    JmsHealthIndicator indicator = context.getBean(JmsHealthIndicator.class);
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
                    assertThat(indicator)
                            .extracting(
                                    "connectionFactory", InstanceOfAssertFactories.type(WeirConnectionFactory.class))
                            .satisfies(f -> {
                                assertThat(f.knobs().reconnectPolicy()).isEqualTo(ReconnectPolicy.NONE);
                                assertThat(f.knobs().clientId())
                                        .as("the application's may be in use")
                                        .isNullOrEmpty();
                            });
                    assertThat(cached(context).knobs().clientId()).isEqualTo("shop");
                });
    }

    @Test
    void healthIsOffWhereItIsTurnedOffOrTheActuatorIsMissing() {
        BOOT.withPropertyValues("management.health.jms.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(JmsHealthIndicator.class));
        BOOT.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate.jms"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ConnectionFactory.class));
    }

    @Test
    void anApplicationsOwnHealthIsLeftAlone() {
        JmsHealthIndicator own = new JmsHealthIndicator(new WeirConnectionFactory());
        BOOT.withBean("jmsHealthIndicator", JmsHealthIndicator.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(JmsHealthIndicator.class)).isSameAs(own));
    }
}
