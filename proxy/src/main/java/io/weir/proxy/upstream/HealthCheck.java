package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.ResponseHead;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.pool.CheckConfig;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.PoolRules;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One active check: a request on a separate connection, of whose answer only the status is used. Confined to its muxer;
 * lives until the status arrives, it fails, or it times out.
 */
final class HealthCheck implements OriginEvents, Borrower {
    private final LoopContext loop;
    private final OriginPool connections;
    private final PoolRules rules;
    private final OriginKey origin;
    private final Consumer<String> result;
    private final Deadline timer = Deadline.of(() -> over("no answer in time"));
    private @Nullable OriginConnection connection;
    private boolean over;

    /** A check; {@code result} is called once: with an empty text if the server is healthy, else with the reason. */
    HealthCheck(LoopContext loop, OriginPool connections, PoolRules rules, OriginKey origin, Consumer<String> result) {
        this.loop = loop;
        this.connections = connections;
        this.rules = rules;
        this.origin = origin;
        this.result = result;
    }

    void start() {
        loop.deadlines().arm(timer, rules.check().timeOut().toNanos());
        connections.borrow(origin, this);
    }

    private void over(String reason) {
        if (over) {
            return;
        }
        over = true;
        loop.deadlines().disarm(timer);
        OriginConnection c = connection;
        connection = null;
        if (c != null) {
            connections.forget(c);
            c.abandon();
        }
        result.accept(reason);
    }

    @Override
    public void ready(OriginConnection borrowed, boolean fresh) {
        connection = borrowed;
        CheckConfig check = rules.check();
        Method method = switch (check.method()) {
            case GET -> Method.GET;
            case HEAD -> Method.HEAD;
            case OPTIONS -> Method.OPTIONS;
        };
        borrowed.begin(this, method);
        String host = check.host() == null ? origin.authority() : check.host();
        String head = check.method() + " " + check.path() + " HTTP/1.1\r\nHost: " + host
                + "\r\nUser-Agent: Weir\r\nProxy-Ping: true\r\nConnection: close\r\n\r\n";
        ByteBuf bytes = loop.proxy().allocator().directBuffer(head.length());
        bytes.writeCharSequence(head, StandardCharsets.US_ASCII);
        borrowed.requestComplete();
        borrowed.write(bytes);
        borrowed.flush();
    }

    @Override
    public void unavailable(OriginFault fault, String detail) {
        over(fault.label());
    }

    @Override
    public boolean cancelled() {
        return over;
    }

    @Override
    public boolean fresh() {
        return true;
    }

    @Override
    public OriginConnector.AddressRule rule() {
        return _ -> true;
    }

    @Override
    public long connecting() {
        return rules.check().timeOut().toNanos();
    }

    @Override
    public void informational(ResponseHead head) {
        // only the final answer matters
    }

    @Override
    public void head(ResponseHead head) {
        over(rules.goodCheck(head.status()) ? "" : "status " + head.status());
    }

    @Override
    public void data(ByteBuf data) {
        data.release();
    }

    @Override
    public void end(Fields trailers) {
        over("no answer");
    }

    @Override
    public void broken(OriginFault fault, String detail) {
        connection = null;
        over(fault.label());
    }

    @Override
    public void writable() {
        // the request has no body
    }

    @Override
    public void flush() {
        // nothing is batched
    }
}
