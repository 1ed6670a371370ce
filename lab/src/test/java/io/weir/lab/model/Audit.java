package io.weir.lab.model;

import io.weir.broker.SimulatedBroker;
import io.weir.broker.SimulatedBroker.Contents;
import io.weir.broker.SimulatedBroker.Waiting;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the broker holds with the books, message by message, while everything stands still. What was in doubt is
 * certain afterwards. Good for one look.
 */
final class Audit {
    /** A message whose time has come is delivered within this time, however the wall clock came there. */
    private static final long DUE_NANOS = 2_000_000_000L;
    /** What was delivered while the disk refused its mark is marked when it has been well for so long. */
    static final long MARKED_MILLIS = 3_000;

    private final Simulation world;
    private final Books books;
    private final boolean reopened;
    /** Whether the disk took all that it was given since the last one. */
    private final boolean healthy;
    /** The same, but for what the journal's queue had no room for. */
    private final boolean stored;

    private final Map<Place, Contents> found = new LinkedHashMap<>();
    private final Set<Copy> waiting = new HashSet<>();
    private final String when;

    Audit(Simulation world, boolean reopened, boolean healthy, boolean stored) {
        this.world = world;
        this.books = world.books;
        this.reopened = reopened;
        this.healthy = healthy;
        this.stored = stored;
        this.when = reopened ? " after the restart" : "";
    }

    void run() {
        SimulatedBroker broker = world.broker();
        books.subscriptions().resolve(broker, reopened);
        for (Place p : books.queues().values()) {
            look(p, broker.queue(p.name.substring("queue/".length())));
        }
        for (Slot s : books.subscriptions().slots()) {
            if (s.current != null) {
                look(s.current, broker.subscription(s.key.clientId(), s.key.name(), s.key.durable()));
            }
        }
        for (PeerConsumer c : books.subscriptions().own()) {
            if (c.open && !c.session.peer.lost) {
                look(c.place, c.session.peer.contents(c));
            }
        }
        found.forEach(this::present);
        found.forEach(this::absent);
        job();
        books.deals().resolve(when);
        references();
        if (!reopened) {
            found.forEach(new Progress(world)::check);
            requests();
        }
        found.forEach(this::order);
        settle();
    }

    private void look(Place p, @Nullable Contents there) {
        if (there == null) {
            if (!p.closed) {
                books.wrong(p + " is not there" + when);
            }
        } else if (p.closed) {
            books.wrong(p + " is there again" + when);
        } else {
            found.put(p, there);
        }
    }

    // what is there

    private void present(Place p, Contents there) {
        Set<String> bodies = new HashSet<>();
        for (Waiting w : there.waiting()) {
            if (!bodies.add(w.body())) {
                books.wrong(w.body() + " is twice in " + p + when);
            }
            Copy c = copy(p, w);
            if (c != null) {
                waiting.add(c);
                check(c, w);
            }
        }
    }

    private @Nullable Copy copy(Place p, Waiting w) {
        Letter l = books.letter(w.body());
        Copy c = l == null ? null : p.copy(w.body());
        if (l != null && (c == null || c.isGone())) {
            c = moved(l, p);
        }
        if (c == null) {
            books.wrong(p + " holds " + w.body() + when + ", which was never sent there");
            return null;
        }
        if (c.isGone()) {
            if (!(reopened ? c.mayReturn : books.deliveries().stayed(c, w.deliveries() > 0))) {
                books.wrong(p + " holds " + w.body() + " again" + when + ", and " + c.why);
                return null;
            }
            if (c.why.startsWith("it was moved")) {
                world.doubled(c + " is in two places" + when);
            }
            c.mayReturn = false;
        } else if (!c.isFree()) {
            books.wrong(c + " waits, and " + c.holder + " has it, tag " + c.tag);
        } else if (c.loose) {
            c.returned(false, true);
            c.flagDue |= c.emitted;
        }
        c = books.deliveries().cameRound(c, w.move(), reopened);
        if (c.refusedSend) {
            books.wrong(c + " is there" + when + ", and its sender was told that it is not");
        }
        c.state = Copy.State.THERE;
        c.came = true;
        return c;
    }

