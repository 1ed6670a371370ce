package io.weir.broker.admin;

import io.weir.broker.config.DestinationConfig;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.destination.Subscription;
import io.weir.broker.destination.SubscriptionKey;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.BulkWork;
import io.weir.broker.queue.EntrySelection;
import io.weir.broker.queue.EntryStore;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.MoveReason;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.session.BrokerEngine;
import io.weir.broker.subscription.Subscriptions;
import io.weir.broker.transaction.Redirection;
import io.weir.broker.xa.Branch;
import io.weir.broker.xa.BranchAnswer;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.selector.Selector;
import io.weir.journal.damage.Damages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * Monitoring and administration: statistics; browsing, moving and deleting messages; pausing. From any thread; futures
 * complete on the destinations' loops, exceptionally with a {@link RequestRefusal} that gives the reason. Shared.
 */
public final class BrokerAdmin {
    /** The stages of a destination that can be paused. */
    public enum Stage {
        PRODUCTION,
        INSERTION,
        CONSUMPTION
    }

    /** The journal's name, which labels its statistics. */
    public static final String JOURNAL = EntryStore.JOURNAL;

    private final BrokerEngine engine;
    private final LoopSamplers samplers;

    public BrokerAdmin(BrokerEngine engine, LoopSamplers samplers) {
        this.engine = engine;
        this.samplers = samplers;
    }

    /** All destinations that are not temporary, by name. */
    public CompletableFuture<List<DestinationView>> destinations() {
        return gather(engine.destinations().all().stream()
                        .filter(d -> d.owner == 0)
                        .sorted(Comparator.comparing(d -> d.name.toString()))
                        .map(d -> on(d.loop, () -> DestinationView.of(d)))
                        .toList())
                .thenApply(List::copyOf);
    }

    /** Temporary destinations that exist now. */
    public int temporaryDestinations() {
        return (int)
                engine.destinations().all().stream().filter(d -> d.owner != 0).count();
    }

    /** All durable and shared subscriptions, by key. */
    public CompletableFuture<List<SubscriptionView>> subscriptions() {
        return gather(engine.subscriptions().all().stream()
                .sorted(Comparator.comparing(n -> n.subscription().queue.name()))
                .map(n -> on(n.subscription().topic.loop, () -> SubscriptionView.of(n)))
                .toList());
    }

    /** All open sessions, by connection and number. */
    public CompletableFuture<List<SessionView>> sessions() {
        return gather(engine.connections().stream()
                        .sorted(Comparator.comparingLong(c -> c.wire.id()))
                        .map(c -> on(c.loop, () -> SessionView.of(c)))
                        .toList())
                .thenApply(lists -> lists.stream().flatMap(List::stream).toList());
    }

    /**
     * The latest counts of the loops, taken about once a second each, and available at once even if a loop is busy. The
     * figures of a loop that hangs are its last ones and are marked stale.
     */
    public List<LoopFigures> figures() {
        return samplers.latest();
    }

    /** The quotas, by name. */
    public List<QuotaView> quotas() {
        return engine.quotas().all().values().stream()
                .map(QuotaView::of)
                .sorted(Comparator.comparing(QuotaView::name))
                .toList();
    }

    /**
     * Deletes a durable subscription with its messages, in the place of its client: it is refused while it has consumers,
     * or messages that are not settled.
     *
     * @param where {@code topic/name#key}
     */
    public CompletableFuture<Void> unsubscribe(String where) {
        Subscriptions.Named named = engine.subscriptions().all().stream()
                .filter(n -> (n.subscription().topic.name + "#"
                                + n.subscription().queue.name())
                        .equals(where))
                .findFirst()
                .orElse(null);
        SubscriptionKey key = named == null ? null : named.subscription().key();
        if (named == null || key == null || !key.durable()) {
            return CompletableFuture.failedFuture(new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    "there is no durable subscription " + where + ": ./weir jms subscriptions lists them"));
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        Subscription s = named.subscription();
        s.topic.loop.run(() -> engine.subscriptions().unsubscribe(key, s.queue.isHeld(), s.topic.loop, failure -> {
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        }));
        return done;
    }

    /** Branches of distributed transactions in doubt, and those that an operator ended, the oldest first. */
    public List<TransactionView> transactions() {
        return engine.branches().listed().stream().map(TransactionView::of).toList();
    }

    /** What an operator does with a branch. */
    public enum Decision {
        COMMIT,
        ROLLBACK,
        /** Nobody will ask any more how it was ended. */
        FORGET
    }

