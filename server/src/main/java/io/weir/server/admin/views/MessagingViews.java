package io.weir.server.admin.views;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.BrokerAdmin.Decision;
import io.weir.broker.admin.BrokerAdmin.Stage;
import io.weir.broker.admin.SubscriptionView;
import io.weir.broker.admin.TransactionView;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.facts.MessagingFacts;
import io.weir.server.figures.messaging.MessagingDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messaging on the admin listener: {@code GET /messaging} lists the destinations; {@code POST /messaging/move}, {@code
 * delete}, {@code pause} and {@code resume} change them. Answers come from the destinations' loops, so admin threads
 * wait for them. Shared.
 */
public final class MessagingViews {
    private static final long TIME_OUT_SECONDS = 20;
    /**
     * After this time bulk work starts nothing new and the request is answered; the client repeats the request for the
     * rest.
     */
    private static final Duration BULK = Duration.ofSeconds(5);

    /** How long to wait for current figures. */
    private static final long FRESH_SECONDS = 2;

    private static final long NANOS = 1_000_000_000L;

    private final BrokerAdmin broker;

    public MessagingViews(BrokerAdmin broker) {
        this.broker = broker;
    }

    public void register(AdminRouter router) {
        router.on("GET", "/messaging", Where.THREAD, _ -> AdminAnswer.json(200, destinations()));
        router.on("GET", "/messaging/subscriptions", Where.THREAD, _ -> AdminAnswer.json(200, subscriptions()));
        router.on(
                "GET",
                "/messaging/transactions",
                Where.THREAD,
                _ -> AdminAnswer.json(200, Json.rows(broker.transactions(), MessagingViews::transaction)));
        router.change("POST", "/messaging/transactions", this::decide, "id", "decision");
        router.change("POST", "/messaging/unsubscribe", this::unsubscribe, "subscription");
        router.change("POST", "/messaging/move", this::move, "from", "to", "selector", "max");
        router.change("POST", "/messaging/delete", this::delete, "from", "selector", "max");
        router.change("POST", "/messaging/pause", r -> pause(r, true), "destination", "stage");
        router.change("POST", "/messaging/resume", r -> pause(r, false), "destination", "stage");
    }

    /** The current figures; the last known ones of a muxer that hangs. */
    private String destinations() throws InterruptedException, ExecutionException {
        List<MessagingFigures.Destination> all;
        try {
            all = broker.destinations().get(FRESH_SECONDS, TimeUnit.SECONDS).stream()
                    .map(d -> MessagingFacts.destination(d, 0))
                    .toList();
        } catch (TimeoutException e) {
            all = broker.figures().stream()
                    .flatMap(l ->
                            l.destinations().stream().map(d -> MessagingFacts.destination(d, l.ageNanos() / NANOS)))
                    .toList();
        }
        return Json.rows(all, MessagingDeclarations.DESTINATION::members);
    }

    /** Each with the name for moves, deletions and browsing. */
    private String subscriptions() throws RequestRefusal, TimeoutException, InterruptedException {
        return Json.rows(within(broker.subscriptions()), MessagingViews::subscription);
    }

    private static void subscription(SubscriptionView s, Json to) {
        to.add("name", s.topic() + "#" + s.key())
                .add("selector", s.selector())
                .add("durable", s.durable())
                .add("shared", s.shared())
                .add("consumers", s.consumers())
                .object(
                        "messages",
                        messages -> messages.add("current", s.available())
                                .add("pending", s.messages() - s.available())
                                .add("high", s.high())
                                .add("total", s.received())
                                .add("recovered", s.recovered()));
    }

    private AdminAnswer unsubscribe(AdminRequest request) throws Exception {
        String which = request.parameter("subscription");
        if (which == null) {
            return missing("subscription, such as subscription=topic/news#app.daily");
        }
        try {
            within(broker.unsubscribe(which));
            return AdminAnswer.json(200, j -> j.add("unsubscribed", which));
        } catch (RequestRefusal r) {
            return refused(r);
        } catch (TimeoutException e) {
            return AdminAnswer.problem(
                    504, "Not yet", "the disk has not answered for " + TIME_OUT_SECONDS + " s: list the subscriptions");
        }
    }

    private static void transaction(TransactionView t, Json to) {
        to.add("id", t.id())
                .add("state", t.state())
                .add("since", Instant.ofEpochMilli(t.since()).toString())
                .add("user", t.user())
                .object("messages", m -> m.add("sent", t.sent()).add("received", t.received()));
    }