    /** A letter that came to a place from another one. */
    private @Nullable Copy moved(Letter l, Place p) {
        List<Copy> others = books.copies(l).stream().filter(waiting::contains).toList();
        Copy c = books.deliveries().find(l, p);
        if (c != null && !c.isGone()) {
            for (Copy o : others) {
                if (o.isGone()) {
                    doubled(o);
                }
            }
        }
        return c;
    }

    /** It is still where it was moved from. */
    private void doubled(Copy c) {
        if (!reopened) {
            books.wrong(c + " is in two places");
        }
        world.doubled(c + " is in two places" + when);
    }

    private void check(Copy c, Waiting w) {
        Letter l = c.letter;
        if (reopened) {
            if (w.deliveries() == 0 && c.flagDue && !c.unmarked) {
                if (Feature.MARKED_WHEN_RESUMED.isOn()) {
                    books.wrong(c + " may have been delivered before the death, and will not be flagged");
                } else {
                    c.unmarked = true;
                }
            }
            if (w.deliveries() > 0 && !c.emitted && !c.mayFlag && !c.place.everConsumed) {
                books.wrong(c + " will be flagged, and nobody ever consumed there");
            }
            if (w.counted() > 0) {
                books.wrong(
                        c + " counts " + w.counted() + " deliveries after the broker's death, for which no client can");
            }
            c.least = 0;
            c.most = 0;
            c.flagDue = w.deliveries() > 0;
            c.mayFlag = c.flagDue;
        } else if (w.counted() < c.least || w.counted() > c.most) {
            books.wrong(c + " counts " + w.counted() + " deliveries, and had " + c.least + " to " + c.most);
        } else if (w.deliveries() < c.fewest() || w.deliveries() > c.greatest()) {
            books.wrong(c + " will say " + w.deliveries() + " deliveries, and may say " + c.fewest() + " to "
                    + c.greatest());
        }
        if (w.priority() != l.priority || w.persistent() != l.persistent) {
            books.wrong(c + " changed: " + w);
        }
        if (!w.delayed() && c.deliveryTime() > world.clock.latest()) {
            books.wrong(c + " may be delivered before its time " + l.deliveryTime);
        }
        due(c, w);
        c.available = !w.delayed();
        c.overdue = c.isOverdue(world.clock.millis());
    }

    private void due(Copy c, Waiting w) {
        // what was delivered before rests until its redelivery, for less than that; what cannot leave stays
        boolean may = !w.delayed() || c.deliveryTime() > world.clock.millis();
        if (may || (c.deliveryTime() == 0 && !c.emitted) || books.deliveries().mayLeave(c)) {
            c.dueSince = -1;
        } else if (c.dueSince < 0) {
            c.dueSince = world.clock.nanos();
        } else if (world.clock.nanos() - c.dueSince >= DUE_NANOS && Feature.JUMPS.isOn()) {
            books.wrong(c + " still waits for its time, which came " + (world.clock.nanos() - c.dueSince) / 1_000_000
                    + " ms ago or more");
        }
    }

    // what is not there

    private void absent(Place p, Contents there) {
        long held = 0;
        boolean certain = true;
        for (Copy c : p.copies.values()) {
            if (c.isGone() || waiting.contains(c)) {
                continue;
            }
            c.available = false;
            if (c.holder != null && !c.loose) {
                held++;
            } else if (c.loose && !books.deals().isUnknown(c)) {
                certain = false;
            } else {
                missing(c);
            }
        }
        if (certain && there.entries() != there.waiting().size() + held) {
            books.wrong(p + " counts " + there.entries() + " messages, "
                    + there.waiting().size() + " wait and " + held + " are at consumers");
        }
    }

