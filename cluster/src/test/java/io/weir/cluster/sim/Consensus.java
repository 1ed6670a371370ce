package io.weir.cluster.sim;

import io.weir.cluster.log.ReplicatedState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A log that is what consensus promises and as unhelpful as it may be: one order of committed entries, a leader that needs a
 * majority, leaders that do not know yet that they are none, entries that commit although nobody was told, twice, or much
 * later, members that lag, snapshots in place of entries. Confined to the simulation's thread.
 */
final class Consensus {
    private static final long TICK = 100 * VirtualTime.MILLI;
    private static final int BATCH = 20;

    private final VirtualTime time;
    private final Network network;
    private final RandomGenerator chance;
    private int snapshotEach = 40;
    private final Nastiness nastiness;
    private final Ambushes ambushes;
    private final Map<String, Replica> replicas = new LinkedHashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    /** What the leader has accepted and not committed yet. */
    private final List<Entry> tail = new ArrayList<>();

    private Consumer<Entry> onCommit = e -> {};
    private LogWatch watch = LogWatch.NONE;
    private @Nullable String leader;
    private long term;
    private long unhealthySince = -1;
    private long patience;
    private long nextIndex = 1;
    private long tickets;

    Consensus(VirtualTime time, Network network, RandomGenerator chance, Nastiness nastiness, Ambushes ambushes) {
        this.ambushes = ambushes;
        this.time = time;
        this.network = network;
        this.chance = chance;
        this.nastiness = nastiness;
        time.after(TICK, this::tick);
    }

    /** Told of every entry at the true moment of its commitment, in order. */
    void onCommit(Consumer<Entry> sees) {
        onCommit = sees;
    }

    void watch(LogWatch by) {
        watch = by;
    }

    void add(Host host) {
        replicas.put(host.name(), new Replica(host));
    }

    Replica replica(String name) {
        Replica r = replicas.get(name);
        if (r == null) {
            throw new IllegalArgumentException(name);
        }
        return r;
    }

    /** A process opens the log: with what is on its disk, then entry by entry. */
    ModelLog open(Host host, ReplicatedState machine) {
        Replica r = replica(host.name());
        r.died();
        r.machine = machine;
        ModelLog log = new ModelLog(this, network, r, chance, nastiness, ambushes);
        r.log = log;
        Replica.OnDisk disk = r.disk;
        if (disk != null) {
            machine.restore(disk.snapshot);
            r.applied = disk.entries;
        }
        advance(r);
        return log;
    }

    /** What it led, somebody else leads sooner or later, perhaps itself again; what it had not committed may be lost. */
    void died(String host) {
        replica(host).died();
        if (host.equals(leader)) {
            leader = null;
        }
    }

    void wipe(String host) {
        replica(host).disk = null;
    }

    @Nullable
    String leader() {
        return leader;
    }

    long term() {
        return term;
    }

    int committed() {
        return entries.size();
    }

    long indexOf(int applied) {
        return applied == 0 ? 0 : entries.get(applied - 1).index();
    }

    long ticket() {
        return ++tickets;
    }

    List<Replica> replicas() {
        return List.copyOf(replicas.values());
    }

    /** Whether this member hears and is heard by a majority at this moment. */
    boolean hasMajority(String name) {
        long heard = replicas.values().stream()
                .filter(r -> r.takesPart() && network.both(name, r.name()))
                .count();
        return replica(name).takesPart() && 2 * heard > replicas.size();
    }

    /** The leader's machine was told a command. */
    void propose(String at, long ticket, byte[] command) {
        if (!at.equals(leader)) {
            return;
        }
        tail.add(new Entry(-1, term, ticket, command));
        Replica r = replica(at);
        r.host.after(network.delay() + network.delay(), this::commitTail);
    }

    private void commitTail() {
        String at = leader;
        if (at == null || !hasMajority(at)) {
            return;
        }
        while (!tail.isEmpty()) {
            commit(tail.removeFirst());
        }
        advanceAll();
    }

    private void commit(Entry p) {
        Entry e = new Entry(nextIndex, term, p.ticket(), p.command());
        nextIndex += 1 + (chance.nextInt(10) == 0 ? chance.nextInt(3) : 0);
        entries.add(e);
        onCommit.accept(e);
    }

    void advanceAll() {
        replicas.values().forEach(this::advance);
    }

    /** Brings a member nearer to what is committed, when it hears the leader. */
    private void advance(Replica r) {
        if (r.machine == null || r.busy || r.applied >= entries.size() || !hears(r)) {
            return;
        }
        r.busy = true;
        long usual = r.name().equals(leader) ? chance.nextInt(300_000) : network.delay();
        long slow = r.slowness == 0 ? 0 : chance.nextLong(r.slowness);
        r.host.after(usual + slow, () -> {
            r.busy = false;
            apply(r);
            advance(r);
        });
    }

