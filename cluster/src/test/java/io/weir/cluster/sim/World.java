package io.weir.cluster.sim;

import io.weir.base.Chance;
import io.weir.cluster.state.ClusterState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Everything there is in one run. Confined to the simulation's thread; lives for one run. */
final class World {
    private final Plan plan;
    private final Mutation mutation;
    private final VirtualTime time = new VirtualTime();
    private final EventLog log = new EventLog(time);
    private final Chance chances;
    private final RandomGenerator chance;
    private final Network network;
    private final Nastiness nastiness = new Nastiness();
    private final Consensus consensus;
    private final Referee referee = new Referee();
    private final Ambushes ambushes = new Ambushes();
    private final ModelDatabase database = new ModelDatabase(this);
    private final Vault vault = new Vault(referee);
    private final Invariants invariants = new Invariants(this);
    private final Truth truth;
    private final Stays stays = new Stays(this);
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, SimServices.Temper> tempers = new LinkedHashMap<>();

    World(Plan plan, Mutation mutation) {
        this.plan = plan;
        this.mutation = mutation;
        chances = Chance.seeded(plan.seed());
        chance = chances.split().random();
        network = new Network(chances.split().random());
        consensus = new Consensus(time, network, chances.split().random(), nastiness, ambushes);
        truth = new Truth(this);
        if (plan.shaped()) {
            consensus.snapshotEach(1_000);
        }
        consensus.onCommit(truth::committed);
        consensus.watch(truth);
        plan.rates().forEach((name, rate) -> {
            Host host = new Host(
                    name,
                    time,
                    rate,
                    chance.nextLong(1_000_000 * VirtualTime.SECOND),
                    chances.split().random());
            consensus.add(host);
            tempers.put(name, new SimServices.Temper());
            members.put(name, new Member(this, host));
        });
    }

    Plan plan() {
        return plan;
    }

    Mutation mutation() {
        return mutation;
    }

    VirtualTime time() {
        return time;
    }

    EventLog log() {
        return log;
    }

    RandomGenerator chance() {
        return chance;
    }

    Chance split() {
        return chances.split();
    }

    Network network() {
        return network;
    }

    Nastiness nastiness() {
        return nastiness;
    }

    Consensus consensus() {
        return consensus;
    }

    Vault vault() {
        return vault;
    }

    Ambushes ambushes() {
        return ambushes;
    }

    ModelDatabase database() {
        return database;
    }

    Referee referee() {
        return referee;
    }

    Invariants invariants() {
        return invariants;
    }

    Stays stays() {
        return stays;
    }

    Truth truth() {
        return truth;
    }

    /** What the log has come to, whoever knows. */
    ClusterState state() {
        return truth.state();
    }

    List<Member> members() {
        return new ArrayList<>(members.values());
    }

    Member member(String name) {
        Member m = members.get(name);
        if (m == null) {
            throw new IllegalArgumentException(name);
        }
        return m;
    }

    SimServices.Temper temper(String name) {
        SimServices.Temper t = tempers.get(name);
        if (t == null) {
            throw new IllegalArgumentException(name);
        }
        return t;
    }

    boolean lives(String host, int life) {
        Host h = member(host).host();
        return h.up() && h.life() == life;
    }

    /** Whether every member applied everything. */
    boolean caughtUp() {
        return consensus.replicas().stream().allMatch(r -> r.applied == consensus.committed());
    }

    /** Whether somebody believed to lead for a lease's whole time since then. */
    boolean ledSomebodySince(long since) {
        return truth.ledSomebodySince(since);
    }
}
