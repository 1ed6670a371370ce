package io.weir.proxy.exchange;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.RequestHead;
import io.weir.kernel.connection.SessionStatus;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.tls.CipherStrength;
import io.weir.kernel.work.RequestWork;
import io.weir.proxy.accesslog.RecordText;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.fields.Cookies;
import io.weir.proxy.fields.Forwarding;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberRequest;
import io.weir.proxy.program.run.RequestContext;
import io.weir.proxy.program.server.VirtualServer;
import io.weir.proxy.program.server.VirtualServers;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A client's request, as the functions of its route and the access log see it, and its state in monitoring. Confined to
 * the muxer of the client's connection.
 */
abstract class ReceivedRequest implements RequestContext {
    final LoopContext loop;
    final ExchangeRecord record = new ExchangeRecord();
    private @Nullable Client client;
    private @Nullable RequestHead head;
    private VirtualServer virtualServer = VirtualServer.DEFAULT;
    /** It is another member's. */
    private boolean ofMember;

    /** What that member told about its client; null: nothing that can be read. */
    private @Nullable MemberRequest member;

    ReceivedRequest(LoopContext loop) {
        this.loop = loop;
    }

    /** Starts a new request, whose head is complete. */
    final void received(Client connection, RequestHead request) {
        client = connection;
        head = request;
        ofMember = connection.connection().listener().config().protocol() == ListenerProtocol.CACHE;
        member = ofMember ? MemberRequest.take(request.fields()) : null;
    }

    /** What it is counted under: another process of this server has counted its client's request. */
    final String countedFor() {
        boolean ofProcess = ofMember && client().connection().listener().name().equals(CacheOwners.PROCESSES);
        return ofProcess ? CacheOwners.PROCESSES : virtualServer.name();
    }

    @Override
    public final boolean ofMember() {
        return ofMember;
    }

    /** What that member told about its client; null: nothing that can be read, or it is not a member's. */
    final @Nullable MemberRequest member() {
        return member;
    }

    /** Ends it: its answer is complete, or the client is disconnected. */
    final void forget() {
        client = null;
        head = null;
        member = null;
    }

    /** Selects its virtual server. */
    final void choose(VirtualServers of) {
        Listener listener = client().connection().listener();
        RequestHead request = head();
        MemberRequest m = member;
        virtualServer = of.select(
                m == null ? listener.name() : m.listener(),
                m == null ? listener.config().virtualServer() : m.virtualServer(),
                request.bytes(),
                request.hostStart(),
                RequestKinds.hostEnd(request));
    }

    /** The decoder reuses its memory, and the head is needed later. */
    void keepHead() {
        head = head().copy();
    }

    Client client() {
        Client c = client;
        if (c == null) {
            throw new IllegalStateException("the exchange is over");
        }
        return c;
    }

    ClientResponse response() {
        return client().response();
    }

    LoopContext loopContext() {
        return loop;
    }

    ExchangeRecord record() {
        return record;
    }

    /** Whether there is a client to answer. */
    boolean alive() {
        return client != null;
    }

    /** Whether this exchange still answers on that connection. */
    @SuppressWarnings("ReferenceEquality") // identity: the same connection
    boolean serves(Client connection) {
        return client == connection;
    }

    /** The client's address as text. */
    String clientText() {
        MemberRequest m = member;
        return m == null ? client().connection().remoteText() : m.client().getHostAddress();
    }

    /** Shows the request and its status in monitoring. */
    void show(SessionStatus doing) {
        RequestHead request = head();
        client().state().begin(request.method(), request.target(), virtualServer.name(), record.startNanos(), doing);
    }

    /** Shows in monitoring that it waits, or no longer waits, for the addresses of its origin. */
    void resolving(boolean begins) {
        awaits(SessionStatus.DNS, begins);
    }

    /** Shows in monitoring that it waits for something, or no longer does. */
    void awaits(SessionStatus what, boolean begins) {
        Client c = client;
        if (c != null) {
            c.state().status(begins ? what : SessionStatus.PROCESSING);
        }
    }

    /** Shows in monitoring that it is being processed. */
    void processing() {
        client().state().status(SessionStatus.PROCESSING);
    }

    /** Flushes what was written, if there is still a client. */
    void flushOut() {
        Client c = client;
        if (c != null) {
            c.response().outbox().flush();
        }
    }

    @Override
    public RequestHead head() {
        RequestHead h = head;
        if (h == null) {
            throw new IllegalStateException("the exchange is over");
        }
        return h;
    }

    @Override
    public InetAddress clientAddress() {
        MemberRequest m = member;
        return m == null ? client().connection().remote().getAddress() : m.client();
    }

    @Override
    public boolean secure() {
        MemberRequest m = member;
        return m == null ? client().connection().secure() : m.https();
    }

    @Override
    public boolean https() {
        MemberRequest m = member;
        if (m != null) {
            return m.https();
        }
        boolean tls = client().connection().clientSecure();
        Fields fields = head().fields();
        boolean claimsHttps =
                fields.has(FieldName.X_FORWARDED_PROTO) || fields.has(FieldName.FORWARDED) || head().namesHttps();
        if (claimsHttps && trusted()) {
            return Forwarding.https(head(), tls);
        }
        return tls;
    }

    /** Whether the client is a trusted proxy in front. */
    boolean trusted() {
        MemberRequest m = member;
        return m == null ? loop.proxy().trusts(clientAddress()) : m.trusted();
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return client().connection().clientCertificates();
    }

    @Override
    public int secretKeySize() {
        SSLSession session = client().connection().tls();
        return session == null ? 0 : CipherStrength.bits(session.getCipherSuite());
    }

    @Override
    public @Nullable SSLSession tls() {
        return client().connection().tls();
    }

    @Override
    public VirtualServer virtualServer() {
        return virtualServer;
    }

    @Override
    public RequestWork.Subject subject(String function) {
        return new RequestWork.Subject(
                client().connection().id(),
                record.startNanos(),
                clientText(),
                virtualServer.name(),
                head().method(),
                head().target(),
                function);
    }

    @Override
    public Executor loop() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void logRequestField(String name, RecordText out) {
        out.append(head().fields().combined(name));
    }

    @Override
    public void logCookie(String name, RecordText out) {
        out.append(Cookies.value(head().fields(), name));
    }

    @Override
    public int logStatus() {
        return record.status();
    }
}
