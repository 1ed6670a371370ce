package io.weir.cluster.sim;

import io.weir.base.Chance;
import io.weir.cluster.sim.Fault.Kind;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Plans of three members with many services of every {@link Shape}, each fourth of which came with one archive, through one
 * fault after the other: what befalls whole members, and what operators do to them. Stateless.
 */
final class Placements {
    private static final List<String> MEMBERS = List.of("a", "b", "c");
    private static final List<Shape> SHAPES = List.of(Shape.values());
    private static final String ARCHIVE = "archive";
    private static final long FIRST = 20_000;
    /** Between the beginnings of two faults: some begin while the one before lasts. */
    private static final long APART = 10_000;

    /** With leases of nine seconds: less than a lease, about one, and more. */
    private static final List<Long> LONGEST = List.of(2_000L, 9_000L, 25_000L);

    private static final List<Kind> KINDS = List.of(
            Kind.CRASH,
            Kind.CRASH,
            Kind.RESTART,
            Kind.RESTART,
            Kind.FREEZE,
            Kind.FREEZE,
            Kind.FREEZE_OTHERS,
            Kind.FREEZE_OTHERS,
            Kind.CUT_OFF,
            Kind.CUT_OFF,
            Kind.CUT_OFF,
            Kind.DEAF,
            Kind.MUTE,
            Kind.SPLIT,
            Kind.REDEPLOY,
            Kind.REDEPLOY,
            Kind.MIGRATE,
            Kind.PAUSE,
            Kind.ELECTION,
            Kind.NO_THREADS,
            Kind.SLOW_APPLY,
            Kind.BLACKOUT);

    private Placements() {}

    /** The plan of a seed. Each fourth seed has leases in a database, which is away now and then instead of cutting members off. */
    static Plan of(long seed, int services, int faults) {
        RandomGenerator chance = Chance.seeded(seed * 104_729 + 7).random();
        boolean rows = seed % 4 == 0;
        Map<String, Double> rates = new LinkedHashMap<>();
        MEMBERS.forEach(m -> rates.put(m, 1 + (chance.nextDouble() * 2 - 1) * Plan.DRIFT));
        List<SingletonSpec> specs = new ArrayList<>();
        for (int i = 0; i < services; i++) {
            specs.add(spec(i, chance));
        }
        List<Fault> all = new ArrayList<>();
        for (int i = 0; i < faults; i++) {
            all.add(fault(FIRST + i * APART, rows, specs, chance));
        }
        long end = FIRST + faults * APART + 5_000;
        return new Plan(seed, rates, specs, List.of(), all, false, rows, true, end);
    }

    private static SingletonSpec spec(int i, RandomGenerator chance) {
        Shape shape = SHAPES.get(i % SHAPES.size());
        SingletonSpec spec =
                SingletonSpec.of(shape.name(i), "sim." + shape).attempting(100, 1_000 + chance.nextInt(2_000));
        if (chance.nextInt(3) == 0) {
            spec = spec.preferring(any(MEMBERS, chance));
        }
        return i % 4 == 0 ? spec.deployedBy(ARCHIVE) : spec;
    }

    private static Fault fault(long from, boolean rows, List<SingletonSpec> specs, RandomGenerator chance) {
        Kind kind = any(KINDS, chance);
        if (rows && (kind == Kind.CUT_OFF || kind == Kind.DEAF)) {
            kind = Kind.DATABASE_DOWN;
        }
        long begins = from + chance.nextLong(APART / 2);
        long lasts = 50 + chance.nextLong(any(LONGEST, chance));
        String other = switch (kind) {
            case MIGRATE, PAUSE -> any(specs, chance).name();
            case REDEPLOY -> specs.getFirst().name();
            case SPLIT -> any(MEMBERS, chance);
            default -> "";
        };
        long dose = switch (kind) {
            case BLACKOUT, SLOW_APPLY -> 1 + chance.nextLong(2_000);
            case MIGRATE, REDEPLOY -> 1 + chance.nextLong(4);
            default -> 0;
        };
        String who = chance.nextBoolean() ? Fault.HOLDER : any(MEMBERS, chance);
        return new Fault(begins, begins + lasts, kind, who, other, dose);
    }

    private static <T> T any(List<T> of, RandomGenerator chance) {
        return of.get(chance.nextInt(of.size()));
    }
}
