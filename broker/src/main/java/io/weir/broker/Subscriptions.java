package io.weir.broker;

import io.weir.broker.store.StoredSubscription;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.selector.Selector;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The named subscriptions, durable and shared, by client identifier and name (Jakarta Messaging 3.1, 8.3.2 to 8.3.5):
 * whether a new consumer may join, replaces an idle one with other terms, or is refused. Shared; each name is changed
 * atomically, and the topic's loop follows.
 */
final class Subscriptions {
    /** Characters of a subscription's name, and of a client identifier; the specification wants 128 at least. */
    static final int LONGEST_NAME = 255;

    /**
     * What a consumer asks for.
     *
     * @param notFrom client identifier whose messages are not wanted, or null
     */
    record Terms(
            TopicDestination topic,
            @Nullable Selector selector,
            @Nullable String notFrom,
            boolean durable,
            boolean shared) {

        /** Whether two consumers mean the same subscription. */
        boolean same(Terms o) {
            return topic == o.topic
                    && Objects.equals(notFrom, o.notFrom)
                    && shared == o.shared
                    && Objects.equals(String.valueOf(selector), String.valueOf(o.selector));
        }
    }

    /** A subscription and how many consumers it has. */
    record Named(Subscription subscription, Terms terms, int consumers) {}

    private final Engine engine;
    private final Map<String, Named> all = new ConcurrentHashMap<>();

    Subscriptions(Engine engine) {
        this.engine = engine;
    }

    /** The key of a subscription: those that are not durable have names of their own. */
    static String key(@Nullable String clientId, String name, boolean durable) {
        return (durable ? "" : "non-durable ") + (clientId == null ? "" : clientId) + "." + name;
    }

    /**
     * Finds or makes the subscription for a consumer more.
     *
     * @param caller the loop that asks
     * @throws Refusal when the name is in use on other terms
     */
    Subscription join(String key, Terms terms, Loop caller) throws Refusal {
        Refusal[] refusal = {null};
        Named joined = all.compute(key, (_, found) -> {
            try {
                return found == null ? create(key, terms, caller) : join(key, found, terms, caller);
            } catch (Refusal r) {
                refusal[0] = r;
                return found;
            }
        });
        if (refusal[0] != null) {
            throw refusal[0];
        }
        return joined.subscription();
    }

    private Named create(String key, Terms terms, Loop caller) throws Refusal {
        int most = engine.config().limits().subscriptionsPerTopic();
        long there = all.values().stream()
                .filter(n -> n.subscription().topic == terms.topic())
                .count();
        if (there >= most) {
            throw new Refusal(
                    RefusalCode.RESOURCE_ALLOCATION,
                    terms.topic().name + " has " + there
                            + " subscriptions, the most allowed: unsubscribe some, or raise"
                            + " limits.subscriptions-per-topic");
        }
        Subscription s = new Subscription(key, terms.topic(), terms.selector(), terms.durable());
        if (s.durable) {
            engine.store().subscribe(caller, stored(key, terms));
        }
        terms.topic().loop.run(() -> terms.topic().add(s));
        return new Named(s, terms, 1);
    }

    private static StoredSubscription stored(String key, Terms terms) {
        return new StoredSubscription(
                key,
                terms.topic().name,
                key,
                null,
                terms.selector() == null ? null : terms.selector().toString(),
                terms.shared(),
                terms.notFrom());
    }

    private Named join(String key, Named found, Terms terms, Loop caller) throws Refusal {
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
        if (same) {
            return new Named(found.subscription(), terms, found.consumers() + 1);
        }
        Named fresh = create(key, terms, caller);
        Subscription old = found.subscription();
        old.topic.loop.run(() -> old.topic.remove(old));
        return fresh;
    }

    private static Refusal inUse(String key, String how) {
        return new Refusal(
                RefusalCode.ILLEGAL_STATE, "subscription " + key + " " + how + ": close them, or choose another name");
    }

    /** A consumer is gone; a subscription that is not durable goes with its last one. */
    void leave(Subscription s) {
        if (s.key.isEmpty()) {
            s.topic.loop.run(() -> s.topic.remove(s));
            return;
        }
        all.computeIfPresent(s.key, (_, n) -> {
            if (n.subscription() != s) {
                return n;
            }
            if (n.consumers() == 1 && !s.durable) {
                s.topic.loop.run(() -> s.topic.remove(s));
                return null;
            }
            return new Named(s, n.terms(), n.consumers() - 1);
        });
    }

    /** The subscription with this key. */
    @Nullable
    Subscription find(String key) {
        Named n = all.get(key);
        return n == null ? null : n.subscription();
    }

    /**
     * Deletes a durable subscription.
     *
     * @param held whether messages of it are at sessions
     * @throws Refusal when there is none, or it has consumers or messages that are not acknowledged
     */
    void unsubscribe(String key, boolean held, Loop caller) throws Refusal {
        Named[] found = {null};
        all.computeIfPresent(key, (_, n) -> {
            found[0] = n;
            return n.consumers() > 0 || held ? n : null;
        });
        Named n = found[0];
        if (n == null) {
            throw new Refusal(RefusalCode.INVALID_DESTINATION, "there is no durable subscription " + key);
        }
        if (n.consumers() > 0) {
            throw inUse(key, "has " + n.consumers() + " consumers");
        }
        if (held) {
            throw new Refusal(
                    RefusalCode.ILLEGAL_STATE,
                    "subscription " + key + " has messages that are not acknowledged or committed: do it before");
        }
        Subscription s = n.subscription();
        engine.store().unsubscribe(caller, key);
        s.topic.loop.run(() -> s.topic.remove(s));
    }

    /** Puts a recovered durable subscription in. */
    void restore(String key, Subscription s, Terms terms) {
        all.put(key, new Named(s, terms, 0));
    }

    Collection<Named> all() {
        return all.values();
    }

    /** Forgets the subscriptions of a topic that is deleted. */
    void forget(TopicDestination topic) {
        all.values().removeIf(n -> n.subscription().topic == topic);
    }
}
