package io.weir.jms.client.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.client.link.Refusals;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What an ExceptionListener is told (specification 6.1.7). */
class FailureReportsTest {
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
            FailureReports reports = new FailureReports(pool);
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
                        reports.report(new JMSException(name + i));
                    }
                });
            }
            assertThat(all.await(3, TimeUnit.MINUTES)).isTrue();
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
    void aLostConnectionIsOneLineOfTheLogAndItsStackTraceIsFine() {
        Logger logger = Logger.getLogger("io.weir.jms");
        Level level = logger.getLevel();
        List<LogRecord> records = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord r) {
                if (r.getMessage().startsWith("of this test")) {
                    records.add(r);
                }
            }

            @Override
            public void flush() {
                // nothing is held back
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
        handler.setLevel(Level.ALL);
        logger.addHandler(handler);
        logger.setLevel(Level.FINE);
        try {
            JMSException lost = Refusals.lost(new IOException("reset"));
            new FailureReports(Runnable::run).quiet("of this test", lost);
            new FailureReports(Runnable::run).quiet("of this test too", new IllegalArgumentException("thrown"));
            assertThat(records).hasSize(3);
            assertThat(records.get(0).getLevel()).isEqualTo(Level.WARNING);
            assertThat(records.get(0).getMessage()).isEqualTo("of this test: " + lost.getMessage());
            assertThat(records.get(0).getThrown()).isNull();
            assertThat(records.get(1).getLevel()).isEqualTo(Level.FINE);
            assertThat(records.get(1).getThrown()).isEqualTo(lost);
            assertThat(records.get(2).getThrown()).isInstanceOf(IllegalArgumentException.class);
        } finally {
            logger.setLevel(level);
            logger.removeHandler(handler);
        }
    }

    @Test
    void oneThatThrowsIsToldTheNextToo() throws Exception {
        CountDownLatch twice = new CountDownLatch(2);
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            FailureReports reports = new FailureReports(pool);
            reports.listen(_ -> {
                twice.countDown();
                throw new IllegalArgumentException("on purpose");
            });
            reports.report(new JMSException("one"));
            reports.report(new JMSException("two"));
            assertThat(twice.await(3, TimeUnit.MINUTES)).isTrue();
        }
    }
}
