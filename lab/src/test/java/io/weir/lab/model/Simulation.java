package io.weir.lab.model;

import io.weir.base.Chance;
import io.weir.broker.SimulatedBroker;
import io.weir.broker.SimulatedLoop;
import io.weir.jms.frames.RefusalCode;
import io.weir.journal.settings.JournalFault;
import io.weir.lab.disk.QueuedTasks;
import io.weir.lab.disk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One run: clients do at random what clients and administrators do, the broker's loops, its journal and the connections
 * take turns at random, the disk fails, fills up and loses power, the broker dies and starts again, all by one seed. What
 * the broker sends and holds is compared with the {@link Books}. Confined to one thread; good for one run.
 */
final class Simulation {
    private static final int LOOPS = 3;
    private static final int MOST_TURNS = 300_000;
    /** After this the broker has asked again for what the journal's queue had no room for. */
    private static final int FULL_MILLIS = 20;

    final SimulatedClock clock = new SimulatedClock();
    final Books books = new Books(this);
    final Profile profile;
    final Sabotage sabotage;
    private final long seed;
    private final int steps;
    private final Set<Integer> skipped;
    private final Watcher watcher = new Watcher(this);
    private final List<String> log = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();
    private final Operations operations;
    private SimulatedDisk disk;
    private QueuedTasks journal = new QueuedTasks();
    private @Nullable SimulatedBroker broker;
    private RandomGenerator random;
    private long connectionIds;
    private long faultsBefore;
    private long diskFaultsBefore;
    private long fullBefore;
    private boolean injected;
    /** The journal's thread has no turn. */
    private boolean stalled;

    /** Since when the disk takes everything, by the monotonic clock; -1 when it may not. */
    private long wellSince;

    private int step;
    private @Nullable String violation;
    private boolean ended;
    private int audits;
    private int deaths;

    Simulation(long seed, int steps, Set<Integer> skipped) {
        this(seed, steps, skipped, Sabotage.NONE);
    }

    Simulation(long seed, int steps, Set<Integer> skipped, Sabotage sabotage) {
        this.seed = seed;
        this.sabotage = sabotage;
        this.steps = steps;
        this.skipped = skipped;
        this.random = Chance.seeded(seed).random();
        this.profile = Profile.of(random, sabotage);
        this.disk = new SimulatedDisk(Chance.seeded(random.nextLong()));
        this.operations = new Operations(this);
    }

    /** Runs it. What was found wrong first, or null. */
    @Nullable
    String run() {
        try {
            open();
            for (step = 0; step < steps && !isWrong(); step++) {
                random = Chance.seeded(seed * 1_000_003 + step).random();
                if (!skipped.contains(step)) {
                    operations.perform(random);
                    if (disk.lostPower()) {
                        die();
                    }
                }
            }
            if (!isWrong()) {
                new Ending(this).run();
            }
        } catch (RuntimeException | AssertionError | IOException | JournalFault e) {
            wrong("an exception: " + e + " " + trace(e));
        } finally {
            bury();
        }
        return violation;
    }

    private static String trace(Throwable e) {
        StringBuilder b = new StringBuilder();
        for (StackTraceElement s : e.getStackTrace()) {
            b.append("\n    at ").append(s);
        }
        return e.getCause() == null ? b.toString() : b + "\n  caused by " + e.getCause() + trace(e.getCause());
    }

    // the broker's lives

    private void open() throws IOException, JournalFault {
        journal = new QueuedTasks();
        broker = new SimulatedBroker(new SimulatedBroker.Parts(
                LOOPS, clock, disk, journal, Chance.seeded(random.nextLong()), watcher, profile.settings()));
    }

    SimulatedBroker broker() {
        return Objects.requireNonNull(broker);
    }

    SimulatedDisk disk() {
        return disk;
    }

    /** The broker dies, and is started again on what the disk has left. */
    void die() {
        deaths++;
        boolean power = disk.lostPower() ? random.nextBoolean() : random.nextInt(3) == 0;
        SimulatedDisk left = power ? disk.afterPowerLoss() : disk.afterKill();
        log(power ? "the power is lost" : "the broker is killed");
        books.died(false);
        bury();
        disk = left;
        wellSince = clock.nanos();
        reopen();
    }

    /** Stops and starts the broker in good order. */
    void restart() {
        settle();
        audit();
        if (isWrong()) {
            return;
        }
        log("the broker is stopped");
        // what the first ones had may go to others, until these are cut off as well
        peers.forEach(Peer::cut);
        peers.clear();
        journal.direct();
        long before = watcher.diskFaults();
        broker().stop();
        broker = null;
        books.died(watcher.diskFaults() == before && (!injected || isWellFor(Audit.MARKED_MILLIS)));
        reopen();
    }

    /** Starts it; a disk that fails meanwhile is given another chance. */
    private void reopen() {
        for (int attempt = 0; ; attempt++) {
            try {
                open();
                audit(true);
                return;
            } catch (IOException | JournalFault e) {
                log("it does not start: " + e.getMessage());
                if (!injected || attempt > 3) {
                    wrong("it does not start: " + e.getMessage());
                    return;
                }
                broker = null;
                disk = disk.lostPower() ? disk.afterPowerLoss() : disk.afterKill();
                wellSince = clock.nanos();
            }
        }
    }