    private void missing(Copy c) {
        Job job = books.job();
        if (reopened && c.refused != null) {
            c.gone("an administrator deleted it", true);
        } else if (books.deals().isUnknown(c) && (c.state == Copy.State.DOUBTFUL || c.loose)) {
            c.gone("its transaction was committed", healthy || reopened);
        } else if (c.state == Copy.State.DOUBTFUL && c.letter.waits && !c.letter.topic) {
            world.log("  (" + c + " waits for room)");
        } else if (c.state == Copy.State.DOUBTFUL) {
            if (job != null && (job.takes(c) || mayHaveReached(job, c))) {
                // it may have come, and left by it
                job.hidden++;
            }
            c.gone("it never came", healthy || reopened);
        } else if (job != null && job.takes(c) && job.to == null) {
            job.done++;
            job.doubtful += books.deliveries().mayLeave(c) || c.loose ? 1 : 0;
            c.gone("an administrator deleted it", (answered(job) && kept()) || healthy);
        } else if (!c.letter.granted
                && c.letter.producer.peer.lost
                && c.letter.persistent
                && !c.safe
                && books.faulty()) {
            // nobody heard of it
            c.gone("its send may have been refused", healthy || reopened);
        } else if (books.deliveries().mayLeave(c)) {
            if (job != null
                    && (mayHaveReached(job, c)
                            || (job.takes(c) && books.deliveries().isExpired(c)))) {
                // moved first, perhaps, and expired there
                job.hidden++;
            } else if (c.place.errors != null && c.safe && stored) {
                books.wrong(c + " was to go to " + c.place.errors + ", and is not there");
            }
            c.gone(books.deliveries().isExpired(c) ? "it expired" : "it was over the limit", healthy);
        } else {
            books.wrong(c + " is lost" + when + (c.safe ? ", and it was to be kept" : ""));
        }
    }

    /** Whether a letter may have gone to the error destination by itself, and from there by bulk work. */
    private boolean mayHaveReached(Job job, Copy c) {
        return job.from.name.equals(c.place.errors) && books.deliveries().mayLeave(c);
    }

    private static boolean answered(Job job) {
        return job.answer.isDone() && !job.answer.isCompletedExceptionally();
    }

    private static boolean isUnknown(Throwable failure) {
        return failure instanceof RequestRefusal r && r.code() == RefusalCode.INVALID_DESTINATION;
    }

    /** Whether its place ended before it was done. */
    private static boolean isDeleted(Job job, RequestRefusal why) {
        return why.code() == RefusalCode.DESTINATION_DELETED && (job.from.closed || job.from.changed);
    }

    /** Whether what bulk work said counts whatever the disk did. */
    private boolean kept() {
        return !books.faulty() || Feature.JOBS_ON_A_BAD_DISK.isOn();
    }

    private void job() {
        Job job = books.job();
        if (job == null) {
            return;
        }
        if (job.from.closed) {
            job.from.copies.values().stream()
                    .filter(c -> !c.isGone() && c.isFree())
                    .forEach(c -> c.gone(Books.DELETED, healthy));
        }
        books.job(null);
        if (reopened) {
            return;
        }
        if (!job.answer.isDone()) {
            books.wrong(job + " is not answered");
            return;
        }
        if (!answered(job)) {
            // deleted before it began
            if (!job.from.closed || !isUnknown(job.answer.exceptionNow())) {
                books.wrong(job + " failed: " + job.answer.exceptionNow());
            }
            return;
        }
        BrokerAdmin.Done done = job.answer.join();
        world.log("  " + job + " answers " + done);
        long least = (long) job.done - job.doubtful;
        long most = (long) job.done + job.hidden;
        if (done.count() > most || done.count() < least) {
            books.wrong(job + " says " + done.count() + ", and " + least + " to " + most + " left");
        }
        boolean paused = job.to != null && (job.to.insertionPaused || job.to.changed);
        if (done.stopped() != null) {
            job.from.copies.values().stream()
                    .filter(c -> !c.isGone() && job.takes(c))
                    .forEach(c -> c.refused = job);
        }
        if (String.valueOf(done.stopped()).contains("the disk is behind")) {
            books.wrong(job + " does not wait for the journal: " + done.stopped());
        }
        if (done.stopped() != null && !paused && !isDeleted(job, done.stopped()) && !books.faulty()) {
            books.wrong(job + " was stopped: " + done.stopped());
        }
        if (done.complete() == (done.stopped() != null)) {
            books.wrong(job + " contradicts itself: " + done);
        }
        job.candidates.forEach((c, times) -> {
            if (done.complete() && waiting.contains(c) && c.deliveries == times) {
                books.wrong(job + " is complete, and " + c + " is there still");
            }
        });
        for (Copy c : job.from.copies.values()) {
            if (kept() && c.mayReturn && (c.why.startsWith("an administrator") || c.why.startsWith("it was moved"))) {
                c.mayReturn = false;
            }
        }
    }

