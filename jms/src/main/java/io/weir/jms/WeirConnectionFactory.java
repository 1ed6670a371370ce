package io.weir.jms;

import io.weir.base.Spelled;
import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.context.ClientContext;
import io.weir.jms.client.link.Target;
import io.weir.jms.client.settings.AcknowledgePolicy;
import io.weir.jms.client.settings.ClientIdPolicy;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.client.settings.DefaultDeliveryMode;
import io.weir.jms.client.settings.Domain;
import io.weir.jms.client.settings.OneWaySendMode;
import io.weir.jms.client.settings.PrefetchMode;
import io.weir.jms.client.settings.ReconnectPolicy;
import io.weir.jms.client.settings.SubscriptionSharingPolicy;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * Creates connections and contexts to a Weir server. It is created from a URL, {@code
 * weir://host:port[,host2:port2][?option=value&…]}, whose options are the knobs of {@link ClientKnobs} in kebab case
 * ({@code messages-maximum=300}) and {@code user} and {@code password}; configured by setters before the first
 * connection; or looked up through {@link WeirContextFactory}. It can be bound in any JNDI directory. Each
 * setter gives its unit, default, range and option; an unknown option is refused with the nearest known one. Shared by
 * any threads once configured.
 */
public class WeirConnectionFactory
        implements QueueConnectionFactory, TopicConnectionFactory, Referenceable, Serializable {
    /** The URL of a factory created without one. */
    public static final String DEFAULT_URL = "weir://127.0.0.1:7001";

    private static final long serialVersionUID = 1;

    private final TreeMap<String, String> options = new TreeMap<>();
    private String url;
    private @Nullable String user;
    private @Nullable String password;

    /** Creates a factory for {@link #DEFAULT_URL}; {@link #setUrl} changes it. */
    public WeirConnectionFactory() {
        this(DEFAULT_URL);
    }

    /**
     * Creates a factory for a URL; throws an IllegalArgumentException that describes what is wrong with the URL or its
     * options.
     */
    public WeirConnectionFactory(String url) {
        this(url, Map.of());
    }

    /**
     * Creates a factory with options from another source, such as a directory.
     *
     * @param options knobs by key; those of the URL take precedence
     */
    public WeirConnectionFactory(String url, Map<String, String> options) {
        this.options.putAll(options);
        this.url = read(url);
        knobs();
    }

    private String read(String text) {
        WireUrl parsed = WireUrl.parse(text);
        for (Map.Entry<String, String> option : parsed.options().entrySet()) {
            switch (option.getKey()) {
                case "user" -> user = option.getValue();
                case "password" -> password = option.getValue();
                default -> options.put(option.getKey(), option.getValue());
            }
        }
        int question = text.indexOf('?');
        return question < 0 ? text : text.substring(0, question);
    }

    /** The URL to connect to, without options. */
    public final String getUrl() {
        return url;
    }

    /**
     * Sets the URL to connect to; its options are applied, and replace what was set before.
     *
     * @param url {@code weir://host:port[,host2:port2][?option=value]}; default {@link #DEFAULT_URL}
     */
    public final void setUrl(String url) {
        this.url = read(url);
        knobs();
    }

    /** The current knobs. */
    public final ClientKnobs knobs() {
        return ClientKnobs.of(options, url);
    }

    /**
     * Sets any knob by its key in kebab case; throws an IllegalArgumentException that describes an unknown key or a
     * wrong value.
     */
    public final void setOption(String key, String value) {
        TreeMap<String, String> next = new TreeMap<>(options);
        next.put(key, value);
        ClientKnobs.of(next, url);
        options.put(key, value);
    }

    private void set(String key, long value) {
        setOption(key, Long.toString(value));
    }

    private void set(String key, Enum<?> value) {
        setOption(
                key,
                value instanceof Spelled s
                        ? s.spelling()
                        : value.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** Sets the user for logins if the application gives none; may be null. */
    public final void setUser(@Nullable String name) {
        user = name;
    }

    /** The user for logins if the application gives none. */
    public final @Nullable String getUser() {
        return user;
    }

    /** Sets the password of {@link #setUser}. It is kept in memory, and not included in {@link #getReference}. */
    public final void setPassword(@Nullable String secret) {
        password = secret;
    }

    /**
     * Messages of an asynchronous session that were sent to the client and not yet passed to the listener; the batch of
     * a synchronous consumer in prefetch mode. A larger value saves round trips and costs client memory, fairness
     * between consumers and latency; further messages stay on the server. -1 means no limit.
     *
     * @param messages messages; default 10; at least -1; the option {@code messages-maximum}
     */
    public final void setMessagesMaximum(int messages) {
        set("messages-maximum", messages);
    }

    /**
     * The same window in bytes of messages, so that large messages do not fill the client's memory.
     *
     * @param bytes default 4MiB; 1KiB to 1GiB; the option {@code messages-maximum-bytes}
     */
    public final void setMessagesMaximumBytes(long bytes) {
        set("messages-maximum-bytes", bytes);
    }

    /**
     * Synchronous consumers fetch batches of messages-maximum. Applies to sessions with a single consumer.
     *
     * @param mode default disabled; the option {@code synchronous-prefetch-mode}
     */
    public final void setSynchronousPrefetchMode(PrefetchMode mode) {
        set("synchronous-prefetch-mode", mode);
    }

    /**
     * Non-persistent messages outside transactions are sent without waiting for an answer. This is faster; an error is
     * only reported at the next send that waits.
     *
     * @param mode default disabled; the option {@code one-way-send-mode}
     */
    public final void setOneWaySendMode(OneWaySendMode mode) {
        set("one-way-send-mode", mode);
    }

    /**
     * The last of every this many one-way messages of a producer waits for its answer, which throttles the producer and
     * reports errors. With 1 each message waits.
     *
     * @param messages messages; default 1; 1 to 1000000; the option {@code one-way-send-window-size}
     */
    public final void setOneWaySendWindowSize(int messages) {
        set("one-way-send-window-size", messages);
    }

    /**
     * What Message.acknowledge covers: all messages that the session consumed, or those up to this one.
     *
     * @param policy default all; the option {@code acknowledge-policy}
     */
    public final void setAcknowledgePolicy(AcknowledgePolicy policy) {
        set("acknowledge-policy", policy);
    }

    /**
     * Whether a listener may close its own session and connection: they close when it returns. The specification
     * requires off (WebLogic's default is on).
     *
     * @param allow default off; the option {@code allow-close-in-on-message}
     */
    public final void setAllowCloseInOnMessage(boolean allow) {
        setOption("allow-close-in-on-message", allow ? "on" : "off");
    }

    /**
     * Whether several connections may use one client identifier.
     *
     * @param policy default restricted; the option {@code client-id-policy}
     */
    public final void setClientIdPolicy(ClientIdPolicy policy) {
        set("client-id-policy", policy);
    }

    /**
     * Whether durable subscriptions that are not opened as shared ones accept several consumers.
     *
     * @param policy default exclusive; the option {@code subscription-sharing-policy}
     */
    public final void setSubscriptionSharingPolicy(SubscriptionSharingPolicy policy) {
        set("subscription-sharing-policy", policy);
    }

    /**
     * What is restored automatically after a connection was lost: nothing, producers, or consumers too. A send that was
     * waiting fails in any case, because it is unknown whether it arrived.
     *
     * @param policy default producer; the option {@code reconnect-policy}
     */
    public final void setReconnectPolicy(ReconnectPolicy policy) {
        set("reconnect-policy", policy);
    }

    /**
     * How long an operation waits for a lost connection to be restored; 0 fails at once, -1 waits forever.
     *
     * @param millis ms; default 60000; at least -1; the option {@code reconnect-blocking-millis}
     */
    public final void setReconnectBlockingMillis(long millis) {
        set("reconnect-blocking-millis", millis);
    }

    /**
     * How long reconnection is attempted after a connection was lost; -1 means forever.
     *
     * @param millis ms; default -1; at least -1; the option {@code total-reconnect-period-millis}
     */
    public final void setTotalReconnectPeriodMillis(long millis) {
        set("total-reconnect-period-millis", millis);
    }

    /**
     * Delivery mode of producers that set none.
     *
     * @param mode default persistent; the option {@code default-delivery-mode}
     */
    public final void setDefaultDeliveryMode(DefaultDeliveryMode mode) {
        set("default-delivery-mode", mode);
    }

    /**
     * Priority of producers that set none.
     *
     * @param priority default 4; 0 to 9; the option {@code default-priority}
     */
    public final void setDefaultPriority(int priority) {
        set("default-priority", priority);
    }

    /**
     * Time to live of messages of producers that set none; 0 means no expiration.
     *
     * @param millis ms; default 0; at least 0; the option {@code default-time-to-live}
     */
    public final void setDefaultTimeToLive(long millis) {
        set("default-time-to-live", millis);
    }

    /**
     * Delivery delay of producers that set none.
     *
     * @param millis ms; default 0; at least 0; the option {@code default-time-to-deliver}
     */
    public final void setDefaultTimeToDeliver(long millis) {
        set("default-time-to-deliver", millis);
    }

    /**
     * How long a message that was rolled back or recovered waits before it is redelivered, unless the destination
     * overrides it.
     *
     * @param millis ms; default 0; at least 0; the option {@code default-redelivery-delay}
     */
    public final void setDefaultRedeliveryDelay(long millis) {
        set("default-redelivery-delay", millis);
    }

    /**
     * How long a send waits on the server for room in the destination's quota before it fails with a
     * ResourceAllocationException; 0 does not wait. A longer time slows producers that are faster than their consumers.
     *
     * @param millis ms; default 10; 0 to 2147483647; the option {@code send-timeout}
     */
    public final void setSendTimeout(long millis) {
        set("send-timeout", millis);
    }

    /**
     * Largest message that this client sends, in encoded bytes; a larger one fails before it is sent.
     *
     * @param bytes default 10MiB; 1KiB to 1GiB; the option {@code maximum-message-size}
     */
    public final void setMaximumMessageSize(long bytes) {
        set("maximum-message-size", bytes);
    }

    /**
     * Threads that run listeners, shared by all connections of the virtual machine whose factories have the same value.
     * A session uses one at a time.
     *
     * @param threads threads; default 32; 1 to 10000; the option {@code client-thread-pool-size}
     */
    public final void setClientThreadPoolSize(int threads) {
        set("client-thread-pool-size", threads);
    }

    /**
     * The connections' client identifier; empty for none.
     *
     * @param id default none; the option {@code client-id}
     */
    public final void setClientId(String id) {
        setOption("client-id", id);
    }

    /**
     * Classes and packages ({@code com.example.*}) that ObjectMessages may contain, in addition to plain values and
     * collections of java.lang, java.util, java.math and java.time.
     *
     * @param classes default none; the option {@code deserialization-allow-list}, separated by commas
     */
    public final void setDeserializationAllowList(List<String> classes) {
        setOption("deserialization-allow-list", String.join(",", classes));
    }

    /**
     * Timeout for connecting, and for the login after it, for each address; then the next address is tried.
     *
     * @param millis ms; default 10000; 1 to 3600000; the option {@code connect-timeout-millis}
     */
    public final void setConnectTimeoutMillis(long millis) {
        set("connect-timeout-millis", millis);
    }

    /** The server, with this factory's user. */
    final Target target() {
        return target(user, password);
    }

    /** The server, with another user. */
    final Target target(@Nullable String name, @Nullable String secret) {
        return new Target(WireUrl.parse(url), new Credentials(name, secret), knobs());
    }

    private ClientConnection connect(@Nullable String name, @Nullable String secret, Domain domain)
            throws JMSException {
        return ClientConnection.connect(target(name, secret), domain);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return connect(user, password, Domain.UNIFIED);
    }

    @Override
    public Connection createConnection(@Nullable String userName, @Nullable String secret) throws JMSException {
        return connect(userName, secret, Domain.UNIFIED);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return connect(user, password, Domain.QUEUES);
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String userName, @Nullable String secret)
            throws JMSException {
        return connect(userName, secret, Domain.QUEUES);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return connect(user, password, Domain.TOPICS);
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String userName, @Nullable String secret)
            throws JMSException {
        return connect(userName, secret, Domain.TOPICS);
    }

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String userName, @Nullable String secret) {
        return createContext(userName, secret, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String userName, @Nullable String secret, int sessionMode) {
        return ClientContext.on(target(userName, secret), sessionMode);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return ClientContext.on(target(user, password), sessionMode);
    }

    /** A reference for binding in other JNDI directories, without the password. */
    @Override
    public Reference getReference() {
        Reference reference = new Reference(getClass().getName(), WeirObjectFactory.class.getName(), null);
        reference.add(new StringRefAddr(WeirObjectFactory.URL, url));
        if (user != null) {
            reference.add(new StringRefAddr(WeirObjectFactory.USER, user));
        }
        options.forEach((key, value) -> reference.add(new StringRefAddr(key, value)));
        return reference;
    }

    /** The URL and the options that were set, without password. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + url + " " + options;
    }
}
