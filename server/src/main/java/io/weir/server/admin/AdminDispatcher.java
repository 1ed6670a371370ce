package io.weir.server.admin;

import io.netty.util.concurrent.EventExecutor;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.work.WorkManager;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds a request's handler and runs it: views on the loop, the rest on a few admin threads behind a bounded queue. A
 * client that has not shown who it is has lanes of its own, one for views that need a thread, one for password checks,
 * one for what is answered elsewhere: it never takes a thread or a place from one that has. Shared; owned by the
 * {@link AdminListener}.
 */
final class AdminDispatcher {
    private final AdminRouter router;
    private final AdminAccess access;
    private final AdminUsers users;
    private final Stats stats;
    private final Log log;
    private final Counter busy;
    private final Counter failed;
    private final Threads threads;
    private final ViewQueue views = new ViewQueue();
    private final Lane dumps;
    private final Lane passwords;
    private final Lane elsewhere;

    /** Maximum number of unauthenticated requests that wait for an answer from elsewhere. */
    static final int MAX_ELSEWHERE = 24;

    /** Threads of {@link Threads#open}: one for each lane that needs one. */
    static final int OPEN_THREADS = 2;

    /**
     * The threads for work that may block.
     *
     * @param known for authenticated clients
     * @param open for all others
     * @param queue requests of a kind that may wait for the latter
     */
    record Threads(WorkManager known, WorkManager open, int queue) {}

    AdminDispatcher(AdminRouter router, AdminAccess access, AdminUsers users, Threads threads, Stats stats, Log log) {
        this.router = router;
        this.access = access;
        this.users = users;
        this.threads = threads;
        this.dumps = new Lane(1, threads.queue());
        this.passwords = new Lane(1, threads.queue());
        this.elsewhere = new Lane(MAX_ELSEWHERE, threads.queue());
        this.stats = stats;
        this.log = log;
        this.busy = stats.counter(AdminStats.BUSY);
        this.failed = stats.counter(AdminStats.FAILED);
        stats.begin(AdminStats.REFUSED);
    }

    /**
     * The requester of an answer.
     *
     * @param loop the connection's loop, on which all of this is called
     * @param staying whether the request arrived before the client had read the previous answer
     * @param wanted whether the client still waits for the answer
     * @param done called once, or not at all if the client is gone
     */
    record Requester(EventExecutor loop, boolean staying, BooleanSupplier wanted, Consumer<AdminAnswer> done) {}

    /** Answers a request, now or later. */
    void answer(AdminRequest request, AccessVerdict verdict, Requester requester) {
        switch (verdict) {
            case AccessVerdict.Refused refused -> requester.done().accept(refused(refused));
            case AccessVerdict.Allowed allowed -> route(request.by(allowed.author()), requester);
            case AccessVerdict.CheckPassword check -> checkPassword(request, check, requester);
        }
    }

    /** Has a view built for who is no client of the listener. Called on the loop. */
    void view(EventExecutor loop, String path, @Nullable String query, Consumer<AdminAnswer> done) {
        try {
            Map<String, String> parameters = RequestDecoding.query(query, false);
            AdminRequest request = new AdminRequest(
                    "GET", path, parameters, Map.of(), "", new InetSocketAddress(0), AdminRequest.ANONYMOUS);
            route(request, new Requester(loop, false, () -> true, done));
        } catch (RequestDecoding.Malformed e) {
            done.accept(AdminAnswer.problem(400, "Bad request", "The query: " + e.getMessage() + "."));
        }
    }

    /** Whether a path must be available under any load. */
    boolean vital(String path) {
        return router.isVital(path);
    }

    /** A vital view's answer of the last second, if its current answer would have to be waited for; else null. */
    @Nullable
    AdminAnswer recent(AdminRequest request) {
        return router.isVital(request.path())
                        && router.find(request.method(), request.path()).route()
                                instanceof AdminRouter.Later(var handler)
                ? handler.recent(request)
                : null;
    }

    /** Counts a refusal and returns its answer. */
    AdminAnswer refused(AccessVerdict.Refused refused) {
        stats.counter(AdminStats.REFUSED, refused.reason()).inc();
        return refused.answer();
    }

    private void checkPassword(AdminRequest request, AccessVerdict.CheckPassword check, Requester requester) {
        onOpenThread(passwords, requester, () -> {
            boolean known = users.isAdmin(check.user(), check.password());
            requester.loop().execute(() -> {
                if (known) {
                    route(request.by(check.user()), requester);
                } else {
                    requester.done().accept(refused(access.unauthorised("User or password is wrong")));
                }
            });
        });
    }

