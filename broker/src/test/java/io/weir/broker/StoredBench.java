package io.weir.broker;

import io.weir.base.Chance;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.recovery.BrokerRecovery;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.store.MessageStore;
import io.weir.broker.store.StoreOutcome;
import io.weir.jms.frames.DestinationName;
import io.weir.journal.Journals;
import io.weir.journal.settings.JournalFault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A bench whose engine keeps persistent messages on a {@link FaultyDisk}. The journal's thread has its turn when the test lets it,
 * and the broker may be killed and started again at any moment.
 */
final class StoredBench implements AutoCloseable {
    /** Small files, so that a full disk is soon noticed. */
    private static final List<String> SMALL =
            List.of("journal.max-file-size=64KiB", "journal.retry-after=1s", "journal.max-group-size=32KiB");

    private final int loops;
    private final String[] settings;
    private final Queue<Runnable> journal = new ConcurrentLinkedQueue<>();
    FaultyDisk disk = new FaultyDisk();
    Bench bench;
    private MessageStore store;

    StoredBench(String... settings) {
        this(1, settings);
    }

    StoredBench(int loops, String... settings) {
        this.loops = loops;
        List<String> all = new ArrayList<>(SMALL);
        all.addAll(List.of(settings));
        this.settings = all.toArray(String[]::new);
        this.bench = new Bench(loops, this.settings);
        this.store = open();
    }

    /** The loops do at once what a start hands over to them, as they do in a server. */
    boolean eager;

    private io.weir.broker.store.Contents eagerly(BrokerRecovery recovery) {
        return new io.weir.broker.store.Contents() {
            @Override
            public void subscription(long entry, io.weir.broker.store.StoredSubscription s) {
                recovery.subscription(entry, s);
                settleAsAServer();
            }

            @Override
            public void message(List<io.weir.broker.store.StoredCopy> copies, io.netty.buffer.ByteBuf block) {
                recovery.message(copies, block);
                settleAsAServer();
            }

            @Override
            public void prepared(io.weir.broker.store.StoredBranch branch) {
                recovery.prepared(branch);
            }

            @Override
            public void pending(
                    io.weir.broker.store.StoredBranch branch,
                    List<io.weir.broker.store.StoredCopy> copies,
                    io.netty.buffer.ByteBuf block) {
                recovery.pending(branch, copies, block);
            }

            @Override
            public void orphans(int copies) {
                recovery.orphans(copies);
            }
        };
    }

    /** What fails on a loop is logged there, as its mailbox does, and ends nothing else. */
    private void settleAsAServer() {
        try {
            bench.loops.settle();
        } catch (RuntimeException e) {
            bench.log.log(BrokerMessages.ENGINE_ERROR, "a loop", e);
        }
    }

    private MessageStore open() {
        try {
            BrokerRecovery recovery = new BrokerRecovery(bench.engine, bench.loops::settle);
            MessageStore opened = MessageStore.open(
                    BrokerAdmin.JOURNAL,
                    bench.config.get().journal(),
                    new Journals.Parts(disk, bench.clock(), Chance.seeded(1), bench.stats, bench.log),
                    journal::add,
                    Runnable::run,
                    eager ? eagerly(recovery) : recovery);
            bench.engine.store().use(opened, bench.engine.loops());
            recovery.finish();
            bench.loops.settle();
            return opened;
        } catch (IOException | JournalFault e) {
            throw new IllegalStateException(e);
        }
    }

    /** The journal's thread does what it can, and everybody hears of it. */
    void write() {
        boolean ran = true;
        while (ran) {
            ran = false;
            bench.loops.settle();
            for (Runnable task = journal.poll(); task != null; task = journal.poll()) {
                task.run();
                ran = true;
            }
        }
        bench.loops.settle();
    }

    /** The journal's thread does so many tasks. */
    void write(int tasks) {
        bench.loops.settle();
        for (int i = 0; i < tasks; i++) {
            Runnable task = journal.poll();
            if (task != null) {
                task.run();
            }
        }
        bench.loops.settle();
    }

    /** The journal takes no group more, until it has its turn. */
    void fillJournal(int groups) {
        BrokerLoop loop = bench.engine.loops().getFirst();
        for (int i = 0; i < groups; i++) {
            store.sync(bench.engine.store().home(loop), StoreOutcome.IGNORED);
        }
        if (store.owed() != 0) {
            throw new AssertionError("it was full before");
        }
    }

    /** The same a task at a time, until something is so. */
    void writeUntil(java.util.function.BooleanSupplier so) {
        bench.loops.settle();
        while (!so.getAsBoolean()) {
            Runnable task = journal.poll();
            if (task == null) {
                throw new AssertionError("nothing is left to do");
            }
            task.run();
            bench.loops.settle();
        }
    }

    /** A client on a loop, with a session that acknowledges each message for itself. */
    Probe client(int loop) {
        Probe p = bench.client(loop, "user");
        p.session(1, Probe.CLIENT, -1);
        return p;
    }

    /** Sends a persistent message and has it stored. */
    void send(Probe p, DestinationName to, Probe.Draft draft) {
        int request = p.send(1, to, draft.persistent());
        write();
        p.expectOk(request);
    }

    void send(Probe p, DestinationName to, String... bodies) {
        for (String b : bodies) {
            send(p, to, new Probe.Draft(b));
        }
    }

    /** Everything that a new consumer of a queue gets, as body or, redelivered, body and exclamation mark. */
    List<String> drain(DestinationName queue) {
        Probe p = client(0);
        p.listen(1, 99, queue);
        write();
        List<Probe.Delivery> all = p.deliveries();
        p.lose();
        return all.stream().map(d -> d.body() + (d.redelivered() ? "!" : "")).toList();
    }

    /** Time passes, with a look at what is to be done now and then. */
    void step(Duration time) {
        for (long s = 0; s < Math.max(1, time.toSeconds()); s++) {
            bench.loops.step(time.toSeconds() > 0 ? Duration.ofSeconds(1) : time);
            for (BrokerLoop l : bench.engine.loops()) {
                ((TestLoop) l).on(bench.maintenance(l)::round);
            }
            write();
        }
    }

    /** kill -9, and the next start. */
    void restart() {
        FaultyDisk next = disk.kill();
        end();
        begin(next);
    }

    /** A stop in good order, and the next start. */
    void stopAndStart() {
        end();
        begin(disk.kill());
    }

    private void begin(FaultyDisk next) {
        journal.clear();
        disk = next;
        bench = new Bench(loops, settings);
        store = open();
        write();
    }

    /** What was in memory is let go of, whatever the disk says. */
    private void end() {
        Thread closing = Thread.ofPlatform().unstarted(store::close);
        closing.start();
        // it waits for the journal's thread, whose turn is after that
        while (closing.isAlive() && closing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        while (closing.isAlive()) {
            Runnable task = journal.poll();
            if (task != null) {
                task.run();
            } else {
                Thread.onSpinWait();
            }
        }
        bench.loops.settle();
        bench.engine.branches().abandon();
        bench.loops.settle();
        bench.engine
                .loops()
                .forEach(
                        l -> ((TestLoop) l).on(() -> bench.engine.destinations().abandon(l)));
        bench.close();
    }

    @Override
    public void close() {
        end();
    }
}
