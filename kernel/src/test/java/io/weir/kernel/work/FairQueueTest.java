package io.weir.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.Stats;
import io.weir.kernel.Configs;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of classes by itself: one server, everything by numbers. */
class FairQueueTest {
    private static final long MILLI = 1_000_000;

    private final Stats stats = new Stats();
    private final FairQueue<String> queue = new FairQueue<>();

    private ServiceClass share(String name, int share) {
        return ServiceClass.of(name, Configs.bind(RequestClassConfig.class, "fair-share=" + share), stats);
    }

    private ServiceClass goal(String name, String goal) {
        return ServiceClass.of(name, Configs.bind(RequestClassConfig.class, "response-time=" + goal), stats);
    }

    private void add(ServiceClass of, int times) {
        for (int i = 0; i < times; i++) {
            queue.add(of.name(), of, FairQueue.Gate.OPEN, 0);
        }
    }

    /** How often each class is served in so many turns, each of which takes as long as its class's work does. */
    private Map<String, Integer> serve(int turns, Map<String, Long> costs) {
        Map<String, Integer> served = new HashMap<>();
        for (int i = 0; i < turns; i++) {
            FairQueue.Taken<String> t = take();
            served.merge(t.thing(), 1, Integer::sum);
            queue.took(t, costs.getOrDefault(t.thing(), MILLI));
        }
        return served;
    }

    private FairQueue.Taken<String> take() {
        return Objects.requireNonNull(queue.take());
    }

    private static int times(Map<String, Integer> served, String name) {
        return served.getOrDefault(name, 0);
    }

    @Test
    void eightyToTwentyIsServedFourToOne() {
        add(share("gold", 80), 1000);
        add(share("bronze", 20), 1000);
        assertThat(serve(500, Map.of())).containsEntry("gold", 400).containsEntry("bronze", 100);
    }

    @Test
    void sharesAreOfThreadTimeNotOfPieces() {
        add(share("quick", 50), 5000);
        add(share("slow", 50), 5000);
        Map<String, Integer> served = serve(1100, Map.of("quick", MILLI, "slow", 10 * MILLI));
        assertThat((double) times(served, "quick") / times(served, "slow")).isCloseTo(10, within(1.0));
    }

    @Test
    void aClassWithoutWorkSavesNothingUp() {
        ServiceClass gold = share("gold", 80);
        ServiceClass bronze = share("bronze", 20);
        add(bronze, 1000);
        add(gold, 1);
        serve(500, Map.of());
        add(gold, 500);
        assertThat(serve(100, Map.of())).containsEntry("gold", 80).containsEntry("bronze", 20);
    }

    @Test
    void withinAClassTheFirstIsTheFirst() {
        ServiceClass one = share("one", 50);
        queue.add("a", one, FairQueue.Gate.OPEN, 0);
        queue.add("b", one, new FairQueue.Gate() {}, 0);
        queue.add("c", one, FairQueue.Gate.OPEN, 0);
        assertThat(take().thing()).isEqualTo("a");
        assertThat(take().thing()).isEqualTo("b");
        assertThat(take().thing()).isEqualTo("c");
        assertThat(queue.take()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void whatAGateHoldsBackIsPassedAndDoesNotCatchUpLater() {
        ServiceClass held = share("held", 50);
        ServiceClass free = share("free", 50);
        boolean[] open = {false};
        FairQueue.Gate gate = new FairQueue.Gate() {
            @Override
            public boolean pass() {
                return open[0];
            }
        };
        for (int i = 0; i < 300; i++) {
            queue.add("held", held, gate, 0);
        }
        add(free, 500);
        assertThat(serve(200, Map.of())).containsOnly(Map.entry("free", 200));
        open[0] = true;
        assertThat(serve(100, Map.of()).get("held")).isBetween(49, 52);
    }

    @Test
    void whatIsOwedGoesFirst() {
        add(share("other", 1000), 10);
        queue.add(
                "owed",
                share("owed", 1),
                new FairQueue.Gate() {
                    @Override
                    public boolean owed() {
                        return true;
                    }
                },
                0);
        assertThat(take().thing()).isEqualTo("owed");
    }

    /** Clients that send again as soon as they are answered: the average waits are in the ratio of the goals. */
    @Test
    void waitsOfResponseTimeClassesAreToEachOtherAsTheirGoals() {
        ServiceClass two = goal("two", "2s");
        ServiceClass five = goal("five", "5s");
        long now = 0;
        Map<String, Queue<Long>> since = Map.of("two", new ArrayDeque<>(), "five", new ArrayDeque<>());
        Map<String, long[]> waited = Map.of("two", new long[2], "five", new long[2]);
        for (int i = 0; i < 120; i++) {
            ServiceClass of = i < 20 ? two : five;
            add(of, 1);
            at(since, of.name()).add(now);
        }
        for (int i = 0; i < 6000; i++) {
            FairQueue.Taken<String> t = take();
            Long from = at(since, t.thing()).poll();
            long[] sum = waited.get(t.thing());
            if (sum != null && from != null && i > 2000) {
                sum[0] += now - from;
                sum[1]++;
            }
            queue.took(t, MILLI);
            now += MILLI;
            add(t.of(), 1);
            at(since, t.thing()).add(now);
        }
        double ratio = average(waited.get("five")) / average(waited.get("two"));
        assertThat(ratio).isCloseTo(2.5, within(0.25));
    }

    private static Queue<Long> at(Map<String, Queue<Long>> all, String name) {
        return Objects.requireNonNull(all.get(name));
    }

    private static double average(long @Nullable [] sum) {
        long[] known = Objects.requireNonNull(sum);
        return (double) known[0] / known[1];
    }

    /** A second that may be waited weighs what the default share does. */
    @Test
    void goalsWeighAgainstFairSharesAsTheDocumentSays() {
        add(goal("second", "1s"), 1000);
        add(share("fair", 50), 1000);
        Map<String, Integer> served = serve(400, Map.of());
        assertThat(served.get("second")).isBetween(195, 205);
    }

    @Test
    void aShareThatIsChangedCountsFromThenOn() {
        ServiceClass gold = share("gold", 50);
        add(gold, 1000);
        add(share("bronze", 50), 1000);
        assertThat(serve(100, Map.of())).containsEntry("gold", 50);
        gold.configure(Configs.bind(RequestClassConfig.class, "fair-share=200"));
        assertThat(serve(100, Map.of())).containsEntry("gold", 80);
    }
}