    /**
     * Ends a branch in doubt, or forgets how it was ended.
     *
     * @param id as {@link TransactionView#id} has it
     */
    public CompletableFuture<Void> decide(String id, Decision decision) {
        BranchId branchId = BranchId.parse(id);
        Branch branch = branchId == null ? null : engine.branches().find(branchId);
        if (branch == null) {
            return CompletableFuture.failedFuture(new RequestRefusal(
                    RefusalCode.ILLEGAL_STATE,
                    branchId == null
                            ? id + " is no transaction: they are written FORMAT:GLOBAL:QUALIFIER, as the list has them"
                            : "transaction " + id + " does not exist: it was ended, or never prepared"));
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        BranchAnswer answer = (code, text) -> {
            if (code == XAResource.XA_OK) {
                done.complete(null);
            } else {
                done.completeExceptionally(new RequestRefusal(RefusalCode.ILLEGAL_STATE, text));
            }
        };
        branch.home().run(() -> {
            switch (decision) {
                case COMMIT -> branch.decide(true, answer);
                case ROLLBACK -> branch.decide(false, answer);
                case FORGET -> branch.forget(answer);
            }
        });
        return done;
    }

    /** Why persistent messages are refused now; null if they are accepted. */
    public @Nullable String storeSuspended() {
        var fault = engine.store().suspended();
        return fault == null ? null : fault.getMessage();
    }

    /** The damage found in the store; null without a store. */
    public @Nullable Damages damages() {
        return hasStore() ? engine.store().store().damages() : null;
    }

    /** Whether persistent messages are kept. */
    public boolean hasStore() {
        return engine.store().isOpen();
    }

    /**
     * Messages of a queue, or of a topic's durable subscription, in the order of delivery.
     *
     * @param where {@code queue/name}, or {@code topic/name#key} for the subscription with this key
     * @param cursor 0 for the first page, then the last message's {@link MessageSummary#place}
     */
    public CompletableFuture<List<MessageSummary>> browse(
            String where, @Nullable String selector, long cursor, int max) {
        return withQueue(where, selector, (queue, s) -> {
            List<MessageSummary> page = new ArrayList<>();
            for (QueueEntry e : EntrySelection.page(queue, s, cursor, max)) {
                page.add(MessageSummary.of(e));
            }
            return CompletableFuture.completedFuture(page);
        });
    }

    /**
     * The result of bulk work.
     *
     * @param count messages processed, durably
     * @param complete whether all messages that were there at its start were processed
     * @param stopped what stopped it; null if its time was over or all is done
     */
    public record Done(
            long count, boolean complete, @Nullable RequestRefusal stopped) {}

    /**
     * Deletes waiting messages. Those at consumers stay.
     *
     * @param most maximum number of messages
     * @param time after which no new chunk is started; another call continues
     */
    public CompletableFuture<Done> delete(String where, @Nullable String selector, long most, Duration time) {
        return withQueue(
                where,
                selector,
                (queue, s) -> sweep(
                        queue,
                        s,
                        most,
                        time,
                        (chunk, done) -> queue.delete(
                                chunk, _ -> {}, failure -> done.done(failure == null ? List.of() : chunk, failure))));
    }

    private CompletableFuture<Done> sweep(
            MessageQueue queue, @Nullable Selector selector, long most, Duration time, BulkWork.Step step) {
        CompletableFuture<Done> done = new CompletableFuture<>();
        long end = engine.clock().nanos() + time.toNanos();
        new BulkWork(
                        queue,
                        List.of(),
                        EntrySelection.by(selector),
                        most,
                        () -> engine.clock().nanos() - end < 0,
                        (count, complete, why) -> done.complete(new Done(count, complete, why)),
                        step)
                .start();
        return done;
    }

    /**
     * Moves waiting messages to another destination, regardless of its quota. A message is always in exactly one of the
     * two, even if the server crashes. To a topic, a message is moved only if some subscription takes it, and a
     * persistent one only if a durable subscription takes it.
     *
     * @param most maximum number of messages
     * @param time after which no new chunk is started; another call continues
     */
    public CompletableFuture<Done> move(String where, String to, @Nullable String selector, long most, Duration time) {
        Destination target = engine.destinations().byText(to);
        if (target == null) {
            return CompletableFuture.failedFuture(unknown(to));
        }
        return on(target.loop, () -> admitted(target))
                .thenCompose(refusal -> refusal == null
                        ? move(where, target, selector, most, time)
                        : CompletableFuture.failedFuture(refusal));
    }

    private static @Nullable RequestRefusal admitted(Destination target) {
        try {
            Redirection.admit(target);
            return null;
        } catch (RequestRefusal r) {
            return r;
        }
    }

    private CompletableFuture<Done> move(
            String where, Destination target, @Nullable String selector, long most, Duration time) {
        return withQueue(where, selector, (queue, s) -> {
            if (queue.context.equals(target.context)) {
                return CompletableFuture.failedFuture(new RequestRefusal(
                        RefusalCode.ILLEGAL_STATE, "messages of " + where + " are there already: name another target"));
            }
            return sweep(
                    queue,
                    s,
                    most,
                    time,
                    (chunk, done) -> engine.redirection().move(queue, chunk, target, MoveReason.MOVED, done));
        });
    }

    /**
     * Pauses or resumes a stage of a destination until the next change or restart.
     *
     * @return whether it was paused before
     * @throws Refusal when there is no such destination
     */
    public boolean pause(String destination, Stage stage, boolean paused) throws RequestRefusal {
        Destination d = engine.destinations().byText(destination);
        if (d == null) {
            throw unknown(destination);
        }
        Destination.Stage which = Destination.Stage.valueOf(stage.name());
        boolean before = d.isPaused(which);
        d.pause(which, paused);
        return before;
    }

    /**
     * Resumes all paused stages of a destination and returns them.
     *
     * @throws Refusal when there is no such destination
     */
    public List<Stage> resume(String destination) throws RequestRefusal {
        Destination d = engine.destinations().byText(destination);
        if (d == null) {
            throw unknown(destination);
        }
        List<Stage> paused = Stream.of(Stage.values())
                .filter(s -> d.isPaused(Destination.Stage.valueOf(s.name())))
                .toList();
        paused.forEach(s -> d.pause(Destination.Stage.valueOf(s.name()), false));
        return paused;
    }

    /**
     * Creates a destination that is not configured; it lasts until the broker stops. An existing one is left unchanged.
     */
    public void create(DestinationName name, DestinationConfig config) {
        engine.destinations().create(name, config);
    }

    /**
     * Deletes a destination with its messages; its consumers are closed. A configured one is created again at the next
     * start.
     *
     * @throws Refusal when there is no such destination
     */
    public void deleteDestination(String destination) throws RequestRefusal {
        Destination d = engine.destinations().byText(destination);
        if (d == null) {
            throw unknown(destination);
        }
        engine.destinations().delete(d);
    }

    private static RequestRefusal unknown(String name) {
        boolean queue = name.startsWith("queue/");
        return new RequestRefusal(
                RefusalCode.INVALID_DESTINATION,
                queue || name.startsWith("topic/")
                        ? name + " does not exist: configure it under messaging." + (queue ? "queues" : "topics")
                        : name + " names no destination: write queue/NAME or topic/NAME");
    }

    private interface Work<T> {
        CompletableFuture<T> on(MessageQueue queue, @Nullable Selector selector) throws RequestRefusal;
    }

    private <T> CompletableFuture<T> withQueue(String where, @Nullable String selector, Work<T> work) {
        int hash = where.indexOf('#');
        Destination d = engine.destinations().byText(hash < 0 ? where : where.substring(0, hash));
        if (d == null) {
            return CompletableFuture.failedFuture(unknown(where));
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        d.loop.run(() -> {
            try {
                Selector s = EntrySelection.parse(selector, d.name);
                var _ = work.on(queue(d, hash < 0 ? null : where.substring(hash + 1)), s)
                        .whenComplete((value, failure) -> {
                            if (failure == null) {
                                done.complete(value);
                            } else {
                                done.completeExceptionally(failure);
                            }
                        });
            } catch (RequestRefusal | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** @param key the subscription's key, with or without the dots of its client identifier escaped */
    private MessageQueue queue(Destination d, @Nullable String key) throws RequestRefusal {
        if (d instanceof QueueDestination q && key == null) {
            return q.queue();
        }
        for (MessageQueue q : d.queues()) {
            if (q.name().equals(key)) {
                return q;
            }
        }
        List<Subscription> meant = engine.subscriptions().all().stream()
                .map(Subscriptions.Named::subscription)
                .filter(s -> s.topic == d && s.key() != null && s.key().joined().equals(key))
                .toList();
        if (meant.size() == 1) {
            return meant.getFirst().queue;
        }
        throw new RequestRefusal(
                RefusalCode.INVALID_DESTINATION,
                d.name
                        + (key == null
                                ? " is a topic: name a subscription as topic/name#key"
                                : " has " + (meant.isEmpty() ? "no" : "more than one") + " subscription " + key));
    }

    private static <T> CompletableFuture<T> on(BrokerLoop loop, java.util.function.Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        loop.run(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static <T> CompletableFuture<List<T>> gather(List<CompletableFuture<T>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> parts.stream().map(CompletableFuture::join).toList());
    }
}
