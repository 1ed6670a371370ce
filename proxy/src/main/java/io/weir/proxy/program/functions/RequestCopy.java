package io.weir.proxy.program.functions;

import io.weir.http.RequestHead;
import io.weir.proxy.function.FunctionRequest;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.OriginAnswer;
import io.weir.proxy.program.run.ProxyFault;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A copy of a run's request for a function: taken on the run's loop, it may outlive the exchange. Immutable. */
final class RequestCopy implements FunctionRequest {
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

    private RequestCopy(Stage stage, FunctionContext run) {
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

    /** The current request of a run. Called on the run's loop. */
    static RequestCopy of(FunctionContext run) {
        Stage stage = run.stage();
        if (stage == null) {
            throw new IllegalStateException("no stage runs");
        }
        return new RequestCopy(stage, run);
    }

    @Override
    public Stage stage() {
        return stage;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String target() {
        return head.target();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return head.query();
    }

    @Override
    public @Nullable String host() {
        return authority.isEmpty() ? null : authority;
    }

    @Override
    public @Nullable String field(String name) {
        return head.fields().combined(name);
    }

    @Override
    public InetAddress clientAddress() {
        return client;
    }

    @Override
    public boolean secure() {
        return secure;
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return certificates;
    }

    @Override
    public String virtualServer() {
        return virtualServer;
    }

    @Override
    public int restarts() {
        return restarts;
    }

    @Override
    public @Nullable String variable(String name) {
        return variables.get(name);
    }

    @Override
    public @Nullable String reason() {
        return fault == null ? null : fault.code();
    }

    @Override
    public int answerStatus() {
        return answer == null ? 0 : answer.status();
    }

    @Override
    public @Nullable String answerField(String name) {
        return answer == null ? null : answer.fields().combined(name);
    }
}
