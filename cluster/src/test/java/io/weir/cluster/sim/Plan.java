package io.weir.cluster.sim;

import io.weir.base.Chance;
import io.weir.cluster.sim.Fault.Kind;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.timer.TimerService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * All that a run consists of but for the accidents of its delays: drawn from the seed, and less than that when it is shrunk.
 * Immutable.
 *
 * @param rates seconds of each member's clock in a true second
 * @param singletons as configured on all members
 * @param timers their intervals in seconds
 * @param faults in the order of their beginnings
 * @param careless services ask nobody before they write but the guard that Weir puts before its own side effects
 * @param rows leases are rows of a database
 * @param shaped services are {@link ShapedServices}
 * @param end milliseconds at which all faults are over
 */
record Plan(
        long seed,
        Map<String, Double> rates,
        List<SingletonSpec> singletons,
        List<Integer> timers,
        List<Fault> faults,
        boolean careless,
        boolean rows,
        boolean shaped,
        long end) {
    /** Far beyond what leases allow for: then only the fences hold. */
    static final double WILD = 0.4;

    /** The drift that leases allow for: a holder's clock this much slow and the leader's this much fast are still safe. */
    static final double DRIFT = 0.04;

    private static final List<Long> LONGEST = List.of(2_000L, 6_000L, 30_000L, 70_000L);

    /** The moments at which most hangs on what happens next come more than once. */
    private static final List<String> MOMENTS = List.of(
            "SUBMITTED Renew",
            "SUBMITTED Renew",
            "SUBMITTED Renew",
            "SUBMITTED Renew",
            "SUBMITTED Renew",
            "SUBMITTED Renew",
            "SUBMITTED Renew",
            "SUBMITTED Renew",
            "SUBMITTED Acquire",
            "SUBMITTED Acquire",
            "SUBMITTED Activat",
            "SUBMITTED Release",
            "SUBMITTED Expire",
            "SUBMITTED TookOver",
            "SUBMITTED Bind",
            "SUBMITTED Fire",
            "SUBMITTED Join",
            "APPLYING Renew",
            "APPLYING Acquire",
            "APPLYING Expire",
            "APPLYING Migrate",
            "ACTIVATE_CALLED ",
            "ACTIVATE_RETURNED ",
            "DEACTIVATE_CALLED ",
            "WORK ",
            "WORK ");

    /** When operators meddle: while it changes hands. */
    private static final List<String> CHANGES = List.of(
            "SUBMITTED Acquire",
            "SUBMITTED Acquire",
            "SUBMITTED Acquire",
            "APPLYING Acquire",
            "ACTIVATE_CALLED ",
            "ACTIVATE_RETURNED ",
            "SUBMITTED Release");

    /** What befalls a holder sooner than others. */
    private static final Set<Kind> AIMED = EnumSet.of(
            Kind.FREEZE,
            Kind.CUT_OFF,
            Kind.DEAF,
            Kind.MUTE,
            Kind.SLOW_APPLY,
            Kind.SLUGGISH,
            Kind.AMBUSH_FREEZE,
            Kind.AMBUSH_CUT);

    /** For how long: less than a lease, about one, and more, by their longest. */
    private static final List<Long> AMBUSHED = List.of(6_000L, 9_000L, 16_000L);

    /** All kinds but those that are for placements alone. */
    private static final List<Kind> EVERYWHERE = Stream.of(Kind.values())
            .filter(k -> k != Kind.NO_THREADS && k != Kind.FREEZE_OTHERS)
            .toList();

    private static final long FIRST = 15_000;
    private static final Set<Kind> AT_ONCE =
            EnumSet.of(Kind.ELECTION, Kind.WALL_JUMP, Kind.MIGRATE, Kind.FIRE_NOW, Kind.REMOVE, Kind.RAISE_EPOCH);

    Plan {
        rates = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(rates));
        singletons = List.copyOf(singletons);
        timers = List.copyOf(timers);
        faults = List.copyOf(faults);
    }

    /** Whether clocks drift within what leases allow for. */
    boolean sane() {
        return rates.values().stream().allMatch(r -> Math.abs(r - 1) <= DRIFT);
    }

    List<String> members() {
        return List.copyOf(rates.keySet());
    }

    Plan with(List<Fault> fewer) {
        return new Plan(seed, rates, singletons, timers, fewer, careless, rows, shaped, end);
    }

    static Plan of(long seed) {
        RandomGenerator chance = Chance.seeded(seed * 7919 + 17).random();
        List<String> members = List.of("a", "b", "c", "d", "e").subList(0, size(chance));
        Map<String, Double> rates = new LinkedHashMap<>();
        boolean wild = chance.nextInt(12) == 0;
        double drift = wild ? WILD : DRIFT;
        members.forEach(m -> rates.put(m, 1 + (chance.nextDouble() * 2 - 1) * drift));
        List<SingletonSpec> singletons = new ArrayList<>();
        int many = 1 + chance.nextInt(3);
        for (int i = 0; i < many; i++) {
            singletons.add(singleton("s" + i, members, chance));
        }
        List<Integer> timers = new ArrayList<>();
        for (int i = chance.nextInt(3); i > 0; i--) {
            timers.add(2 + chance.nextInt(12));
        }
        if (!timers.isEmpty()) {
            singletons.add(TimerService.spec());
        }
        long end = FIRST + 10_000 + chance.nextLong(120_000);
        boolean careless = chance.nextBoolean();
        boolean rows = chance.nextInt(4) == 0;
        return new Plan(
                seed, rates, singletons, timers, faults(members, singletons, end, chance), careless, rows, false, end);
    }

    /** Mostly three. */
    private static int size(RandomGenerator chance) {
        int draw = chance.nextInt(12);
        return draw == 0 ? 1 : draw == 1 ? 2 : draw == 2 ? 5 : 3;
    }

    private static SingletonSpec singleton(String name, List<String> members, RandomGenerator chance) {
        SingletonSpec spec = SingletonSpec.of(name, "sim." + name)
                .attempting(chance.nextInt(3), 2_000 + chance.nextInt(6_000))
                .failingBack(any(List.of(FailBackMode.values()), chance), 1_000 + chance.nextInt(9_000));
        if (chance.nextBoolean()) {
            spec = spec.preferring(any(members, chance));
        }
        if (members.size() > 1 && chance.nextInt(3) == 0) {
            List<String> some = new ArrayList<>(members);
            some.remove(chance.nextInt(some.size()));
            spec = spec.among(some);
        }
        return chance.nextInt(3) == 0 ? spec.deployedBy("archive-" + name) : spec;
    }

    /** A swarm: each run has a few kinds of faults, so that some runs have much of one kind. */
    private static List<Fault> faults(
            List<String> members, List<SingletonSpec> singletons, long end, RandomGenerator chance) {
        List<Kind> kinds = new ArrayList<>();
        int wanted = 1 + chance.nextInt(9);
        while (kinds.size() < wanted) {
            int draw = chance.nextInt(12);
            kinds.add(
                    draw < 2
                            ? Kind.AMBUSH_FREEZE
                            : draw < 4 ? Kind.AMBUSH_OPERATOR : draw < 5 ? Kind.FREEZE : any(EVERYWHERE, chance));
        }
        List<Fault> faults = new ArrayList<>();
        int many = 2 + chance.nextInt(28);
        for (int i = 0; i < many; i++) {
            faults.add(fault(kinds.get(chance.nextInt(kinds.size())), members, singletons, end, chance));
        }
        faults.sort(Comparator.comparingLong(Fault::from));
        return faults;
    }

    private static Fault fault(
            Kind kind, List<String> members, List<SingletonSpec> singletons, long end, RandomGenerator chance) {
        long from = FIRST - 5_000L * chance.nextInt(3) + chance.nextLong(end - FIRST);
        long longest = LONGEST.get(chance.nextInt(LONGEST.size()));
        long until = AT_ONCE.contains(kind) ? from : Math.min(end, from + 50 + chance.nextLong(longest));
        String other = switch (kind) {
            case MIGRATE, PAUSE, REDEPLOY, UNDEPLOY -> any(singletons, chance).name();
            case SPLIT -> any(members, chance);
            case AMBUSH_FREEZE, AMBUSH_CRASH, AMBUSH_CUT -> any(MOMENTS, chance);
            case AMBUSH_OPERATOR -> any(CHANGES, chance);
            default -> "";
        };
        String who = AIMED.contains(kind) && chance.nextBoolean() ? Fault.HOLDER : any(members, chance);
        return new Fault(from, until, kind, who, other, dose(kind, chance));
    }

    private static long dose(Kind kind, RandomGenerator chance) {
        return switch (kind) {
            case BLACKOUT -> 1 + chance.nextLong(8_000);
            case SLOW_NETWORK -> 10 + chance.nextLong(chance.nextBoolean() ? 200 : 3_000);
            case SLOW_APPLY -> 10 + chance.nextLong(chance.nextBoolean() ? 200 : 4_000);
            case SLUGGISH -> 10 + chance.nextLong(chance.nextBoolean() ? 100 : 2_000);
            case NASTY_LOG -> 10 + chance.nextLong(600);
            case WALL_JUMP ->
                (chance.nextBoolean() ? 1 : -1) * chance.nextLong(chance.nextBoolean() ? 10_000 : 86_400_000L);
            case ACTIVATION_SLOW -> 100 + chance.nextLong(chance.nextBoolean() ? 3_000 : 40_000);
            case AMBUSH_FREEZE, AMBUSH_CRASH, AMBUSH_CUT, AMBUSH_OPERATOR ->
                100 + chance.nextLong(any(AMBUSHED, chance));
            case REDEPLOY -> 1 + chance.nextLong(6);
            case MIGRATE -> 1 + chance.nextLong(10);
            default -> 0;
        };
    }

    private static <T> T any(List<T> of, RandomGenerator chance) {
        return of.get(chance.nextInt(of.size()));
    }

    String told() {
        StringBuilder text = new StringBuilder("seed " + seed + ", members at " + rates + ", end " + end + " ms"
                + (careless ? ", careless" : "") + (rows ? ", rows\n" : "\n"));
        singletons.forEach(s -> text.append("  ").append(s).append('\n'));
        text.append("  timers every ").append(timers).append(" s\n");
        faults.forEach(f -> text.append("  ").append(f).append('\n'));
        return text.toString();
    }
}
