package io.weir.jms.client;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.link.Link;
import io.weir.jms.client.link.LinkReconnector;
import io.weir.jms.client.link.LinkStream;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.link.Target;
import io.weir.jms.client.listener.ClientThreads;
import io.weir.jms.client.listener.FailureReports;
import io.weir.jms.client.producer.MessageIds;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientIdPolicy;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.client.settings.Domain;
import io.weir.jms.client.settings.ReconnectPolicy;
import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.ClientFrames.SetClientId;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirDestination;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection: unified, queue and topic. Shared by its sessions' threads. Lives until it is closed, across
 * reconnections as ReconnectPolicy allows.
 */
public class ClientConnection implements QueueConnection, TopicConnection, LinkReconnector.Owner, SessionCore.Owner {
    private final Target target;
    private final Domain domain;
    private final Clock clock;
    private final Executor pool;
    private final FailureReports reports;
    private final LinkReconnector reconnector;
    private final Temporaries temporaries = new Temporaries(this::control, this::hasConsumerOf);
    private final List<SessionCore> sessions = new CopyOnWriteArrayList<>();
    private final KnownDestinations known = new KnownDestinations(this::control);
    private final MessageIds ids = new MessageIds();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean started;
    private volatile boolean used;
    private volatile @Nullable String clientId;

    ClientConnection(Target target, Domain domain, Clock clock) {
        this.target = target;
        this.domain = domain;
        this.clock = clock;
        this.pool = ClientThreads.ofSize(target.knobs().clientThreadPoolSize());
        this.reports = new FailureReports(pool);
        this.reconnector = new LinkReconnector(target, this, clock);
    }

    /** Connects and logs in; throws a JMSSecurityException if the server rejects user and password. */
    public static ClientConnection connect(Target target, Domain domain) throws JMSException {
        return connect(target, domain, SystemClock.INSTANCE);
    }

    /** The same with another clock. */
    public static ClientConnection connect(Target target, Domain domain, Clock clock) throws JMSException {
        ClientConnection connection = new ClientConnection(target, domain, clock);
        connection.connect();
        return connection;
    }

    /** Connects, and sets the configured client identifier. */
    final void connect() throws JMSException {
        ids.on(reconnector.connect().wire().id());
        String id = knobs().clientId();
        if (id != null && !id.isEmpty()) {
            try {
                identify(new LinkStream(reconnector.await(), 0), id);
            } catch (JMSException e) {
                reconnector.close();
                throw e;
            }
        }
    }

    // ---- parts

    /** The settings of its factory. */
    public ClientKnobs knobs() {
        return target.knobs();
    }

    @Override
    public boolean isStarted() {
        return started;
    }

    private boolean restoresConsumers() {
        return knobs().reconnectPolicy() == ReconnectPolicy.ALL;
    }

    @Override
    public LinkStream control() throws JMSException {
        checkOpen();
        return new LinkStream(reconnector.await(), 0);
    }

    @Override
    public Link awaitLink() throws JMSException {
        return reconnector.await();
    }

    @Override
    public boolean isCurrent(Link link) {
        return reconnector.now() == link;
    }

    @Override
    public void quiet(String what, Throwable cause) {
        reports.quiet(what, cause);
    }

    @Override
    public void notifyListener(JMSException e) {
        reports.report(e);
    }

    @Override
    public void forget(SessionCore session) {
        sessions.remove(session);
    }

    private boolean hasConsumerOf(WeirDestination destination) {
        return sessions.stream().anyMatch(s -> s.hasConsumerOf(destination));
    }

    /** Refuses use after close; listeners that close waits for can still use all services (6.1.8). */
    private void checkOpen() throws JMSException {
        if (closing.get() && !isInListener()) {
            throw Refusals.closed("the connection");
        }
    }

    private boolean isInListener() {
        return sessions.stream().anyMatch(s -> s.dispatch().isCurrent());
    }

    // ---- the interface

    @Override
    public @Nullable String getClientID() throws JMSException {
        checkOpen();
        return clientId;
    }

    @Override
    public void setClientID(@Nullable String id) throws JMSException {
        checkOpen();
        if (clientId != null) {
            throw new IllegalStateException(
                    "the connection has its client identifier already: " + clientId, "CLIENT_ID");
        }
        if (used) {
            throw new IllegalStateException(
                    "a client identifier must be set before any other use of the connection", "CLIENT_ID");
        }
        if (id == null || id.isEmpty()) {
            throw new InvalidClientIDException("a client identifier must not be empty", "CLIENT_ID");
        }
        identify(control(), id);
    }

    private void identify(LinkStream link, String id) throws JMSException {
        boolean unrestricted = knobs().clientIdPolicy() == ClientIdPolicy.UNRESTRICTED;
        link.call(FrameType.SET_CLIENT_ID, (out, request) -> new SetClientId(request, unrestricted, id).write(out));
        clientId = id;
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        checkOpen();
        return ClientMetaData.INSTANCE;
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        checkOpen();
        return reports.listener();
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        checkOpen();
        used = true;
        reports.listen(listener);
    }

    @Override
    public void start() throws JMSException {
        checkOpen();
        used = true;
        if (started) {
            return;
        }
        control().send(FrameType.CONNECTION_START, 0, out -> {});
        started = true;
        sessions.forEach(SessionCore::started);
    }

    /** Waits until running listeners and receives that are returning a message are done. */
    @Override
    public void stop() throws JMSException {
        checkOpen();
        if (sessions.stream().anyMatch(s -> s.dispatch().isListening())) {
            throw new IllegalStateException("a message listener must not stop its own connection", "LISTENER");
        }
        used = true;
        if (!started) {
            return;
        }
        started = false;
        sessions.forEach(SessionCore::awaitPaused);
        Link link = reconnector.now();
        if (link != null) {
            new LinkStream(link, 0).call(FrameType.CONNECTION_STOP, (out, request) -> new Plain(request).write(out));
        }
    }

