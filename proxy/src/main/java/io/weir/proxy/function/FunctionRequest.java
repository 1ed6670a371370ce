package io.weir.proxy.function;

import io.weir.http.RequestHead;
import io.weir.proxy.program.OriginAnswer;
import io.weir.proxy.program.ProgramRun;
import io.weir.proxy.program.ProxyFault;
import io.weir.proxy.program.Stage;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as a function sees it: a copy, which may outlive the exchange. Immutable, so that any thread may have it.
 * What a function changes it says in its {@link Verdict}.
 */
public final class FunctionRequest {
    private final Stage stage;
    private final RequestHead head;
    private final String path;
    private final String authority;
    private final InetAddress client;
    private final boolean secure;
    private final List<X509Certificate> certificates;
    private final String virtualServer;
    private final int restarts;
    private final Map<String, String> variables;
    private final @Nullable ProxyFault fault;
    private final @Nullable OriginAnswer answer;

    private FunctionRequest(Stage stage, ProgramRun run) {
        OriginAnswer given = run.answer();
        this.stage = stage;
        this.head = run.request().head().copy();
        this.path = run.path();
        this.authority = run.authority();
        this.client = run.request().clientAddress();
        this.secure = run.request().secure();
        this.certificates = run.request().clientCertificates();
        this.virtualServer = run.request().virtualServer().name();
        this.restarts = run.restarts();
        this.variables = run.variables();
        this.fault = run.fault();
        this.answer = given == null
                ? null
                : new OriginAnswer(given.status(), given.fields().copy());
    }

    /** The request of a run, as it is now. Called on the run's loop. */
    static FunctionRequest of(ProgramRun run) {
        Stage stage = run.stage();
        if (stage == null) {
            throw new IllegalStateException("no stage runs");
        }
        return new FunctionRequest(stage, run);
    }

    /** The stage that runs. */
    public Stage stage() {
        return stage;
    }

    /** As sent: methods are case-sensitive. */
    public String method() {
        return head.method();
    }

    /** The target as sent: a path with query, a whole URL, {@code host:port}, or {@code *}. */
    public String target() {
        return head.target();
    }

    /** The path that rules are matched against and origins get, without query: nothing in it is encoded without need. */
    public String path() {
        return path;
    }

    /** What follows the question mark, or null. */
    public @Nullable String query() {
        return head.query();
    }

    /**
     * Host in lower case and without dots behind it, and the port unless it is the scheme's own; null where an HTTP/1.0
     * client sent none.
     */
    public @Nullable String host() {
        return authority.isEmpty() ? null : authority;
    }

    /** All values of a field, joined by commas, or null; names count in any case. */
    public @Nullable String field(String name) {
        return head.fields().combined(name);
    }

    /** Where the connection comes from. */
    public InetAddress clientAddress() {
        return client;
    }

    /** Whether the connection is TLS. */
    public boolean secure() {
        return secure;
    }

    /** What the client showed in its TLS handshake, checked against client-trust, leaf first; empty where nothing. */
    public List<X509Certificate> clientCertificates() {
        return certificates;
    }

    /** Name of the virtual server that answers. */
    public String virtualServer() {
        return virtualServer;
    }

    /** How often functions restarted this request; {@code proxy.restarts} bounds it. */
    public int restarts() {
        return restarts;
    }

    /** What a function set before for this request, or null. */
    public @Nullable String variable(String name) {
        return variables.get(name);
    }

    /** In Error: the reason's code, such as {@code origin-refused}; null elsewhere. */
    public @Nullable String reason() {
        return fault == null ? null : fault.code();
    }

    /** In Filter and Output: the status of the origin's answer; 0 elsewhere. */
    public int answerStatus() {
        return answer == null ? 0 : answer.status();
    }

    /** In Filter and Output: all values of a field of the origin's answer, joined by commas, or null. */
    public @Nullable String answerField(String name) {
        return answer == null ? null : answer.fields().combined(name);
    }
}
