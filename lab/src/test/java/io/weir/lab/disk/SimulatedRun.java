package io.weir.lab.disk;

import io.weir.base.ByteSize;
import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.journal.Journal;
import io.weir.journal.Journals;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.WritePolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A journal on a simulated disk under a random load, all by one seed. Confined to one thread. */
final class SimulatedRun {
    final RandomGenerator random;
    final Chance chance;
    final Promises promises = new Promises();
    final SteppedClock clock = new SteppedClock(1_700_000_000_000L);
    final Stats stats = new Stats();
    final WritePolicy policy;
    SimulatedDisk disk;

    SimulatedRun(long seed, WritePolicy policy) {
        chance = Chance.seeded(seed);
        random = chance.random();
        this.policy = policy;
        disk = new SimulatedDisk(Chance.seeded(random.nextLong()));
    }

    JournalConfig config() {
        return new JournalConfig(
                policy,
                new ByteSize(64 << 10),
                new ByteSize(8 << 20),
                new ByteSize(16 << 10),
                new ByteSize(512),
                new ByteSize(128 << 10),
                10_000,
                new ByteSize(1 << 20),
                0.3,
                new ByteSize(4 << 10),
                Duration.ofSeconds(1),
                true,
                false);
    }

    Journals.Parts parts() {
        return new Journals.Parts(disk, clock, Chance.seeded(random.nextLong()), stats, Log.NONE);
    }

    /** Opens the journal; what it replays is checked against the promises. */
    Journal open(QueuedTasks writer) throws JournalFault, IOException {
        List<Promises.Replayed> replayed = new ArrayList<>();
        Journal j = Journals.open(
                "sim",
                config(),
                parts(),
                writer,
                Runnable::run,
                (id, type, payload) -> replayed.add(Promises.Replayed.of(id, payload)));
        promises.check(replayed);
        return j;
    }

    /** Some groups, some batches. */
    void load(Journal j, QueuedTasks writer, int groups) {
        for (int i = 0; i < groups; i++) {
            submit(j);
            if (random.nextInt(4) == 0) {
                writer.run();
            }
            clock.step(Duration.ofMillis(100));
        }
        writer.run();
    }

    void submit(Journal j) {
        List<byte[]> adds = new ArrayList<>();
        List<Long> removes = new ArrayList<>();
        int kind = random.nextInt(10);
        if (kind < 5 || kind == 9) {
            int n = kind == 9 ? 1 + random.nextInt(6) : 1;
            for (int i = 0; i < n; i++) {
                adds.add(body());
            }
        }
        if (kind >= 5) {
            List<Long> may = promises.removable();
            int n = Math.min(may.size(), 1 + random.nextInt(4));
            int from = n == 0 ? 0 : random.nextInt(may.size() - n + 1) * (random.nextInt(4) == 0 ? 1 : 0);
            removes.addAll(may.subList(from, from + n));
        }
        promises.submit(j, adds, removes);
    }

    private byte[] body() {
        byte[] b = new byte[random.nextInt(20) == 0 ? random.nextInt(30_000) : random.nextInt(1500)];
        random.nextBytes(b);
        return b;
    }
}
