package io.weir.wire.invoke;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the tests call. */
public interface Ledger {
    final class Broke extends Exception {
        private static final long serialVersionUID = 1;

        Broke(String text) {
            super(text);
        }
    }

    int add(int value);

    @Idempotent
    int read();

    @Idempotent
    int addAtMostOnceEach(int value);

    int fail(String how) throws Broke, IOException;

    int block();

    byte[] echo(byte[] bytes);

    long millisLeft();

    String caller();

    int addThrough(int value);

    /** One that the tests can hold. */
    final class Kept implements Ledger {
        public final AtomicInteger value = new AtomicInteger();
        public final AtomicInteger calls = new AtomicInteger();
        public final Semaphore blocked = new Semaphore(0);
        public final CountDownLatch entered = new CountDownLatch(1);
        public final List<String> threads = new ArrayList<>();
        public volatile Runnable before = () -> {};
        public volatile @Nullable Ledger other;

        @Override
        public int add(int more) {
            calls.incrementAndGet();
            int sum = value.addAndGet(more);
            before.run();
            return sum;
        }

        @Override
        public int read() {
            calls.incrementAndGet();
            before.run();
            return value.get();
        }

        @Override
        public int addAtMostOnceEach(int more) {
            return add(more);
        }

        @Override
        public int fail(String how) throws Broke, IOException {
            switch (how) {
                case "declared" -> throw new Broke("as it says");
                case "wider" -> throw new java.io.FileNotFoundException("gone");
                case "unchecked" -> throw new IllegalStateException("surprise");
                default -> throw new StackOverflowError();
            }
        }

        @Override
        public int block() {
            synchronized (threads) {
                threads.add(Thread.currentThread().getName());
            }
            entered.countDown();
            try {
                return blocked.tryAcquire(10, TimeUnit.SECONDS) ? calls.incrementAndGet() : -1;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return -2;
            }
        }

        @Override
        public byte[] echo(byte[] bytes) {
            return bytes;
        }

        @Override
        public long millisLeft() {
            CallContext c = CallContext.current();
            return c == null
                    ? -1
                    : TimeUnit.NANOSECONDS.toMillis(c.deadline() - io.weir.base.SystemClock.INSTANCE.nanos());
        }

        @Override
        public String caller() {
            CallContext c = CallContext.current();
            return c == null ? "" : c.user() + " " + c.service() + " " + c.fence();
        }

        @Override
        public int addThrough(int more) {
            Ledger o = other;
            return o == null ? -1 : (int) o.millisLeft();
        }
    }
}
