package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an ExceptionListener is told (specification 6.1.7). */
class ReportsTest {
    private static final int REPORTERS = 8;
    private static final int EACH = 200;

    @Test
    void anExceptionListenerIsCalledByOneThreadAtATimeWithAllReports() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<String> told = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(REPORTERS * EACH);
        try (ExecutorService pool = Executors.newFixedThreadPool(4);
                ExecutorService reporters = Executors.newFixedThreadPool(REPORTERS)) {
            Reports reports = new Reports(pool);
            reports.listen(e -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                told.add(e.getMessage());
                Thread.onSpinWait();
                inside.decrementAndGet();
                all.countDown();
            });
            for (int r = 0; r < REPORTERS; r++) {
                String name = "r" + r + " ";
                var _ = reporters.submit(() -> {
                    for (int i = 0; i < EACH; i++) {
                        reports.tell(new JMSException(name + i));
                    }
                });
            }
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(most).hasValue(1);
        for (int r = 0; r < REPORTERS; r++) {
            String name = "r" + r + " ";
            assertThat(told.stream().filter(t -> t.startsWith(name))).containsExactlyElementsOf(numbered(name));
        }
    }

    private static List<String> numbered(String name) {
        return java.util.stream.IntStream.range(0, EACH).mapToObj(i -> name + i).toList();
    }

    @Test
    void oneThatThrowsIsToldTheNextToo() throws Exception {
        CountDownLatch twice = new CountDownLatch(2);
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Reports reports = new Reports(pool);
            reports.listen(_ -> {
                twice.countDown();
                throw new IllegalArgumentException("on purpose");
            });
            reports.tell(new JMSException("one"));
            reports.tell(new JMSException("two"));
            assertThat(twice.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
