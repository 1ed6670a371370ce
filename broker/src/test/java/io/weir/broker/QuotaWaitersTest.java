package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.config.QuotaPolicy;
import io.weir.broker.quota.Quota;
import io.weir.broker.quota.QuotaWaiter;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What room that comes free costs when many wait for it: the same as when few do. */
class QuotaWaitersTest {
    private static final int MANY = 1_000;
    private final Bench bench = new Bench("quotas.small.messages-maximum=1", "queues.q.quota=small");
    private final TestLoop loop = bench.loops.loops.getFirst();
    private final List<Waiter> granted = new ArrayList<>();
    private int looks;

    private final class Waiter extends QuotaWaiter {
        Waiter() {
            super(loop, 1);
        }

        @Override
        public boolean isFor(DestinationName destination) {
            return true;
        }

        @Override
        public boolean isWaiting() {
            looks++;
            return super.isWaiting();
        }

        @Override
        public void ended(Outcome how) {
            if (how == Outcome.GRANTED) {
                granted.add(this);
            }
        }
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private Quota full(QuotaPolicy policy) {
        Quota quota = bench.quota("small");
        loop.on(() -> quota.bounds(new Quota.Bounds(1, Long.MAX_VALUE, policy)));
        assertThat(quota.reserve(1, 0)).isTrue();
        return quota;
    }

    private List<Waiter> many(Quota quota) {
        List<Waiter> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Waiter w = new Waiter();
            all.add(w);
            loop.on(() -> quota.await(w));
        }
        looks = 0;
        return all;
    }

    @ParameterizedTest
    @EnumSource(QuotaPolicy.class)
    void roomForOneIsGivenWithoutLookingAtAllWhoWait(QuotaPolicy policy) {
        Quota quota = full(policy);
        List<Waiter> all = many(quota);
        loop.on(() -> quota.release(1));
        assertThat(granted).containsExactly(all.getFirst());
        assertThat(looks).isLessThan(10);
        assertThat(quota.waiting()).isEqualTo(MANY - 1);
        empty(quota);
    }

    /** What the bench asks of every quota at its end. */
    private void empty(Quota quota) {
        loop.on(() -> {
            quota.failWaiters(new DestinationName(DestinationKind.QUEUE, "q"));
            quota.release(1);
        });
    }

    @Test
    void whoGivesUpInTheMiddleLeavesAtOnce() {
        Quota quota = full(QuotaPolicy.FIFO);
        List<Waiter> all = many(quota);
        Waiter middle = all.get(MANY / 2);
        assertThat(middle.end(QuotaWaiter.Outcome.TIMED_OUT)).isTrue();
        loop.on(() -> quota.cancelled(middle));
        assertThat(quota.waiting()).isEqualTo(MANY - 1);
        assertThat(looks).isLessThan(10);
        empty(quota);
    }
}
