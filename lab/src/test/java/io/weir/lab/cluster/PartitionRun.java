package io.weir.lab.cluster;

import io.weir.base.SystemClock;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What {@link PartitionTest} runs in the middle of a network of its own. Arguments: a folder, "all" or "usual",
 * and for each member the process that holds its namespace. Ends with 0 when all was as it must be: by what the counting
 * singleton's store saw, and by the diaries of exposed, unexposed and WebLogic-shaped ones beside it.
 */
final class PartitionRun implements AutoCloseable {
    /** A busy machine may be late with renewals, and may take long to let go. */
    private static final String SETTINGS =
            "  lease: {time-to-live: 4s, renew: 800ms, margin: 300ms, grace: 1400ms}\n  secret: open-sesame\n";

    /** From the moment when such a lease is let go, grace less margin before its end, to that of others, two margins later. */
    private static final long LET_GO_MILLIS = 1700;

    private static final int PLACED = 30;

    private final Store store;
    private final Fleet fleet;
    private final Site site;
    private final Placing placing;
    private final Diaries diaries;

    private PartitionRun(Path folder, Store store, Site site) throws IOException {
        this.store = store;
        this.site = site;
        placing = new Placing(PLACED, List.of("plain", "exposed", "weblogic"));
        diaries = new Diaries(folder, LET_GO_MILLIS);
        fleet = new Fleet(folder, SETTINGS, Fleet.counting(site.storeHost(), store.port()) + placing.entries(), site);
    }

    public static void main(String[] args) throws Exception {
        List<String> violations;
        try (Store store = new Store(InetAddress.getByName(Namespaces.STORE));
                PartitionRun run = new PartitionRun(Path.of(args[0]), store, Namespaces.site(args))) {
            violations = run.through(args[0], args[1].equals("all"));
        }
        violations.forEach(System.out::println);
        System.exit(violations.isEmpty() ? 0 : 1);
    }

    private List<String> through(String folder, boolean all) throws Exception {
        fleet.startAll();
        placing.deploy(fleet, "deploy", Path.of(folder), 1);
        allActive();
        try (Observers observers = new Observers(fleet, store.lease())) {
            partitions(all);
            say("history of the lease: " + observers.told());
            allActive();
        } catch (AssertionError e) {
            System.out.println(fleet.logs());
            throw e;
        }
        Diaries.Found found = diaries.found(false);
        say(PLACED + " exposed, unexposed and WebLogic-shaped services: " + found.told());
        return Stream.concat(store.violation().stream(), found.violations().stream())
                .toList();
    }

    private void allActive() throws Exception {
        fleet.await(
                "all services are active",
                () -> diaries.inactive(placing.names()).isEmpty());
    }

    private void partitions(boolean all) throws Exception {
        store.await(_ -> true);
        loses("cut off", Namespaces::cut, Namespaces::heal);
        if (all) {
            loses("mute: it hears the others, they do not hear it", this::mute, this::unmute);
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
    private void loses(String how, Change cut, Change heal) throws Exception {
        store.awaitProgress(store.value());
        long refused = store.refused();
        long begun = SystemClock.INSTANCE.nanos();
        Store.Active holder = store.latest();
        cut.of(holder.member());
        for (int attempt = 0; attempt < 5 && store.latest().fence() != holder.fence(); attempt++) {
            // it moved in this very moment: the machine is busy
            heal.of(holder.member());
            holder = store.latest();
            begun = SystemClock.INSTANCE.nanos();
            cut.of(holder.member());
        }
        hasLost(holder, how, heal, refused, begun);
    }

    private void hasLost(Store.Active holder, String how, Change heal, long refused, long begun) throws Exception {
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
    }

    /** The one without a majority does not say what it cannot know: the owner of before, as a read of the lease, would have been found. */
    private void staleIsFound(Store.Active holder, Store.Active next) throws Exception {
        long called = SystemClock.INSTANCE.nanos();
        long known = Observers.fence(fleet.get(holder.member(), "/cluster/leases"));
        long returned = SystemClock.INSTANCE.nanos();
        if (known != 0 || !store.lease().refuses(holder.fence(), called, returned)) {
            throw new AssertionError(holder.member() + " says " + known + ", while " + next + " is active");
        }
    }

    /** The leader of the log is cut off, and does not hold the lease: another leads, and counting goes on. */
    private void leaderCutOff() throws Exception {
        Store.Active holder = apartFromTheLeader();
        String leader = fleet.fact(holder.member(), "leader");
        String member = holder.member();
        long begun = SystemClock.INSTANCE.nanos();
        Namespaces.cut(leader);
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
        Namespaces.heal(leader);
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
            Namespaces.cut(member);
        }
        long ended = store.awaitEnded();
        say("everybody alone: the last one let go after " + ended + " ms");
        for (String member : Fleet.NAMES) {
            Namespaces.heal(member);
        }
        Store.Active next = store.await(a -> a.fence() > holder.fence());
        store.awaitProgress(store.value());
        say("healed: active on " + next.member());
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

    @Override
    public void close() {
        fleet.close();
    }
}
