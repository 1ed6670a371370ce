package io.weir.broker.subscription;

import io.weir.base.Live;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.Subscription;
import io.weir.broker.destination.SubscriptionKey;
import io.weir.broker.destination.TopicDestination;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.EntryStore;
import io.weir.broker.queue.SendCallback;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.store.StoredSubscription;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.selector.Selector;
import io.weir.journal.settings.JournalFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The named subscriptions, durable and shared, by client identifier and name (Jakarta Messaging 3.1, 8.3.2 to 8.3.5):
 * whether a new consumer can join, replaces an idle subscription with other terms, or is refused. A durable one exists
 * once it is stored and is gone once the store has removed it; until then requests for it wait. Shared; each name is
 * changed atomically, and the topic's loop follows.
 */
public final class Subscriptions {
    /**
     * Maximum characters of a subscription's name and of a client identifier; the specification requires at least 128.
     */
    public static final int LONGEST_NAME = 255;

    /**
     * The terms that a consumer requests.
     *
     * @param notFrom client identifier whose messages are excluded, or null
     */
    public record Terms(
            TopicDestination topic,
            @Nullable Selector selector,
            @Nullable String notFrom,
            boolean durable,
            boolean shared) {

        /** Whether two consumers refer to the same subscription. */
        boolean same(Terms o) {
            return topic == o.topic
                    && Objects.equals(notFrom, o.notFrom)
                    && shared == o.shared
                    && Objects.equals(String.valueOf(selector), String.valueOf(o.selector));
        }
    }

    /** Called once, on the caller's loop, possibly at once. */
    public interface Joined {
        /** The consumer was added to the subscription. */
        void joined(Subscription s);

        void refused(RequestRefusal why);
    }

    /**
     * A subscription and the number of its consumers.
     *
     * @param change the store operation in progress: completes when it has succeeded or failed; null for none
     * @param deleting whether it deletes the subscription
     * @param replaced the subscription that is restored if the store refuses this one
     */
    public record Named(
            Subscription subscription,
            Terms terms,
            int consumers,
            @Nullable CompletableFuture<@Nullable RequestRefusal> change,
            boolean deleting,
            @Nullable Named replaced) {

        static Named kept(Subscription s, Terms terms, int consumers) {
            return new Named(s, terms, consumers, null, false, null);
        }

        Named with(int count) {
            return new Named(subscription, terms, count, change, deleting, replaced);
        }

        /** Whether this very change is in progress. */
        @SuppressWarnings("ReferenceEquality") // the identity of the change matters
        boolean changesBy(CompletableFuture<?> one) {
            return change == one;
        }

        Named settled() {
            return kept(subscription, terms, consumers);
        }
    }

    private final Live<MessagingConfig> config;
    private final EntryStore store;
    private final Map<SubscriptionKey, Named> all = new ConcurrentHashMap<>();
    /**
     * Subscriptions of an old store in which the end of the client identifier is ambiguous, by identifier, dot and
     * name.
     */
    private final Map<String, Named> unclaimed = new ConcurrentHashMap<>();

    public Subscriptions(Live<MessagingConfig> config, EntryStore store) {
        this.config = config;
        this.store = store;
    }

    /**
     * Finds or creates the subscription for one more consumer.
     *
     * @param caller the caller's loop
     */
    public void join(SubscriptionKey key, Terms terms, BrokerLoop caller, Joined done) {
        @Nullable RequestRefusal[] refusal = {null};
        CompletableFuture<?>[] busy = {null};
        Named named = all.compute(key, (_, found) -> {
            try {
                if (found != null
                        && found.change() != null
                        && (found.deleting() || !found.terms().same(terms))) {
                    busy[0] = found.change();
                    return found;
                }
                return found == null ? first(key, terms, caller) : another(key, found, terms, caller);
            } catch (RequestRefusal r) {
                refusal[0] = r;
                return found;
            }
        });
        if (refusal[0] != null) {
            done.refused(refusal[0]);
        } else if (busy[0] != null) {
            var _ = busy[0].thenRun(() -> caller.run(() -> join(key, terms, caller, done)));
        } else {
            whenKept(named, caller, done);
        }
    }

    private static void whenKept(Named n, BrokerLoop caller, Joined done) {
        CompletableFuture<@Nullable RequestRefusal> change = n.change();
        if (change == null) {
            done.joined(n.subscription());
            return;
        }
        var _ = change.thenAccept(why -> caller.run(() -> {
            if (why == null) {
                done.joined(n.subscription());
            } else {
                done.refused(why);
            }
        }));
    }

