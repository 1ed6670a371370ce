package io.weir.server.admin;

import io.netty.util.concurrent.EventExecutor;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.WorkManager;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Finds a request's handler and runs it: views on the loop, the rest on a few admin threads behind a bounded queue.
 * Shared; owned by the {@link AdminListener}.
 */
final class Dispatcher {
    private final AdminRouter router;
    private final Access access;
    private final AdminUsers users;
    private final Stats stats;
    private final Log log;
    private final Counter busy;
    private final Counter failed;
    private final WorkManager threads;
    private final ViewQueue views = new ViewQueue();

    Dispatcher(AdminRouter router, Access access, AdminUsers users, WorkManager threads, Stats stats, Log log) {
        this.router = router;
        this.access = access;
        this.users = users;
        this.threads = threads;
        this.stats = stats;
        this.log = log;
        this.busy = stats.counter(AdminStats.BUSY);
        this.failed = stats.counter(AdminStats.FAILED);
    }

    /**
     * Answers a request, now or later.
     *
     * @param loop the connection's loop, on which this is called
     * @param wanted whether somebody waits for the answer yet
     * @param done called on the loop once, or not at all where nobody waits any more
     */
    void answer(
            AdminRequest request,
            Verdict verdict,
            EventExecutor loop,
            BooleanSupplier wanted,
            Consumer<AdminAnswer> done) {
        switch (verdict) {
            case Verdict.Refused refused -> done.accept(refused(refused));
            case Verdict.Allowed allowed -> route(request.by(allowed.author()), loop, wanted, done);
            case Verdict.Ask ask -> ask(request, ask, loop, wanted, done);
        }
    }

    /** Whether a path is there whatever else is asked for. */
    boolean vital(String path) {
        return router.isVital(path);
    }

    /** Counts a refusal and returns its answer. */
    AdminAnswer refused(Verdict.Refused refused) {
        stats.counter(AdminStats.REFUSED, refused.reason()).inc();
        return refused.answer();
    }

    private void ask(
            AdminRequest request,
            Verdict.Ask ask,
            EventExecutor loop,
            BooleanSupplier wanted,
            Consumer<AdminAnswer> done) {
        onThread(loop, done, () -> {
            boolean known = users.isAdmin(ask.user(), ask.password());
            loop.execute(() -> {
                if (known) {
                    route(request.by(ask.user()), loop, wanted, done);
                } else {
                    done.accept(refused(access.unauthorised("User or password is wrong")));
                }
            });
        });
    }

    private void route(AdminRequest request, EventExecutor loop, BooleanSupplier wanted, Consumer<AdminAnswer> done) {
        AdminRouter.Match match = router.find(request.method(), request.path());
        switch (match.route()) {
            case AdminRouter.Now now -> now(now, request, loop, wanted, done);
            case AdminRouter.Shared shared -> shared(shared, request, loop, wanted, done);
            case AdminRouter.Later later -> later(later.handler(), request, loop, done);
            case null ->
                done.accept(match.allowed().isEmpty() ? notFound(request) : notAllowed(request, match.allowed()));
        }
    }

    private void now(
            AdminRouter.Now route,
            AdminRequest request,
            EventExecutor loop,
            BooleanSupplier wanted,
            Consumer<AdminAnswer> done) {
        switch (route.where()) {
            case FIRST -> done.accept(handle(route.handler(), request));
            case LOOP -> views.build(loop, wanted, () -> done.accept(handle(route.handler(), request)));
            case THREAD ->
                onThread(loop, done, () -> {
                    AdminAnswer answer = handle(route.handler(), request);
                    loop.execute(() -> done.accept(answer));
                });
        }
    }

    private void shared(
            AdminRouter.Shared route,
            AdminRequest request,
            EventExecutor loop,
            BooleanSupplier wanted,
            Consumer<AdminAnswer> done) {
        String key = request.path() + " " + route.question().apply(request);
        views.share(
                loop,
                key,
                wanted,
                () -> handle(route.view(), request),
                answer -> done.accept(route.finish().of(request, answer)));
    }

    private void later(LaterHandler handler, AdminRequest request, Executor loop, Consumer<AdminAnswer> done) {
        CompletableFuture<AdminAnswer> later;
        try {
            later = handler.answer(request);
        } catch (RuntimeException e) {
            later = CompletableFuture.failedFuture(e);
        }
        var _ = later.exceptionally(e -> {
                    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                    return failure(request.method(), request.path(), cause);
                })
                .thenAcceptAsync(done, loop);
    }

    private void onThread(Executor loop, Consumer<AdminAnswer> done, Runnable task) {
        boolean taken = threads.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                AdminAnswer answer = failure("-", "-", e);
                loop.execute(() -> done.accept(answer));
            }
        });
        if (!taken) {
            busy.inc();
            done.accept(AdminAnswer.problem(503, "Service unavailable", "All admin threads are busy: try again later.")
                    .with("Retry-After", "1"));
        }
    }

    private AdminAnswer handle(AdminHandler handler, AdminRequest request) {
        try {
            return handler.answer(request);
        } catch (NotWritten e) {
            return notWritten(request, e, e.full());
        } catch (IOException e) {
            return NotWritten.isFull(e) ? notWritten(request, e, true) : failure(request.method(), request.path(), e);
        } catch (Exception e) {
            return failure(request.method(), request.path(), e);
        }
    }

    /** The disk's fault and not the server's: 507 (RFC 4918 section 11.5) where there is no room. */
    private AdminAnswer notWritten(AdminRequest request, IOException e, boolean full) {
        failed.inc();
        log.log(AdminMessages.NOT_WRITTEN, request.method(), request.path(), String.valueOf(e.getMessage()));
        return full
                ? AdminAnswer.problem(507, "Insufficient storage", "Nothing was changed: " + e.getMessage())
                : AdminAnswer.problem(500, "Internal server error", "Nothing was changed: " + e.getMessage());
    }

    private AdminAnswer failure(String method, String path, Throwable e) {
        failed.inc();
        log.log(AdminMessages.HANDLER_FAILED, method, path, e);
        return AdminAnswer.problem(500, "Internal server error", "The handler failed; the server log says why.");
    }

    private static AdminAnswer notFound(AdminRequest request) {
        return AdminAnswer.problem(404, "Not found", "There is nothing at " + request.path() + "; / lists the views.");
    }

    private static AdminAnswer notAllowed(AdminRequest request, String allowed) {
        return AdminAnswer.problem(405, "Method not allowed", request.path() + " knows " + allowed + ".")
                .with("Allow", allowed);
    }
}