    /** Ends a transaction in doubt in the place of its manager. */
    private AdminAnswer decide(AdminRequest request) throws Exception {
        String id = request.parameter("id");
        String decision = request.parameter("decision");
        Decision which = Stream.of(Decision.values())
                .filter(d -> d.name().toLowerCase(Locale.ROOT).equals(decision))
                .findFirst()
                .orElse(null);
        if (id == null || which == null) {
            return missing("id, and decision: commit, rollback or forget");
        }
        try {
            within(broker.decide(id, which));
            return AdminAnswer.json(200, j -> j.add("decision", decision).add("id", id));
        } catch (RequestRefusal r) {
            return refused(r);
        } catch (TimeoutException e) {
            return AdminAnswer.problem(
                    504, "Not yet", "the disk has not answered for " + TIME_OUT_SECONDS + " s: list the transactions");
        }
    }

    private AdminAnswer move(AdminRequest request) throws Exception {
        String from = request.parameter("from");
        String to = request.parameter("to");
        if (from == null || to == null) {
            return missing("from and to, such as from=queue/errors&to=queue/demo");
        }
        return changed("moved", request, max -> broker.move(from, to, request.parameter("selector"), max, BULK));
    }

    private AdminAnswer delete(AdminRequest request) throws Exception {
        String from = request.parameter("from");
        if (from == null) {
            return missing("from, such as from=queue/errors");
        }
        return changed("deleted", request, max -> broker.delete(from, request.parameter("selector"), max, BULK));
    }

    private interface Change {
        CompletableFuture<BrokerAdmin.Done> upTo(long max);
    }

    private static AdminAnswer changed(String what, AdminRequest request, Change change) throws Exception {
        String max = request.parameter("max");
        if (max != null && !max.matches("\\d{1,9}")) {
            return AdminAnswer.problem(400, "Bad request", "max is a number of messages, not " + max);
        }
        try {
            return done(what, within(change.upTo(max == null ? Long.MAX_VALUE : Long.parseLong(max))));
        } catch (RequestRefusal r) {
            return refused(r);
        } catch (TimeoutException e) {
            return AdminAnswer.problem(
                    504,
                    "Not yet",
                    "the disk has not answered for " + TIME_OUT_SECONDS
                            + " s: what was started continues; see ./weir jms stats, and ask again for the rest");
        }
    }

    /** Reports what is durable, also if it was stopped half-way. */
    public static AdminAnswer done(String what, BrokerAdmin.Done done) {
        Consumer<Json> figures = j -> j.add(what, done.count()).add("complete", done.complete());
        RequestRefusal why = done.stopped();
        if (why == null) {
            return AdminAnswer.json(200, figures);
        }
        String detail = done.count() + " messages are " + what
                + (why.code() == RefusalCode.DESTINATION_DELETED
                        ? ": " + why.text()
                        : ", the others are where they were: " + why.text() + "; ask again for the rest");
        return AdminAnswer.problem(503, "Stopped", detail, figures);
    }

    private AdminAnswer pause(AdminRequest request, boolean pause) {
        String name = request.parameter("destination");
        if (name == null) {
            return missing("destination, such as destination=queue/demo");
        }
        String given = request.parameter("stage");
        if (given == null && !pause) {
            return resumeAll(name);
        }
        Stage stage = stage(given == null ? "consumption" : given);
        if (stage == null) {
            return AdminAnswer.problem(
                    400, "Bad request", "stage is production, insertion or consumption, not " + given);
        }
        try {
            boolean before = broker.pause(name, stage, pause);
            String word = stage.name().toLowerCase(Locale.ROOT);
            String said = pause || before ? word : "nothing, " + word + " was not paused";
            return AdminAnswer.json(200, j -> j.add(pause ? "paused" : "resumed", said));
        } catch (RequestRefusal r) {
            return refused(r);
        }
    }

    /** Resumes all stages that are paused. */
    private AdminAnswer resumeAll(String name) {
        try {
            String stages = broker.resume(name).stream()
                    .map(s -> s.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(","));
            String said = stages.isEmpty() ? "nothing, it was not paused" : stages;
            return AdminAnswer.json(200, j -> j.add("resumed", said));
        } catch (RequestRefusal r) {
            return refused(r);
        }
    }

    private static @Nullable Stage stage(String word) {
        for (Stage s : Stage.values()) {
            if (s.name().toLowerCase(Locale.ROOT).equals(word)) {
                return s;
            }
        }
        return null;
    }

    private static AdminAnswer missing(String what) {
        return AdminAnswer.problem(400, "Bad request", "the query needs " + what);
    }

    private static AdminAnswer refused(RequestRefusal r) {
        return AdminAnswer.problem(422, "Refused", r.text());
    }

    /** Waits on an admin thread for an answer of other loops. */
    private static <T> T within(CompletableFuture<T> answer)
            throws RequestRefusal, TimeoutException, InterruptedException {
        try {
            return answer.get(TIME_OUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RequestRefusal r) {
                throw r;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