    private boolean hears(Replica r) {
        String at = leader;
        return at != null && replica(at).takesPart() && network.reaches(at, r.name());
    }

    private void apply(Replica r) {
        ReplicatedState machine = r.machine;
        if (machine == null) {
            return;
        }
        int behind = entries.size() - r.applied;
        if (behind > 40 && chance.nextInt(3) == 0 && installed(r, machine)) {
            return;
        }
        int many = behind > 5 ? BATCH : 1;
        for (int i = 0; i < many && r.applied < entries.size(); i++) {
            Entry e = entries.get(r.applied);
            struck(r, e);
            if (!r.takesPart()) {
                return;
            }
            byte[] answer = machine.apply(e.index(), e.command());
            r.applied++;
            watch.applied(r, e, answer);
            ModelLog log = r.log;
            if (log != null) {
                log.applied(e.ticket(), r.applied, answer);
            }
        }
        if (chance.nextInt(snapshotEach) == 0) {
            keepSnapshot(r, machine);
        }
    }

    private void struck(Replica r, Entry e) {
        if (!ambushes.none()) {
            ambushes.at(r.name(), Ambushes.Moment.APPLYING, Ambushes.named(e.command()));
        }
    }

    /** A member keeps a snapshot after so many entries, more or less. */
    void snapshotEach(int entries) {
        snapshotEach = entries;
    }

    /** To the disk; lost when the machine dies before it was forced. */
    private void keepSnapshot(Replica r, ReplicatedState machine) {
        Replica.OnDisk snapshot = new Replica.OnDisk(r.applied, machine.snapshot());
        r.host.after(20 * VirtualTime.MILLI + chance.nextLong(500 * VirtualTime.MILLI), () -> r.disk = snapshot);
    }

    private boolean installed(Replica r, ReplicatedState machine) {
        String at = leader;
        Replica from = at == null ? null : replica(at);
        if (from == null || from == r || from.machine == null || from.applied <= r.applied) {
            return false;
        }
        machine.restore(from.machine.snapshot());
        r.applied = from.applied;
        watch.installed(r);
        if (r.log != null) {
            r.log.jumped(r.applied);
        }
        return true;
    }

    private void tick() {
        time.after(TICK, this::tick);
        String at = leader;
        if (at != null && hasMajority(at)) {
            unhealthySince = -1;
            commitTail();
            advanceAll();
            return;
        }
        if (unhealthySince < 0) {
            unhealthySince = time.now();
            patience = 500 * VirtualTime.MILLI + chance.nextLong(700 * VirtualTime.MILLI);
        } else if (time.now() - unhealthySince > patience) {
            elect(null);
        }
    }

    /** Somebody else leads from now on, if anybody can. */
    void elect(@Nullable String not) {
        List<Replica> able = replicas.values().stream()
                .filter(r -> hasMajority(r.name()) && !r.name().equals(not))
                .toList();
        if (able.isEmpty()) {
            return;
        }
        String former = leader;
        Replica chosen = able.get(chance.nextInt(able.size()));
        leader = chosen.name();
        term++;
        nextIndex++;
        unhealthySince = -1;
        while (!tail.isEmpty() && chance.nextBoolean()) {
            commit(tail.removeFirst());
        }
        tail.clear();
        if (former != null && !former.equals(leader)) {
            stepDown(replica(former), term);
        }
        takeOver(chosen, entries.size(), term);
        advanceAll();
    }

    /** A former leader learns of it soon, or late. */
    private void stepDown(Replica r, long newTerm) {
        long usual = chance.nextLong(300 * VirtualTime.MILLI);
        long late = chance.nextInt(4) == 0 ? chance.nextLong(4 * VirtualTime.SECOND) : 0;
        r.host.after(usual + late, () -> tell(r, false, newTerm));
    }

    /** A new one once it has applied what was committed before it. */
    private void takeOver(Replica r, int upTo, long inTerm) {
        if (term != inTerm) {
            return;
        }
        if (r.applied >= upTo) {
            tell(r, true, inTerm);
        } else {
            r.host.after(20 * VirtualTime.MILLI, () -> takeOver(r, upTo, inTerm));
        }
    }

    private void tell(Replica r, boolean leads, long inTerm) {
        boolean leadsAgain = r.name().equals(leader) && !leads;
        ReplicatedState machine = r.machine;
        if (machine != null && r.leads != leads && !leadsAgain) {
            r.leads = leads;
            watch.leads(r, leads, inTerm);
            machine.leadership(leads, inTerm);
        }
    }
}
