package io.weir.lab.model;

import io.weir.base.ConfigBinder;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Operations on subscriptions and, by administrators, on whole destinations. Confined to its simulation. */
final class StructureOperations {
    /** Identifiers and names that are easily taken for each other when they are put together. */
    static final List<String> CLIENTS = Feature.COLLIDING_NAMES.isOn()
            ? List.of("shop", "shop.eu", "non-durable shop", "x")
            : List.of("shop", "x", "y");

    static final List<String> NAMES = List.of("orders", "eu.orders");
    private static final int MOST = 10_000;
    private static final Duration LONG = Duration.ofHours(1);

    private final Simulation world;
    RandomGenerator random = RandomGenerator.getDefault();

    StructureOperations(Simulation world) {
        this.world = world;
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Opens a consumer of some kind. */
    void consume(PeerSession s) {
        boolean pushed = random.nextInt(3) > 0;
        Choice choice = random.nextBoolean() ? Choice.ALL : any(List.of(Choice.values()));
        int kind = random.nextInt(world.profile.kind() == Profile.Kind.SUBSCRIPTIONS ? 12 : 6);
        if (kind < 3) {
            String queue = any(Profile.QUEUES);
            Place p = world.books.queue(queue);
            PeerConsumer c = new PeerConsumer(s, s.nextConsumer(), p, choice, pushed, null);
            s.open(c, ", selector " + choice, new DestinationName(DestinationKind.QUEUE, queue), 0, null);
        } else if (kind == 3) {
            String topic = any(Profile.TOPICS);
            Place p = new Place("own of " + s + " to " + topic, topic, choice, false);
            PeerConsumer c = new PeerConsumer(s, s.nextConsumer(), p, choice, pushed, null);
            s.open(c, ", selector " + choice, new DestinationName(DestinationKind.TOPIC, topic), 0, null);
        } else {
            subscribe(s, choice, pushed);
        }
    }

    private void subscribe(PeerSession s, Choice choice, boolean pushed) {
        boolean durable = random.nextInt(4) > 0;
        boolean shared = !durable || s.peer.clientId == null || random.nextInt(4) == 0;
        Slot slot = world.books.subscriptions().slot(new Slot.Key(s.peer.clientId, any(NAMES), durable));
        if (slot.user != null || isTooEarly()) {
            return;
        }
        Slot.Terms terms = slot.terms;
        if (terms == null || random.nextInt(3) == 0) {
            terms = new Slot.Terms(any(Profile.TOPICS), choice, shared);
        }
        Operations.subscribe(s, slot, terms, pushed);
    }

    private boolean isTooEarly() {
        return world.faulty() && !Feature.SUBSCRIPTIONS_ON_A_BAD_DISK.isOn();
    }

    void unsubscribe(PeerSession s) {
        List<Slot> some = new ArrayList<>();
        for (String name : NAMES) {
            Slot slot = world.books.subscriptions().slot(new Slot.Key(s.peer.clientId, name, true));
            if (slot.user == null) {
                some.add(slot);
            }
        }
        if (!some.isEmpty() && !isTooEarly()) {
            Slot slot = any(some);
            slot.user = s.peer;
            s.unsubscribe(slot);
        }
    }

    /** Deletes or moves what waits somewhere. */
    void job() {
        Choice choice = random.nextInt(3) == 0 ? any(List.of(Choice.values())) : Choice.ALL;
        Place from = source();
        Place to = world.books.queue(any(List.of(Profile.PLAIN, Profile.RESTING, Profile.ERRORS, Profile.STRICT)));
        if (from != null) {
            job(from, to == from || random.nextBoolean() ? null : to, choice);
        }
    }

    /**
     * Has an administrator work.
     *
     * @param to where to move to; null: delete
     */
    void job(Place from, @Nullable Place to, Choice choice) {
        if (world.books.job() != null) {
            world.settle();
            world.audit();
        }
        if (world.isWrong() || world.disk().lostPower() || !Feature.JOBS.isOn()) {
            return;
        }
        String where = address(from);
        if (where == null || from.closed || (to != null && meetsItself(from, to))) {
            return;
        }
        Map<Copy, Integer> candidates = random.nextBoolean() ? candidates(from, choice) : Map.of();
        if (world.isWrong() || world.disk().lostPower()) {
            return;
        }
        BrokerAdmin admin = world.broker().admin();
        Job job;
        if (to == null) {
            world.log("an administrator deletes " + choice + " of " + where);
            job = new Job(from, null, choice, admin.delete(where, choice.text, MOST, LONG));
        } else {
            world.log("an administrator moves " + choice + " of " + where + " to " + to);
            job = new Job(from, to, choice, admin.move(where, to.name, choice.text, MOST, LONG));
        }
        job.candidates.putAll(candidates);
        world.books.job(job);
    }

    /** Whether the copies of two subscriptions would come together in one queue: the books could not tell them apart. */
    private boolean meetsItself(Place from, Place to) {
        return from.copies.values().stream()
                .filter(c -> !c.isGone())
                .flatMap(c -> world.books.copies(c.letter).stream().filter(o -> o != c && !o.isGone()))
                .anyMatch(o -> o.place == to || to.name.equals(o.place.errors) || o.place.name.equals(to.errors));
    }

    /** What certainly waits and may be delivered now. */
    private Map<Copy, Integer> candidates(Place from, Choice choice) {
        world.settle();
        world.audit();
        Map<Copy, Integer> all = new HashMap<>();
        for (Copy c : from.copies.values()) {
            if (c.available && !c.isGone() && c.holder == null && choice.wants(c.letter)) {
                all.put(c, c.deliveries);
            }
        }
        return all;
    }

    private @Nullable Place source() {
        if (random.nextInt(3) > 0) {
            Place p = world.books.queue(any(Profile.QUEUES));
            return p.closed ? null : p;
        }
        List<Place> some = new ArrayList<>();
        for (Slot s : world.books.subscriptions().slots()) {
            if (s.isCertain() && s.current != null) {
                some.add(s.current);
            }
        }
        return some.isEmpty() ? null : any(some);
    }

    private @Nullable String address(Place p) {
        if (p.topic == null) {
            return p.name;
        }
        for (Slot s : world.books.subscriptions().slots()) {
            if (s.current == p) {
                return world.broker().address(s.key.clientId(), s.key.name(), s.key.durable());
            }
        }
        return null;
    }

    void pause() {
        Place p = world.books.queue(any(List.of(Profile.PLAIN, Profile.STRICT, Profile.RESTING)));
        if (p.closed) {
            return;
        }
        p.changed = true;
        switch (random.nextInt(5)) {
            case 0 -> {
                p.productionPaused = !p.productionPaused;
                log(p, "production", p.productionPaused);
                Operations.pause(world, p, BrokerAdmin.Stage.PRODUCTION, p.productionPaused);
            }
            case 1 -> {
                p.insertionPaused = !p.insertionPaused;
                log(p, "insertion", p.insertionPaused);
                Operations.pause(world, p, BrokerAdmin.Stage.INSERTION, p.insertionPaused);
            }
            default -> {
                p.consumptionPaused = !p.consumptionPaused;
                p.still = false;
                log(p, "consumption", p.consumptionPaused);
                Operations.pause(world, p, BrokerAdmin.Stage.CONSUMPTION, p.consumptionPaused);
            }
        }
    }

    private void log(Place p, String stage, boolean paused) {
        world.log("an administrator " + (paused ? "pauses " : "resumes ") + stage + " of " + p);
    }

    /** Deletes a queue, or makes it again. */
    void delete() {
        Place p = world.books.queue(Profile.GOING);
        p.changed = true;
        if (p.closed) {
            world.log("an administrator makes " + p);
            world.broker()
                    .admin()
                    .create(
                            new DestinationName(DestinationKind.QUEUE, Profile.GOING),
                            ConfigBinder.defaults(DestinationConfig.class));
            world.books.made(p);
            return;
        }
        world.log("an administrator deletes " + p);
        try {
            world.broker().admin().deleteDestination(p.name);
        } catch (RequestRefusal r) {
            world.wrong(p + " cannot be deleted: " + r.getMessage());
        }
        world.books.deleted(p);
    }
}
