package io.weir.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.journal.Group;
import io.weir.journal.Journal;
import io.weir.journal.Payload;
import io.weir.journal.settings.JournalFault;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a journal was asked and what it promised, to be compared with what it gives back: everything completed is there,
 * nothing half, in order. Confined to one thread.
 */
final class Promises {
    /** What became of a group. */
    enum Fate {
        OPEN,
        DONE,
        /** Failed or cut off: all of it may be there after a crash, or nothing. */
        UNKNOWN,
        /** Failed, and the journal went on since: nothing of it may ever appear. */
        VOID
    }

    /** One submitted group. */
    static final class Asked {
        final List<Long> adds = new ArrayList<>();
        final List<Long> removes = new ArrayList<>();
        Fate fate = Fate.OPEN;
    }

    private final Map<Long, byte[]> bodies = new HashMap<>();
    private final Map<Long, Asked> adder = new HashMap<>();
    private final Map<Long, Asked> remover = new HashMap<>();
    private final List<Asked> groups = new ArrayList<>();
    private final List<Asked> failed = new ArrayList<>();
    int completed;
    int refused;

    /** Ids that may be removed: durable, and in no removal that may have happened. */
    List<Long> removable() {
        return adder.entrySet().stream()
                .filter(e -> e.getValue().fate == Fate.DONE || e.getValue().fate == Fate.OPEN)
                .map(Map.Entry::getKey)
                .filter(id -> !remover.containsKey(id))
                .sorted()
                .toList();
    }

    void submit(Journal j, List<byte[]> additions, List<Long> removals) {
        Group g = j.group();
        Asked asked = new Asked();
        for (byte[] body : additions) {
            long id = g.add(7, Payload.of(body));
            bodies.put(id, body);
            adder.put(id, asked);
            asked.adds.add(id);
        }
        for (long id : removals) {
            g.remove(id);
            remover.put(id, asked);
            asked.removes.add(id);
        }
        groups.add(asked);
        j.submit(g, fault -> completed(asked, fault));
    }

    private void completed(Asked asked, @Nullable JournalFault fault) {
        assertThat(asked.fate).as("completed once").isEqualTo(Fate.OPEN);
        if (fault == null) {
            asked.fate = Fate.DONE;
            completed++;
            // only a durable batch with a new table makes earlier failures void; the test says when
        } else {
            refused++;
            asked.fate = Fate.UNKNOWN;
            failed.add(asked);
        }
    }

    /** The journal went on durably after its failures: what failed must never appear. */
    void wentOn() {
        for (Asked a : failed) {
            a.fate = Fate.VOID;
            a.removes.forEach(remover::remove);
        }
        failed.clear();
    }

    /** Compares with what a start replayed, and goes on from there. */
    void check(List<Replayed> replayed) {
        TreeMap<Long, byte[]> there = new TreeMap<>();
        long last = 0;
        for (Replayed r : replayed) {
            assertThat(r.id()).as("order").isGreaterThan(last);
            last = r.id();
            assertThat(r.body()).as("entry " + r.id()).isEqualTo(bodies.get(r.id()));
            there.put(r.id(), r.body());
        }
        TreeSet<Long> explained = new TreeSet<>();
        for (Asked a : groups) {
            settle(a, there);
            explained.addAll(a.adds);
        }
        assertThat(explained).containsAll(there.keySet());
        restart(there);
    }

    private void settle(Asked a, Map<Long, byte[]> there) {
        Boolean applied = switch (a.fate) {
            case DONE -> Boolean.TRUE;
            case VOID -> Boolean.FALSE;
            case OPEN, UNKNOWN -> null;
        };
        for (long id : a.adds) {
            if (there.containsKey(id)) {
                applied = agree(applied, true, "entry " + id + " is there");
            } else if (!remover.containsKey(id)) {
                applied = agree(applied, false, "entry " + id + " is not there");
            }
        }
        for (long id : a.removes) {
            Asked added = adder.get(id);
            if (there.containsKey(id)) {
                applied = agree(applied, false, "entry " + id + ", to be removed, is there");
            } else if (added != null && added.fate == Fate.DONE && remover.get(id) == a) {
                applied = agree(applied, true, "entry " + id + " is removed");
            }
        }
    }

    private static Boolean agree(@Nullable Boolean before, boolean now, String why) {
        assertThat(before == null || before == now).as("all or nothing: " + why).isTrue();
        return now;
    }

    private void restart(Map<Long, byte[]> there) {
        bodies.clear();
        adder.clear();
        remover.clear();
        groups.clear();
        failed.clear();
        bodies.putAll(there);
        Asked before = new Asked();
        before.fate = Fate.DONE;
        before.adds.addAll(there.keySet());
        for (long id : there.keySet()) {
            Asked one = new Asked();
            one.fate = Fate.DONE;
            one.adds.add(id);
            adder.put(id, one);
            groups.add(one);
        }
    }

    /** An entry as replayed. Immutable. */
    static final class Replayed {
        private final long id;
        private final byte[] body;

        private Replayed(long id, byte[] body) {
            this.id = id;
            this.body = body;
        }

        static Replayed of(long id, ByteBuffer payload) {
            byte[] body = new byte[payload.remaining()];
            payload.get(body);
            return new Replayed(id, body);
        }

        long id() {
            return id;
        }

        byte[] body() {
            return body.clone();
        }
    }
}