    /** What refers to a message beside the first queue or subscription counts against memory. */
    private void references() {
        Set<Copy> all = new HashSet<>();
        books.places().forEach(p -> all.addAll(p.copies.values()));
        // what sessions have of subscriptions that ended
        world.peers().stream().flatMap(p -> p.sessions.stream()).forEach(s -> all.addAll(s.held.values()));
        Map<Letter, Integer> queues = new HashMap<>();
        for (Copy c : all) {
            if (c.loose) {
                return;
            }
            if (!c.isGone() && c.place.topic != null) {
                queues.merge(c.letter, 1, Integer::sum);
            }
        }
        long more = queues.values().stream().mapToLong(n -> n - 1).sum();
        long counted = world.broker().referencesInMemory();
        // for what is not committed room is taken for every subscription that there was
        long reserved = world.peers().stream()
                .flatMap(p -> p.sessions.stream())
                .flatMap(p -> p.deal.letters.stream())
                .filter(l -> l.topic)
                .count();
        if (counted < more || (counted > more && reserved == 0)) {
            books.wrong(more + " references to messages" + when + ", beside the first of each, and " + counted
                    + " count against memory");
        }
    }

    private void requests() {
        for (Peer p : world.peers()) {
            boolean waits = p.waitsForRoom();
            for (Request r : p.requests.values()) {
                // who does not read cannot be asked whether a message is its own, and is told when it reads again
                boolean asks = r instanceof Receipt && !p.reading;
                if (r.read && !r.patient && !waits && !asks) {
                    books.wrong(r + " is not answered");
                }
            }
        }
    }

    /** Letters of one producer stand in the order in which they were sent. */
    private void order(Place p, Contents there) {
        Map<String, Waiting> last = new HashMap<>();
        Waiting before = null;
        for (Waiting w : there.waiting()) {
            Letter l = books.letter(w.body());
            if (w.delayed() || l == null) {
                continue;
            }
            if (before != null && before.priority() < w.priority()) {
                books.wrong(p + " has " + before.body() + " of priority " + before.priority() + " before " + w.body()
                        + " of priority " + w.priority());
            }
            before = w;
            if (l.deliveryTime != 0 || l.disordered) {
                continue;
            }
            Waiting earlier = last.put(l.producer + "/" + l.priority, w);
            Letter first = earlier == null ? null : books.letter(earlier.body());
            if (first != null && first.number > l.number) {
                books.wrong(p + " has " + first + " before " + l + when + ", both of " + l.producer);
            }
        }
    }

    /** What stands still is certain, and what a healthy disk was given is safe. */
    private void settle() {
        for (Place p : books.places()) {
            p.still = p.consumptionPaused;
            p.changed = false;
            p.crowded = p.consumers.size() > 1;
            p.consumers.forEach(c -> c.last.clear());
            p.owners.values().forEach(GroupOwners::settle);
            for (Copy c : p.copies.values()) {
                // what a start did not find does not come with a later one
                c.mayReturn &= !reopened;
                c.refused = reopened ? null : c.refused;
                if (p.closed && !c.isGone() && c.isFree()) {
                    c.gone(Books.DELETED, healthy);
                }
                if (!stored && !reopened) {
                    c.unmarked |= c.emitted;
                } else if (healthy && c.holder != null && !c.loose && world.isWellFor(MARKED_MILLIS)) {
                    c.unmarked = false;
                }
                if (!healthy && !reopened) {
                    c.unstored |= !c.safe;
                } else if (c.state == Copy.State.THERE && c.letter.persistent && p.durable) {
                    c.unstored &= !reopened;
                    c.safe |= !c.unstored;
                }
            }
        }
        books.caughtUp(healthy, healthy && world.isWellFor(MARKED_MILLIS));
        books.travelling().clear();
        oneWay();
    }

    private void oneWay() {
        int failures = books.takeOneWayFailures();
        if (failures > 0 && !books.faulty() && !world.refusesSends()) {
            books.wrong(failures + " one-way messages were dropped");
        }
    }
}
