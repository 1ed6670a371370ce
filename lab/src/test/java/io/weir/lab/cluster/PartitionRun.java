package io.weir.lab.cluster;

import io.weir.base.SystemClock;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@link PartitionTest} runs in the middle of a network of its own. Arguments: a folder, and for each member the process
 * that holds its namespace. Ends with 0 when all was as it must be.
 */
final class PartitionRun {
    private final Store store;

    private PartitionRun(Store store) {
        this.store = store;
    }

    public static void main(String[] args) throws Exception {
        Site site = new Site() {
            @Override
            public String host(String member) {
                return Namespaces.host(member);
            }

            @Override
            public List<String> prefix(String member) {
                return Namespaces.inside(args[1 + Fleet.NAMES.indexOf(member)]);
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
                Fleet fleet = new Fleet(
                        Path.of(args[0]), store, "  lease: {time-to-live: 2s}\n  secret: open-sesame\n", site)) {
            fleet.startAll();
            PartitionRun run = new PartitionRun(store);
            try {
                run.partitions();
            } catch (AssertionError e) {
                System.out.println(fleet.logs());
                throw e;
            }
            violation = store.violation();
        }
        violation.ifPresent(System.out::println);
        System.exit(violation.isEmpty() ? 0 : 1);
    }

    private void partitions() throws Exception {
        Store.Active first = store.await(_ -> true);
        store.awaitProgress(store.value());
        Store.Active second = cutOff(first);
        heal(first.member());
        store.awaitProgress(store.value());
        everybodyAlone(second);
    }

    /** The active member is cut off from the others, not from what it counts in. */
    private Store.Active cutOff(Store.Active holder) throws Exception {
        long begun = SystemClock.INSTANCE.nanos();
        port(holder.member(), "down");
        Store.Active next = store.await(a -> a.fence() > holder.fence());
        say("cut off: active elsewhere after " + (next.at() - begun) / 1_000_000 + " ms, " + store.refused()
                + " writes refused by their fence");
        if (next.member().equals(holder.member())) {
            throw new AssertionError("the one without a majority is active again: " + next);
        }
        store.awaitProgress(store.value());
        return next;
    }

    /** Without any majority it is active nowhere, and again when there is one. */
    private void everybodyAlone(Store.Active holder) throws Exception {
        for (String member : Fleet.NAMES) {
            port(member, "down");
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

    private void heal(String member) throws Exception {
        port(member, "up");
    }

    private static void port(String member, String state) throws Exception {
        Namespaces.run(List.of("ip", "link", "set", Namespaces.port(member), state));
    }

    private static void say(String what) {
        System.out.println("partition: " + what);
    }
}