    private Named first(SubscriptionKey key, Terms terms, BrokerLoop caller) throws RequestRefusal {
        Named claimed = key.durable() ? unclaimed.remove(key.joined()) : null;
        if (claimed == null) {
            return create(key, terms, caller, null);
        }
        try {
            Subscription s = claimed.subscription();
            return claimed.terms().same(terms)
                    ? store(key, s, terms, caller, claimed)
                    : another(key, claimed, terms, caller);
        } catch (RequestRefusal r) {
            unclaimed.put(key.joined(), claimed);
            throw r;
        }
    }

    private Named another(SubscriptionKey key, Named found, Terms terms, BrokerLoop caller) throws RequestRefusal {
        if (found.terms().shared() != terms.shared()) {
            throw inUse(key, "is a " + (found.terms().shared() ? "shared" : "unshared") + " one");
        }
        boolean same = found.terms().same(terms);
        if (found.consumers() > 0 && !same) {
            throw inUse(key, "has consumers with another topic or selector");
        }
        if (found.consumers() > 0 && !terms.shared()) {
            throw inUse(key, "has a consumer already");
        }
        return same ? found.with(found.consumers() + 1) : create(key, terms, caller, found);
    }

    private Named create(SubscriptionKey key, Terms terms, BrokerLoop caller, @Nullable Named replaced)
            throws RequestRefusal {
        if (terms.topic().isRetired()) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    terms.topic().name
                            + " was removed from the configuration: it takes no new subscriptions, and gives out the"
                            + " messages that it has");
        }
        int most = config.get().limits().subscriptionsPerTopic();
        long there = all().stream()
                .filter(n -> n.subscription().topic == terms.topic())
                .count();
        if (there >= most) {
            throw new RequestRefusal(
                    RefusalCode.RESOURCE_ALLOCATION,
                    terms.topic().name + " has " + there
                            + " subscriptions, the most allowed: unsubscribe some, or raise"
                            + " limits.subscriptions-per-topic");
        }
        if (terms.durable() && store.isOpen()) {
            return store(key, null, terms, caller, replaced);
        }
        Subscription s = Subscription.named(key, terms.topic(), terms.selector(), 0);
        begin(s, replaced);
        return Named.kept(s, terms, 1);
    }

    /** Adds it to its topic, in place of another. */
    private static void begin(Subscription s, @Nullable Named replaced) {
        Subscription old = replaced == null ? null : replaced.subscription();
        s.topic.loop.run(() -> s.topic.replace(old, s));
        if (old != null && old.topic != s.topic) {
            old.topic.loop.run(() -> old.topic.remove(old));
        }
    }

    /** Stores a new subscription, or an existing one under its key. */
    private Named store(
            SubscriptionKey key,
            @Nullable Subscription there,
            Terms terms,
            BrokerLoop caller,
            @Nullable Named replaced) {
        CompletableFuture<@Nullable RequestRefusal> change = new CompletableFuture<>();
        StoredSubscription kept = new StoredSubscription(
                there == null ? "" : there.queue.key().subscription(),
                terms.topic().name,
                key.name(),
                key.clientId(),
                false,
                terms.selector() == null ? null : terms.selector().toString(),
                terms.shared(),
                terms.notFrom());
        long before = replaced == null ? 0 : replaced.subscription().entry();
        long entry = store.subscribe(caller, kept, before, fault -> stored(key, change, fault));
        Subscription s =
                there == null ? Subscription.named(key, terms.topic(), terms.selector(), entry) : there.as(key, entry);
        return new Named(s, terms, 1, change, false, replaced);
    }

    /** The store has written a subscription, or failed to. */
    private void stored(
            SubscriptionKey key, CompletableFuture<@Nullable RequestRefusal> change, @Nullable JournalFault fault) {
        boolean[] current = {false};
        all.computeIfPresent(key, (_, n) -> {
            if (!n.changesBy(change)) {
                return n;
            }
            current[0] = true;
            if (fault != null) {
                return undone(key, n);
            }
            begin(n.subscription(), n.replaced());
            return n.settled();
        });
        RequestRefusal why = fault == null ? null : store.refusal("subscription " + key, fault);
        if (why == null && !current[0]) {
            why = new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION, "the topic of subscription " + key + " was deleted");
        }
        change.complete(why);
    }

    private @Nullable Named undone(SubscriptionKey key, Named n) {
        Named before = n.replaced();
        if (before != null && before.subscription().ambiguous()) {
            unclaimed.put(key.joined(), before);
            return null;
        }
        return before;
    }

    private static RequestRefusal inUse(SubscriptionKey key, String how) {
        return new RequestRefusal(
                RefusalCode.ILLEGAL_STATE, "subscription " + key + " " + how + ": close them, or choose another name");
    }

    /** Removes a consumer; a non-durable subscription is removed with its last one. */
    public void leave(Subscription s) {
        SubscriptionKey key = s.key();
        if (key == null) {
            s.topic.loop.run(() -> s.topic.remove(s));
            return;
        }
        all.computeIfPresent(key, (_, n) -> {
            if (n.subscription() != s) {
                return n;
            }
            if (n.consumers() == 1 && !s.durable) {
                s.topic.loop.run(() -> s.topic.remove(s));
                return null;
            }
            return n.with(n.consumers() - 1);
        });
    }

    /** The subscription with this key. */
    @Nullable
    public Subscription find(SubscriptionKey key) {
        Named n = all.get(key);
        if (n == null && key.durable()) {
            n = unclaimed.get(key.joined());
        }
        return n == null ? null : n.subscription();
    }

    /**
     * Deletes a durable subscription.
     *
     * @param held whether sessions hold messages of it
     * @param done called on the caller's loop when the store has deleted it, or with the reason of failure: there is
     * none, it has consumers or unacknowledged messages, or the store failed
     */
    public void unsubscribe(SubscriptionKey key, boolean held, BrokerLoop caller, SendCallback done) {
        claim(key);
        @Nullable RequestRefusal[] refusal = {null};
        CompletableFuture<?>[] busy = {null};
        Named n = all.computeIfPresent(key, (_, found) -> {
            if (found.change() != null) {
                busy[0] = found.change();
                return found;
            }
            refusal[0] = mayNotEnd(key, found, held);
            return refusal[0] != null ? found : ending(key, found, caller);
        });
        if (n == null) {
            done.done(new RequestRefusal(RefusalCode.INVALID_DESTINATION, "there is no durable subscription " + key));
        } else if (refusal[0] != null) {
            done.done(refusal[0]);
        } else if (busy[0] != null) {
            var _ = busy[0].thenRun(() -> caller.run(() -> unsubscribe(key, held, caller, done)));
        } else {
            var _ = Objects.requireNonNull(n.change()).thenAccept(why -> caller.run(() -> done.done(why)));
        }
    }

    /** Assigns a subscription of an old store to this client. */
    private void claim(SubscriptionKey key) {
        all.computeIfAbsent(key, k -> {
            Named n = k.durable() ? unclaimed.remove(k.joined()) : null;
            return n == null
                    ? null
                    : Named.kept(n.subscription().as(k, n.subscription().entry()), n.terms(), 0);
        });
    }

    private static @Nullable RequestRefusal mayNotEnd(SubscriptionKey key, Named n, boolean held) {
        if (n.consumers() > 0) {
            return inUse(key, "has " + n.consumers() + " consumers");
        }
        return held
                ? new RequestRefusal(
                        RefusalCode.ILLEGAL_STATE,
                        "subscription " + key + " has messages that are not acknowledged or committed: do it before")
                : null;
    }

    private Named ending(SubscriptionKey key, Named n, BrokerLoop caller) {
        CompletableFuture<@Nullable RequestRefusal> change = new CompletableFuture<>();
        store.unsubscribe(caller, n.subscription().entry(), fault -> {
            all.computeIfPresent(key, (_, now) -> {
                if (!now.changesBy(change)) {
                    return now;
                }
                if (fault != null) {
                    return now.settled();
                }
                Subscription s = now.subscription();
                s.topic.loop.run(() -> s.topic.remove(s));
                return null;
            });
            change.complete(fault == null ? null : store.refusal("subscription " + key, fault));
        });
        return new Named(n.subscription(), n.terms(), 0, change, true, null);
    }

    /** Adds a recovered durable subscription; returns an older one of the same key, which it replaces. */
    @Nullable
    public Subscription restore(Subscription s, Terms terms) {
        SubscriptionKey key = Objects.requireNonNull(s.key());
        Named n = Named.kept(s, terms, 0);
        Named older = s.ambiguous() ? unclaimed.put(key.name(), n) : all.put(key, n);
        return older == null ? null : older.subscription();
    }

    public Collection<Named> all() {
        if (unclaimed.isEmpty()) {
            return all.values();
        }
        List<Named> both = new ArrayList<>(all.values());
        both.addAll(unclaimed.values());
        return both;
    }

    /** Whether a topic has durable subscriptions, also one that is being stored: they end only when they are deleted. */
    public boolean keeps(Destination topic) {
        return all.values().stream()
                        .anyMatch(n ->
                                n.terms().durable() && n.subscription().topic.equals(topic))
                || unclaimed.values().stream()
                        .anyMatch(n -> n.subscription().topic.equals(topic));
    }

    /** Removes the subscriptions of a deleted topic, also from the store. */
    public void forget(Destination topic) {
        List<Named> gone = new ArrayList<>();
        all.values().removeIf(n -> n.subscription().topic == topic && gone.add(n));
        unclaimed.values().removeIf(n -> n.subscription().topic == topic && gone.add(n));
        for (Named n : gone) {
            store.unsubscribe(n.subscription().entry());
        }
    }
}
