package io.weir.lab.cluster;

import io.weir.base.SystemClock;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@link PartitionTest} runs in the middle of a network of its own. Arguments: a folder, "all" or "usual",
 * and for each member the process that holds its namespace. Ends with 0 when all was as it must be.
 */
final class PartitionRun {
    /** Of the lease's three seconds one is there to let go in: a busy machine may take long to do it. */
    private static final String SETTINGS = "  lease: {time-to-live: 3s, grace: 1s}\n  secret: open-sesame\n";

    private final Store store;
    private final Fleet fleet;
    private final Site site;

    private PartitionRun(Store store, Fleet fleet, Site site) {
        this.store = store;
        this.fleet = fleet;
        this.site = site;
    }

    public static void main(String[] args) throws Exception {
        Site site = new Site() {
            @Override
            public String host(String member) {
                return Namespaces.host(member);
            }

            @Override
            public String adminHost(String member) {
                return Namespaces.adminHost(member);
            }

            @Override
            public List<String> prefix(String member) {
                return Namespaces.inside(args[2 + Fleet.NAMES.indexOf(member)]);
            }

            @Override
            public String storeHost() {
                return Namespaces.STORE;
            }

            @Override
            public List<Integer> ports() {
                return List.of(7001, 7001, 7001);
            }
        };
        Optional<String> violation;
        try (Store store = new Store(InetAddress.getByName(Namespaces.STORE));
                Fleet fleet = new Fleet(Path.of(args[0]), store, SETTINGS, site)) {
            fleet.startAll();
            try (Observers observers = new Observers(fleet, store.lease())) {
                new PartitionRun(store, fleet, site).partitions(args[1].equals("all"));
                say("history of the lease: " + observers.told());
            } catch (AssertionError e) {
                System.out.println(fleet.logs());
                throw e;
            }
            violation = store.violation();
        }
        violation.ifPresent(System.out::println);
        System.exit(violation.isEmpty() ? 0 : 1);
    }

    private void partitions(boolean all) throws Exception {
        Store.Active now = store.await(_ -> true);
        now = loses(now, "cut off", this::cut, this::heal);
        if (all) {
            loses(now, "mute: it hears the others, they do not hear it", this::mute, this::unmute);
        }
        leaderCutOff();
        everybodyAlone(store.latest());
    }

    /** What happens to a member's network. */
    private interface Change {
        void of(String member) throws Exception;
    }

    /**
     * The active member is cut off from the others, not from what it counts in: it lets go while its lease still lasts, another
     * takes over, and nothing that it does is refused, because it does nothing any more.
     */
    private Store.Active loses(Store.Active holder, String how, Change cut, Change heal) throws Exception {
        store.awaitProgress(store.value());
        long refused = store.refused();
        long begun = SystemClock.INSTANCE.nanos();
        cut.of(holder.member());
        Store.Active next = store.await(a -> a.fence() > holder.fence());
        if (next.member().equals(holder.member())) {
            throw new AssertionError("the one without a majority is active again: " + next);
        }
        if (!store.lease().hasLetGo(holder.fence())) {
            throw new AssertionError(holder + " has not let go although " + next + " is active");
        }
        long left = store.lease().remaining(holder.fence()) / 1_000_000;
        say(how + ": active elsewhere after " + (next.at() - begun) / 1_000_000
                + " ms; the former one was told to let go "
                + left + " ms before its lease's end, " + (store.refused() - refused)
                + " writes refused by their fence");
        if (left <= 0 || store.refused() != refused) {
            throw new AssertionError("it did not let go before its lease's end");
        }
        store.awaitProgress(store.value());
        staleIsFound(holder, next);
        heal.of(holder.member());
        // it has none of the leases of before, so what it holds it acquired since
        fleet.await(
                holder.member() + " is back",
                () -> !fleet.fact(holder.member(), "leasesHeld").equals("0"));
        return next;
    }

    /** What the one without a majority knows is old: as a read of the lease it would have been found. */
    private void staleIsFound(Store.Active holder, Store.Active next) throws Exception {
        long called = SystemClock.INSTANCE.nanos();
        long known = Observers.fence(fleet.get(holder.member(), "/cluster/leases"));
        long returned = SystemClock.INSTANCE.nanos();
        if (known != holder.fence() || !store.lease().refuses(known, called, returned)) {
            throw new AssertionError(holder.member() + " knows of " + known + ", while " + next + " is active");
        }
    }

    /** The leader of the log is cut off, and does not hold the lease: another leads, and counting goes on. */
    private void leaderCutOff() throws Exception {
        Store.Active holder = apartFromTheLeader();
        String leader = fleet.fact(holder.member(), "leader");
        String member = holder.member();
        long begun = SystemClock.INSTANCE.nanos();
        cut(leader);
        fleet.await("another leads", () -> {
            String now = fleet.fact(member, "leader");
            return !now.isEmpty() && !now.equals(leader);
        });
        long led = SystemClock.INSTANCE.nanos() - begun;
        store.awaitProgress(store.value());
        say("the log's leader alone cut off: another leads after " + led / 1_000_000 + " ms, the lease "
                + (store.latest().fence() == holder.fence()
                        ? "stayed where it was"
                        : "moved to " + store.latest().member()));
        heal(leader);
        fleet.await(leader + " follows", () -> fleet.fact(leader, "leader").equals(fleet.fact(member, "leader")));
    }

    /** Who holds the lease, once that is another than who leads the log. */
    private Store.Active apartFromTheLeader() throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            Store.Active now = store.latest();
            String leader = fleet.fact(now.member(), "leader");
            if (!leader.isEmpty() && !leader.equals(now.member())) {
                return now;
            }
            fleet.post(now.member(), "/cluster/migrate?name=counting&to=" + fleet.other(now.member()));
            store.await(a -> a.fence() > now.fence());
        }
        throw new AssertionError("it always goes where the leader is");
    }

    /** Without any majority it is active nowhere, and again when there is one. */
    private void everybodyAlone(Store.Active holder) throws Exception {
        for (String member : Fleet.NAMES) {
            cut(member);
        }
        long ended = store.awaitEnded();
        say("everybody alone: the last one let go after " + ended + " ms");
        for (String member : Fleet.NAMES) {
            heal(member);
        }
        Store.Active next = store.await(a -> a.fence() > holder.fence());
        store.awaitProgress(store.value());
        say("healed: active on " + next.member());
    }

    private void cut(String member) throws Exception {
        Namespaces.run(List.of("ip", "link", "set", Namespaces.port(member), "down"));
    }

    private void heal(String member) throws Exception {
        Namespaces.run(List.of("ip", "link", "set", Namespaces.port(member), "up"));
    }

    private void mute(String member) throws Exception {
        route("add", member);
    }

    private void unmute(String member) throws Exception {
        route("del", member);
    }

    /** What it sends to the others goes nowhere; what they send arrives. */
    private void route(String change, String member) throws Exception {
        for (String other : Fleet.NAMES) {
            if (!other.equals(member)) {
                List<String> command = new ArrayList<>(site.prefix(member));
                command.addAll(List.of("ip", "route", change, "blackhole", site.host(other)));
                Namespaces.run(command);
            }
        }
    }

    private static void say(String what) {
        System.out.println("partition: " + what);
    }
}
