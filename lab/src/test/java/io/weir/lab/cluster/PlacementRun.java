package io.weir.lab.cluster;

import io.weir.base.Chance;
import io.weir.lab.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Three members with many services of every shape, through one fault after the other, as a seed says. What the services wrote of
 * themselves is read in the end: {@link Diaries}. Confined to a thread. As a program it runs in the middle of a network of its own
 * ({@link Namespaces}): arguments are a folder, the seed, how many services, how many faults, and the members' processes.
 */
final class PlacementRun implements AutoCloseable {
    /** What befalls them. */
    enum Fault {
        /** kill -9, and a start. */
        KILL,
        /** SIGSTOP and SIGCONT. */
        STAND_STILL,
        /** SIGSTOP of both others, and SIGCONT. */
        OTHERS_STAND_STILL,
        /** Its network to the others is cut, and healed. */
        CUT_OFF,
        /** SIGTERM, and a start. */
        STOP,
        /** Some services are moved by an operator. */
        MIGRATE,
        /** The archive is deployed anew. */
        REDEPLOY
    }

    /** A busy machine may be late with renewals, and may take long to let go. */
    private static final String SETTINGS = """
              lease: {time-to-live: 5s, renew: 1s, margin: 400ms, grace: 1800ms}
              initial-boot-delay: 60s
              deactivation-time-out: 1s
              secret: open-sesame
            """;

    private static final Duration LEASE = Duration.ofSeconds(5);
    /** From the moment when a lease is let go, grace less margin before its end, to that of others, two margins later. */
    private static final long LET_GO_MILLIS = 2200;

    private static final int MIGRATED = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Fleet fleet;
    private final Path folder;
    private final Placing placing;
    private final Diaries diaries;
    private final boolean network;
    private final long seed;
    private final RandomGenerator chance;
    private final Map<Fault, Integer> befell = new EnumMap<>(Fault.class);
    private boolean hasty;
    private int version;
    private int refused;

    /**
     * Starts nothing yet.
     *
     * @param network whether members can be cut off; if not, the others stand still instead
     */
    PlacementRun(Path folder, Site site, boolean network, int services, long seed) throws IOException {
        this.folder = folder;
        this.network = network;
        this.seed = seed;
        chance = Chance.seeded(seed).random();
        placing = new Placing(services, Placing.EVERY);
        diaries = new Diaries(folder, LET_GO_MILLIS);
        fleet = new Fleet(folder, SETTINGS, "singletons:\n" + placing.entries(), site);
    }

    public static void main(String[] args) throws Exception {
        Diaries.Found found;
        try (PlacementRun run = new PlacementRun(
                Path.of(args[0]), Namespaces.site(args), true, Integer.parseInt(args[2]), Long.parseLong(args[1]))) {
            found = run.through(run.drawn(Integer.parseInt(args[3])));
        }
        found.violations().forEach(System.out::println);
        System.exit(found.violations().isEmpty() ? 0 : 1);
    }

    /** So many faults by chance, each kind about as often as any other; some are over before anybody loses anything. */
    List<Fault> drawn(int faults) {
        hasty = true;
        List<Fault> drawn = new ArrayList<>();
        while (drawn.size() < faults) {
            List<Fault> each = new ArrayList<>(List.of(Fault.values()));
            Collections.shuffle(each, chance);
            drawn.addAll(each);
        }
        return drawn.subList(0, faults);
    }