    /** Also closes sessions, producers and consumers. */
    @Override
    public void close() throws JMSException {
        for (SessionCore s : sessions) {
            s.checkMayClose();
        }
        if (closing.getAndSet(true)) {
            return;
        }
        SessionCore own = closeSessions();
        // and those that listeners have created in between
        closeSessions();
        if (own == null) {
            reconnector.close();
        } else {
            own.close();
            own.listening().afterListener(new LastSession(own, reconnector));
        }
    }

    /** Closes all sessions but the one whose listener this is, which is returned. */
    private @Nullable SessionCore closeSessions() throws JMSException {
        SessionCore own = null;
        for (SessionCore s : sessions) {
            if (s.dispatch().isCurrent()) {
                own = s;
            } else {
                s.close();
            }
        }
        return own;
    }

    /** Closes the session whose listener closed the connection, and then the link (AllowCloseInOnMessage). */
    private record LastSession(SessionCore session, LinkReconnector reconnector) implements Runnable {
        @Override
        public void run() {
            session.closeNow();
            reconnector.close();
        }
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return session(mode(transacted, acknowledgeMode), Domain.UNIFIED);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return session(AckMode.of(sessionMode), Domain.UNIFIED);
    }

    @Override
    public Session createSession() throws JMSException {
        return session(AckMode.AUTO, Domain.UNIFIED);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return session(mode(transacted, acknowledgeMode), Domain.QUEUES);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return session(mode(transacted, acknowledgeMode), Domain.TOPICS);
    }

    private static AckMode mode(boolean transacted, int acknowledgeMode) throws JMSException {
        if (transacted) {
            return AckMode.TRANSACTED;
        }
        if (acknowledgeMode == Session.SESSION_TRANSACTED) {
            throw new JMSException("a session that is not transacted needs an acknowledge mode", "MODE");
        }
        return AckMode.of(acknowledgeMode);
    }

    /** Opens a session of this mode; also used by contexts of the simplified API. */
    public ClientSession session(AckMode mode, Domain of) throws JMSException {
        return new ClientSession(core(mode), of, known, temporaries, () -> clientId);
    }

    /** Opens a session that takes part in XA transactions. */
    ClientXaSession branchSession(Domain of) throws JMSException {
        return new ClientXaSession(core(AckMode.BRANCHES), of, known, temporaries, () -> clientId);
    }

    private SessionCore core(AckMode mode) throws JMSException {
        checkOpen();
        used = true;
        SessionCore core = new SessionCore(this, mode, knobs(), clock, pool, ids);
        Attachment first = core.open(reconnector.await());
        sessions.add(core);
        if (!isCurrent(first.link())) {
            core.abandon();
            throw new JMSException("the connection was lost while a session was opened", "LOST");
        }
        return core;
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, @Nullable String selector, ServerSessionPool sessionPool, int maxMessages)
            throws JMSException {
        throw noPools(destination);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, @Nullable String selector, ServerSessionPool sessionPool, int maxMessages)
            throws JMSException {
        throw noPools(queue);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, @Nullable String selector, ServerSessionPool sessionPool, int maxMessages)
            throws JMSException {
        throw noPools(topic);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool sessionPool, int maxMessages)
            throws JMSException {
        domain.checkTopics("shared consumers");
        throw noPools(topic);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool sessionPool, int maxMessages)
            throws JMSException {
        domain.checkTopics("durable consumers");
        throw noPools(topic);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool sessionPool, int maxMessages)
            throws JMSException {
        domain.checkTopics("durable consumers");
        throw noPools(topic);
    }

    private JMSException noPools(@Nullable Destination destination) throws JMSException {
        checkOpen();
        used = true;
        if (destination == null) {
            return new InvalidDestinationException("no destination was given");
        }
        return new JMSException("application servers' session pools are not supported (specification 12, optional)");
    }

    // ---- loss and return

    @Override
    public void error(RefusalCode code, String text) {
        reports.report(Refusals.of(code, text));
    }

    @Override
    public void refused(JMSException why) {
        reports.report(why);
    }

    @Override
    public void failed(JMSException why) {
        reports.report(why);
        sessions.forEach(SessionCore::wakeReceiver);
    }

    @Override
    public void lost(JMSException why) {
        temporaries.lost();
        known.lost();
        List<SessionCore> gone = restoresConsumers()
                ? List.of()
                : sessions.stream().filter(SessionCore::consumes).toList();
        if (!gone.isEmpty()) {
            LinkReconnector.aside(() -> {
                gone.forEach(SessionCore::abandon);
                reports.report(why);
            });
        } else {
            quiet("a connection was lost and is being restored", why);
        }
    }

    @Override
    public void restore(Link link) throws JMSException {
        LinkStream control = new LinkStream(link, 0);
        String id = clientId;
        if (id != null) {
            identify(control, id);
        }
        ids.on(link.wire().id());
        for (SessionCore s : sessions) {
            if (restoresConsumers() || !s.consumes()) {
                reopen(s, link);
            }
        }
        if (started) {
            control.send(FrameType.CONNECTION_START, 0, out -> {});
        }
    }

    private void reopen(SessionCore session, Link link) throws JMSException {
        try {
            session.reopen(link);
        } catch (JMSException e) {
            if (link.isClosed()) {
                throw e;
            }
            session.abandon();
            reports.report(e);
        }
    }
}