    private void route(AdminRequest request, Requester requester) {
        AdminAnswer refusal = router.refusal(request);
        if (refusal != null) {
            requester.done().accept(refusal);
            return;
        }
        AdminRouter.Match match = router.find(request.method(), request.path());
        switch (match.route()) {
            case AdminRouter.Now now -> now(now, request, requester);
            case AdminRouter.Shared shared -> shared(shared, request, requester);
            case AdminRouter.Later later -> later(later.handler(), request, requester);
            case null ->
                requester
                        .done()
                        .accept(match.allowed().isEmpty() ? notFound(request) : notAllowed(request, match.allowed()));
        }
    }

    private void now(AdminRouter.Now route, AdminRequest request, Requester requester) {
        Consumer<AdminAnswer> done = requester.done();
        switch (route.where()) {
            case FIRST -> done.accept(handle(route.handler(), request));
            case LOOP ->
                views.build(
                        requester.loop(),
                        rank(request, requester),
                        requester.wanted(),
                        () -> done.accept(handle(route.handler(), request)));
            case THREAD -> {
                Runnable task = () -> {
                    AdminAnswer answer = handle(route.handler(), request);
                    requester.loop().execute(() -> done.accept(answer));
                };
                if (request.anonymous()) {
                    onOpenThread(dumps, requester, task);
                } else if (!onThread(threads.known(), requester, task)) {
                    done.accept(busy());
                }
            }
        }
    }

    private static ViewQueue.Rank rank(AdminRequest request, Requester requester) {
        return !request.anonymous()
                ? ViewQueue.Rank.KNOWN
                : requester.staying() ? ViewQueue.Rank.STAYING : ViewQueue.Rank.SINGLE;
    }

    /** Clients with many requests are served after all with one, and one after the other. */
    private void shared(AdminRouter.Shared route, AdminRequest request, Requester requester) {
        Supplier<AdminAnswer> view = () -> handle(route.view(), request);
        Consumer<AdminAnswer> done =
                answer -> requester.done().accept(route.finish().of(request, answer));
        if (requester.staying()) {
            views.build(requester.loop(), rank(request, requester), requester.wanted(), () -> done.accept(view.get()));
        } else {
            String key = request.path() + " " + route.question().apply(request);
            views.share(requester.loop(), key, requester.wanted(), view, done);
        }
    }

    private void later(LaterHandler handler, AdminRequest request, Requester requester) {
        if (!request.anonymous() || handler.sharing(request)) {
            var _ = answer(handler, request).thenAcceptAsync(requester.done(), requester.loop());
            return;
        }
        elsewhere.enter(
                requester.staying(),
                requester.wanted(),
                () -> {
                    var _ = answer(handler, request)
                            .thenAcceptAsync(
                                    answer -> {
                                        try {
                                            requester.done().accept(answer);
                                        } finally {
                                            elsewhere.left();
                                        }
                                    },
                                    requester.loop());
                },
                () -> requester.done().accept(busy()));
    }

    private CompletableFuture<AdminAnswer> answer(LaterHandler handler, AdminRequest request) {
        CompletableFuture<AdminAnswer> later;
        try {
            later = handler.answer(request);
        } catch (RuntimeException e) {
            later = CompletableFuture.failedFuture(e);
        }
        return later.exceptionally(e -> {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            return failure(request.method(), request.path(), cause);
        });
    }

    /** Runs a task of a client that has not shown who it is, when its turn comes. */
    private void onOpenThread(Lane lane, Requester requester, Runnable task) {
        lane.enter(
                requester.staying(),
                requester.wanted(),
                () -> {
                    boolean taken = onThread(threads.open(), requester, () -> {
                        try {
                            task.run();
                        } finally {
                            requester.loop().execute(lane::left);
                        }
                    });
                    if (!taken) {
                        requester.done().accept(busy());
                        lane.left();
                    }
                },
                () -> requester.done().accept(busy()));
    }

    /** Returns false if there is no thread for a task. */
    private boolean onThread(WorkManager on, Requester requester, Runnable task) {
        return on.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                AdminAnswer answer = failure("-", "-", e);
                requester.loop().execute(() -> requester.done().accept(answer));
            }
        });
    }

    private AdminAnswer busy() {
        busy.inc();
        return AdminAnswer.problem(503, "Service unavailable", "All admin threads are busy: try again later.")
                .with("Retry-After", "1");
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

    /** A fault of the disk, not of the server: 507 (RFC 4918 section 11.5) if there is no room. */
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
        return AdminAnswer.problem(500, "Internal server error", "The handler failed; the server log has the reason.");
    }

    private static AdminAnswer notFound(AdminRequest request) {
        return AdminAnswer.problem(404, "Not found", "There is nothing at " + request.path() + "; / lists the views.");
    }

    private static AdminAnswer notAllowed(AdminRequest request, String allowed) {
        return AdminAnswer.problem(405, "Method not allowed", request.path() + " knows " + allowed + ".")
                .with("Allow", allowed);
    }
}