    /** What is left of the broker in memory is given back. */
    private void bury() {
        SimulatedBroker dead = broker;
        broker = null;
        peers.forEach(Peer::died);
        peers.clear();
        if (dead != null) {
            watcher.mute(true);
            disk.losePowerAfter(1);
            dead.loseAll();
            boolean ran = true;
            while (ran) {
                ran = false;
                for (SimulatedLoop loop : dead.loops()) {
                    while (loop.waits()) {
                        loop.take();
                        ran = true;
                    }
                }
                if (journal.waits()) {
                    journal.run();
                    ran = true;
                }
            }
            dead.forget();
            watcher.mute(false);
        }
    }

    // turns

    private List<Runnable> turns() {
        List<Runnable> ready = new ArrayList<>();
        for (SimulatedLoop loop : broker().loops()) {
            if (loop.waits()) {
                ready.add(loop::take);
            }
        }
        if (journal.waits() && !stalled) {
            ready.add(journal::runOne);
        }
        for (Peer p : peers) {
            if (p.sends()) {
                ready.add(p::takeInput);
            }
            if (p.receives()) {
                ready.add(p::takeOutput);
            }
        }
        return ready;
    }

    private boolean isOver() {
        return isWrong() || disk.lostPower();
    }

    /** Some turns. */
    void turns(int most) {
        for (int i = 0; i < most && !isOver(); i++) {
            List<Runnable> ready = turns();
            if (ready.isEmpty()) {
                return;
            }
            ready.get(random.nextInt(ready.size())).run();
        }
    }

    /** Everything comes to rest but the journal. */
    void settleWithoutJournal() {
        stalled = true;
        settle();
        stalled = false;
    }

    /** Everything comes to rest. */
    void settle() {
        for (int i = 0; i < MOST_TURNS && !isOver(); i++) {
            List<Runnable> ready = turns();
            if (ready.isEmpty()) {
                return;
            }
            ready.get(random.nextInt(ready.size())).run();
        }
        if (!isOver()) {
            wrong("it does not come to rest");
        }
    }

    /** Time passes; what is due happens. */
    void advance(long millis) {
        long end = clock.nanos() + millis * 1_000_000;
        while (broker().nextTimer() <= end && !isOver()) {
            clock.to(broker().nextTimer());
            broker().runTimer();
            turns(random.nextInt(20));
        }
        clock.to(end);
    }

    /** What the journal's queue had no room for is asked for again a little later. */
    private void catchUp() {
        while (watcher.full() != fullBefore && !isOver()) {
            fullBefore = watcher.full();
            advance(FULL_MILLIS);
            settle();
        }
    }

    /** Everything stands still and is compared. */
    void audit() {
        audit(false);
    }

    private void audit(boolean reopened) {
        if (!reopened) {
            catchUp();
        }
        if (isOver()) {
            return;
        }
        fullBefore = watcher.full();
        audits++;
        boolean healthy = watcher.faults() == faultsBefore && !reopened;
        boolean stored = !hadDiskFaults();
        faultsBefore = watcher.faults();
        diskFaultsBefore = watcher.diskFaults();
        log(reopened ? "audit after the restart" : healthy ? "audit" : "audit after faults");
        new Audit(this, reopened, healthy, stored).run();
    }

    // what operations need

    List<Peer> peers() {
        return peers;
    }

    Peer connect() {
        Peer p = new Peer(this, (int) connectionIds + 1, random.nextInt(LOOPS));
        peers.add(p);
        p.start();
        return p;
    }

    RandomGenerator random() {
        return random;
    }

    long connectionId() {
        return ++connectionIds;
    }

    /** Whether the disk failed on purpose, or its queue is short. */
    boolean faulty() {
        return injected || profile.shortQueue();
    }

    /** Whether the disk refused something since everything was compared last. A journal that is behind is no such fault. */
    boolean hadDiskFaults() {
        return watcher.diskFaults() != diskFaultsBefore;
    }

    void inject(boolean on) {
        injected = on;
        if (on) {
            wellSince = -1;
        }
    }

    /** The disk takes everything from now on. */
    void heal() {
        log("the disk is well");
        disk.capacity(Long.MAX_VALUE);
        disk.failWrites(0);
        disk.failForces(0);
        wellSince = clock.nanos();
    }

    /** Whether the disk took everything for so long. */
    boolean isWellFor(long millis) {
        return wellSince >= 0 && clock.nanos() - wellSince >= millis * 1_000_000;
    }

    /** Whether a send may rightly be refused. */
    boolean mayRefuseSend(Letter l, RefusalCode code) {
        Place p = l.topic ? null : books.queue(l.to);
        return switch (code) {
            case RESOURCE_ALLOCATION -> l.to.equals(Profile.NARROW);
            case ILLEGAL_STATE -> p != null && (p.productionPaused || p.changed);
            case INVALID_DESTINATION -> p != null && (p.closed || p.changed);
            default -> false;
        };
    }

    /** Whether one-way sends may rightly be dropped. */
    boolean refusesSends() {
        return books.queues().values().stream().anyMatch(p -> p.productionPaused || p.closed || p.changed);
    }

    void log(String what) {
        log.add(step + ": " + what);
    }

    /** Something is not as promised. The first such ends the run. */
    void wrong(String what) {
        if (!isWrong()) {
            violation = what;
            log("WRONG: " + what);
        }
    }

    /** A death during a move has left a letter in both places. */
    void doubled(String what) {
        if (Feature.WHOLE_MOVES.isOn()) {
            wrong(what);
        } else {
            ended = true;
        }
    }

    boolean isWrong() {
        return violation != null || ended;
    }

    List<String> log() {
        return log;
    }

    int audits() {
        return audits;
    }

    int deaths() {
        return deaths;
    }

    int step() {
        return step;
    }
}