    /** Starts all, lets it all befall them, and stops all at once in the end. */
    Diaries.Found through(List<Fault> faults) throws Exception {
        try {
            fleet.startAll();
            deploy("deploy");
            settle();
            for (int i = 0; i < faults.size(); i++) {
                String who = fleet.names().get(chance.nextInt(fleet.names().size()));
                say(i + " " + faults.get(i) + " " + who + ", " + diaries.activations() + " activations");
                boolean last = i == faults.size() - 1;
                befall(faults.get(i), who, last);
                befell.merge(faults.get(i), 1, Integer::sum);
                // the next one comes before all is well, now and then
                if (last || chance.nextInt(3) != 0) {
                    settle();
                }
            }
            List<String> alive =
                    fleet.names().stream().filter(n -> fleet.server(n).alive()).toList();
            alive.forEach(n -> fleet.server(n).stop());
            for (String name : alive) {
                ended(name);
            }
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + "\n" + diaries.found(false) + "\n" + fleet.logs(), e);
        }
        Diaries.Found found = diaries.found(true);
        say("seed " + seed + ", " + placing.names().size() + " services, " + faults.size() + " faults " + befell + ": "
                + found.told() + ", " + refused + " moves refused");
        if (!found.violations().isEmpty()) {
            System.out.println(fleet.logs());
        }
        return found;
    }

    /** All of them are active, as they say themselves. */
    private void settle() throws Exception {
        List<String> missing = new ArrayList<>();
        boolean settled = Await.within(PATIENCE, () -> {
            missing.clear();
            missing.addAll(diaries.inactive(placing.names()));
            return missing.isEmpty();
        });
        if (!settled) {
            throw new AssertionError("inactive stay " + missing);
        }
    }

    /** The last one need not come back. */
    private void befall(Fault fault, String who, boolean last) throws Exception {
        switch (fault) {
            case KILL -> {
                diaries.killed(process(who));
                fleet.server(who).kill();
                fleet.server(who).exit();
                if (!last) {
                    lasts(who);
                    fleet.start(who);
                }
            }
            case STAND_STILL -> standStill(List.of(who), who);
            case OTHERS_STAND_STILL -> othersStandStill(who);
            case CUT_OFF -> {
                if (!network) {
                    othersStandStill(who);
                    return;
                }
                Namespaces.cut(who);
                lasts(who);
                Namespaces.heal(who);
            }
            case STOP -> {
                fleet.server(who).stop();
                ended(who);
                fleet.start(who);
            }
            case MIGRATE -> migrate(who);
            case REDEPLOY -> deploy("redeploy");
        }
    }

    private void othersStandStill(String who) throws Exception {
        standStill(fleet.names().stream().filter(n -> !n.equals(who)).toList(), who);
    }

    private void standStill(List<String> who, String watched) throws Exception {
        for (String w : who) {
            fleet.signal(w, "STOP");
        }
        try {
            lasts(watched);
        } finally {
            for (String w : who) {
                fleet.signal(w, "CONT");
            }
        }
    }

    /** A fault lasts until all that a member had was told to end, or shorter, as chance has it. */
    private void lasts(String who) throws Exception {
        boolean brief = hasty && chance.nextInt(3) == 0;
        Duration time = brief ? Duration.ofMillis(chance.nextLong(LEASE.toMillis())) : LEASE.multipliedBy(2);
        var _ = Await.within(time, () -> !diaries.busy(process(who)));
    }

    private void migrate(String to) throws Exception {
        for (int i = 0; i < MIGRATED; i++) {
            String name = placing.names().get(chance.nextInt(placing.names().size()));
            try {
                fleet.post(to, "/cluster/migrate?name=" + name + "&to=" + to);
            } catch (AssertionError e) {
                // it is there already, or not yet anywhere, or there is no leader at this moment
                refused++;
            }
        }
    }

    private void deploy(String verb) throws Exception {
        version++;
        placing.deploy(fleet, verb, folder, version);
    }

    private void ended(String who) throws Exception {
        int status = fleet.server(who).exit();
        if (status != 0 && status != 143) {
            throw new AssertionError(who + " ended with " + status);
        }
    }

    private String process(String member) {
        return Diaries.process(member, fleet.server(member).pid());
    }

    private static void say(String what) {
        System.out.println("placement: " + what);
    }

    @Override
    public void close() {
        fleet.close();
    }
}
