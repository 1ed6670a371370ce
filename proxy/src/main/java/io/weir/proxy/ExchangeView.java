package io.weir.proxy;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.RequestHead;
import io.weir.http.ResponseHead;
import io.weir.kernel.CipherStrength;
import io.weir.kernel.ConnectionQueue;
import io.weir.kernel.RequestWork;
import io.weir.kernel.SessionStatus;
import io.weir.kernel.WorkPlace;
import io.weir.proxy.accesslog.LogText;
import io.weir.proxy.accesslog.LogVariable;
import io.weir.proxy.cache.StoredObject;
import io.weir.proxy.program.ProgramRun;
import io.weir.proxy.program.ProxyFault;
import io.weir.proxy.program.RequestContext;
import io.weir.proxy.program.VirtualServer;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Exchange} holds, and how the request program and the access log see it. Confined to the connection's
 * muxer.
 */
abstract sealed class ExchangeView implements RequestContext, ConnectionQueue.QueuedRequest permits Exchange {
    final LoopContext loop;
    final ProgramRun run;
    final ExchangeRecord record = new ExchangeRecord();
    final CacheNote note = new CacheNote();
    final Reuse reuse = new Reuse();
    final ThrottleSlot slot;

    @Nullable
    Client client;

    @Nullable
    RequestHead head;

    VirtualServer virtualServer = VirtualServer.DEFAULT;
    /** Where it runs once it waits for a slot; null: where requests run that name nothing. */
    @Nullable
    WorkPlace place;

    /** The stored object that answers, held until the exchange is over. */
    @Nullable
    StoredObject stored;
    /** The origin's head that is relayed; valid while its answer comes in. */
    @Nullable
    ResponseHead answer;

    ExchangeView(LoopContext loop) {
        this.loop = loop;
        this.run = loop.newRun();
        this.slot = new ThrottleSlot(loop.kernel().connectionQueue(), this);
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

    ProgramRun run() {
        return run;
    }

    LoopContext loopContext() {
        return loop;
    }

    /** Why the program failed. */
    ProxyFault runFault() {
        ProxyFault f = run.fault();
        return f == null ? ProxyFault.FUNCTION : f;
    }

    ExchangeRecord record() {
        return record;
    }

    CacheNote note() {
        return note;
    }

    /** Whether this exchange still answers on that connection. */
    boolean serves(Client connection) {
        return client == connection;
    }

    /** The client's address as text. */
    String clientText() {
        return client().connection().remoteText();
    }

    /** Monitoring shows what this request is and does. */
    void show(SessionStatus doing) {
        RequestHead request = head();
        client().state().begin(request.method(), request.target(), virtualServer.name(), record.startNanos(), doing);
    }

    /** Monitoring shows that it waits for the addresses of its origin, or no more. */
    final void resolving(boolean begins) {
        awaits(SessionStatus.DNS, begins);
    }

    /** Monitoring shows that it waits for one of its origin's connections, or no more. */
    final void awaitsConnection(boolean begins) {
        awaits(SessionStatus.AWAITING_CONNECTION, begins);
    }

    private void awaits(SessionStatus what, boolean begins) {
        Client c = client;
        if (c != null) {
            c.state().status(begins ? what : SessionStatus.PROCESSING);
        }
    }

    /** Writes out what was written, if there is still a client. */
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
        return client().connection().remote().getAddress();
    }

    @Override
    public boolean secure() {
        return client().connection().secure();
    }

    @Override
    public boolean https() {
        boolean tls = client().connection().clientSecure();
        Fields fields = head().fields();
        boolean told =
                fields.has(FieldName.X_FORWARDED_PROTO) || fields.has(FieldName.FORWARDED) || head().namesHttps();
        if (told && trusted()) {
            return Forwarding.https(head(), tls);
        }
        return tls;
    }

    /** Whether the client is a proxy in front whose word counts. */
    boolean trusted() {
        return loop.proxy().trusts(clientAddress());
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
    public VirtualServer virtualServer() {
        return virtualServer;
    }

    @Override
    public @Nullable WorkPlace place() {
        return place;
    }

    @Override
    public boolean admit() {
        return slot.admit(
                loop.proxy().pools().manager(run), () -> loop.proxy().pools().requestClass(run));
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
    public void logValue(LogVariable variable, LogText out) {
        record.write(variable, this, out);
    }

    @Override
    public void logRequestField(String name, LogText out) {
        out.append(head().fields().combined(name));
    }

    @Override
    public void logCookie(String name, LogText out) {
        out.append(Cookies.value(head().fields(), name));
    }

    @Override
    public int logStatus() {
        return record.status();
    }

    @Override
    public void logResponseField(String name, LogText out) {
        ResponseHead relayed = answer;
        StoredObject object = stored;
        if (relayed != null) {
            out.append(relayed.fields().combined(name));
        } else if (object != null) {
            out.append(object.fields().combined(name));
        }
    }

    @Override
    public void logVariable(String name, LogText out) {
        out.append(run.variable(name));
    }
}
