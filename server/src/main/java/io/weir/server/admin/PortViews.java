package io.weir.server.admin;

import io.weir.proxy.program.run.ServerViews;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener's views for functions that answer with them on the proxy's ports. They are built on the admin
 * loop, one after the other with those of its own clients, and a bounded number of them waits there: strangers on the
 * proxy's ports delay an administrator by that many views at most. Shared; lives as long as the server.
 */
public final class PortViews implements ServerViews {
    /** How many requests may wait for a view; a further one is refused. */
    static final int MAX_WAITING = 16;

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable AdminListener listener;

    /** The views are those of this listener from now on. */
    public void open(AdminListener opened) {
        listener = opened;
    }

    @Override
    public boolean build(String path, @Nullable String query, Consumer<Answer> done) {
        AdminListener at = listener;
        if (at == null) {
            return false;
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return false;
        }
        try {
            at.view(path, query, answer -> {
                waiting.decrementAndGet();
                pass(answer, done);
            });
            return true;
        } catch (RejectedExecutionException e) {
            waiting.decrementAndGet();
            return false;
        }
    }

    private static void pass(AdminAnswer answer, Consumer<Answer> done) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("X-Content-Type-Options", "nosniff");
        answer.fields().forEach(f -> fields.put(f.name(), f.value()));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        try {
            done.accept(new Answer(answer.status(), answer.contentType(), body, fields));
        } catch (RejectedExecutionException e) {
            // the server stops: the request's loop, and its connection, are closed
            return;
        }
    }
}
