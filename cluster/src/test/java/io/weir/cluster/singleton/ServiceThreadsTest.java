package io.weir.cluster.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.cluster.SingletonService;
import io.weir.cluster.kit.TestLoop;
import io.weir.cluster.lease.HeldForTests;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceThreadsTest {
    private final TestLoop loop = new TestLoop();
    private final ActiveServices services = new ActiveServices();
    private final AtomicReference<SingletonService> code = new AtomicReference<>();
    private final ServiceThreads threads =
            new ServiceThreads(loop, spec -> new ServiceObject(code.get(), code.get()), services, 2, Log.NONE);
    private final Activation activation =
            new Activation(SingletonSpec.of("s", "C"), HeldForTests.of(loop, "singleton/s", new Fence(1, 5)));

    /** Code that a test writes inline. */
    private interface Body {
        void run() throws Exception;
    }

    private void service(Body activate, Body deactivate) {
        code.set(new SingletonService() {
            @Override
            public void activate(Fence fence) throws Exception {
                activate.run();
            }

            @Override
            public void deactivate() throws Exception {
                deactivate.run();
            }
        });
    }

    @AfterEach
    void close() {
        threads.close();
    }

    private void await(CompletableFuture<?> f) {
        loop.until("the call's end", f::isDone);
    }

    @Test
    void codeRunsOnAnExecuteThreadAsItsActivation() {
        AtomicReference<String> thread = new AtomicReference<>();
        AtomicReference<@Nullable Activation> seen = new AtomicReference<>();
        AtomicReference<@Nullable ClassLoader> loader = new AtomicReference<>();
        service(
                () -> {
                    thread.set(Thread.currentThread().getName());
                    seen.set(Activation.current());
                    loader.set(Thread.currentThread().getContextClassLoader());
                },
                () -> {});
        await(threads.activate(activation));
        assertThat(thread.get()).isEqualTo("ExecuteThread: '0' for queue: 'weir.cluster.Singletons'");
        assertThat(seen.get()).isSameAs(activation);
        assertThat(loader.get()).isSameAs(code.get().getClass().getClassLoader());
        assertThat(Activation.current()).isNull();
    }

    @Test
    void anActiveServiceIsFoundByNameObjectAndLoaderUntilItIsDeactivated() {
        service(() -> {}, () -> {});
        await(threads.activate(activation));
        assertThat(services.named("s")).isPresent();
        assertThat(services.of(code.get())).contains(activation);
        assertThat(services.of(ServiceThreadsTest.class.getClassLoader())).contains(activation);
        await(threads.deactivate(activation));
        assertThat(services.named("s")).isEmpty();
    }

    @Test
    void whatACallThrowsIsItsOutcomeAndNothingStays() {
        service(
                () -> {
                    throw new IllegalStateException("no");
                },
                () -> {});
        CompletableFuture<Void> f = threads.activate(activation);
        await(f);
        assertThatThrownBy(f::join).hasRootCauseMessage("no");
        assertThat(services.named("s")).isEmpty();
    }

    @Test
    void aCallThatHangsIsInterruptedAndTheNextOneOfItsThreadIsNot() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        service(
                () -> {
                    entered.countDown();
                    never.await();
                },
                () -> {});
        CompletableFuture<Void> hangs = threads.activate(activation);
        loop.until("entered", () -> entered.getCount() == 0);
        threads.interrupt(activation);
        await(hangs);
        assertThatThrownBy(hangs::join).hasCauseInstanceOf(InterruptedException.class);
        AtomicReference<Boolean> interrupted = new AtomicReference<>(true);
        service(() -> interrupted.set(Thread.currentThread().isInterrupted()), () -> {});
        await(threads.activate(activation));
        assertThat(interrupted.get()).isFalse();
    }

    private Activation activation(int n) {
        String name = "s" + n;
        return new Activation(
                SingletonSpec.of(name, "C"), HeldForTests.of(loop, "singleton/" + name, new Fence(1, 10 + n)));
    }

    /** More than there are threads for activations: a stop, a lost majority or a redeployment deactivates all at once. */
    @Test
    void everyDeactivationIsCalledHoweverManyThereAreAtOnce() {
        CountDownLatch all = new CountDownLatch(1);
        AtomicInteger entered = new AtomicInteger();
        service(() -> {}, () -> {
            entered.incrementAndGet();
            all.await();
        });
        List<Activation> many =
                IntStream.range(0, 40).mapToObj(this::activation).toList();
        many.forEach(a -> await(threads.activate(a)));
        List<CompletableFuture<Void>> ends =
                many.stream().map(threads::deactivate).toList();
        loop.until("all of them are called", () -> entered.get() == many.size());
        assertThat(ends).noneMatch(CompletableFuture::isDone);
        all.countDown();
        ends.forEach(this::await);
        assertThat(ends).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(many).noneMatch(a -> services.named(a.service()).isPresent());
    }

    /** To make its object takes as long as another member takes to send its archive. */
    @Test
    void whatLostItsLeaseWhileItsObjectWasMadeIsNotActivated() {
        AtomicInteger activated = new AtomicInteger();
        service(activated::incrementAndGet, () -> {});
        try (ServiceThreads slow = new ServiceThreads(
                loop,
                spec -> {
                    loop.freeze(Duration.ofSeconds(9));
                    return new ServiceObject(code.get(), code.get());
                },
                services,
                2,
                Log.NONE)) {
            CompletableFuture<Void> late = slow.activate(activation);
            await(late);
            assertThatThrownBy(late::join).hasMessageContaining("its lease was lost before s could be activated");
        }
        assertThat(activated.get()).isZero();
        assertThat(services.named("s")).isEmpty();
    }

    @Test
    void activationsThatHangTakeNoThreadFromADeactivation() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger deactivated = new AtomicInteger();
        service(() -> {}, deactivated::incrementAndGet);
        await(threads.activate(activation));
        service(never::await, () -> {});
        var _ = threads.activate(activation(1));
        var _ = threads.activate(activation(2));
        await(threads.deactivate(activation));
        assertThat(deactivated.get()).isEqualTo(1);
    }

    /** Threads of which the machine has none left for what is beside the others. */
    private static final class Scarce implements ServiceCodeThreads {
        private final ServiceCodeThreads real = ServiceCodeThreads.of(2);
        private boolean none;

        @Override
        public boolean execute(Runnable task) {
            return real.execute(task);
        }

        @Override
        public boolean beside(Runnable task) {
            return !none && real.beside(task);
        }

        @Override
        public int most() {
            return real.most();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @Test
    void aDeactivationThatCouldNotBeBegunSaysSoAndMayBeAskedForAgain() {
        AtomicInteger deactivated = new AtomicInteger();
        service(() -> {}, deactivated::incrementAndGet);
        try (Scarce scarce = new Scarce();
                ServiceThreads few = new ServiceThreads(
                        loop, spec -> new ServiceObject(code.get(), code.get()), services, scarce, Log.NONE)) {
            await(few.activate(activation));
            scarce.none = true;
            CompletableFuture<Void> refused = few.deactivate(activation);
            await(refused);
            assertThatThrownBy(refused::join).hasCauseInstanceOf(NotBegun.class);
            assertThat(services.named("s")).as("it is active still").isPresent();
            scarce.none = false;
            await(few.deactivate(activation));
            assertThat(deactivated.get()).isEqualTo(1);
            assertThat(services.named("s")).isEmpty();
        }
    }

    @Test
    void whoeverWantsToHearOfTheLossIsCalledOnceBesideWhatRuns() {
        CountDownLatch listens = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        List<String> heard = new CopyOnWriteArrayList<>();
        service(
                () -> {
                    activation.whenLost(() -> {
                        throw new IllegalStateException("a fault");
                    });
                    activation.whenLost(() -> heard.add(
                            Objects.requireNonNull(Activation.current()).service()));
                    listens.countDown();
                    done.await();
                },
                () -> {});
        CompletableFuture<Void> runs = threads.activate(activation);
        loop.until("it listens", () -> listens.getCount() == 0);
        activation.lose("no majority");
        threads.lost(activation);
        loop.until("it was heard", () -> !heard.isEmpty());
        assertThat(runs).as("activate runs on").isNotDone();
        done.countDown();
        await(runs);
        threads.lost(activation);
        assertThat(heard).containsExactly("s");
        activation.whenLost(() -> heard.add("at once"));
        assertThat(heard).containsExactly("s", "at once");
    }

    @Test
    void aCallIsInterruptedEvenBeforeItsThreadHasCome() {
        List<Runnable> given = new ArrayList<>();
        ServiceCodeThreads byHand = new ServiceCodeThreads() {
            @Override
            public boolean execute(Runnable task) {
                return given.add(task);
            }

            @Override
            public boolean beside(Runnable task) {
                return given.add(task);
            }

            @Override
            public int most() {
                return 1;
            }

            @Override
            public void close() {
                given.clear();
            }
        };
        AtomicReference<Boolean> activating = new AtomicReference<>();
        AtomicReference<Boolean> deactivating = new AtomicReference<>();
        service(
                () -> activating.set(Thread.currentThread().isInterrupted()),
                () -> deactivating.set(Thread.currentThread().isInterrupted()));
        try (ServiceThreads slow = new ServiceThreads(
                loop, spec -> new ServiceObject(code.get(), code.get()), services, byHand, Log.NONE)) {
            CompletableFuture<Void> first = slow.activate(activation);
            given.remove(0).run();
            await(first);
            slow.interrupt(activation);
            CompletableFuture<Void> second = slow.deactivate(activation);
            slow.interrupt(activation);
            given.remove(0).run();
            await(second);
            assertThat(activating.get()).isFalse();
            assertThat(deactivating.get()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void whenAllThreadsHangACallIsRefusedAtOnce() {
        CountDownLatch never = new CountDownLatch(1);
        service(never::await, () -> {});
        var _ = threads.activate(activation);
        var _ = threads.activate(
                new Activation(SingletonSpec.of("t", "C"), HeldForTests.of(loop, "singleton/t", new Fence(1, 6))));
        CompletableFuture<Void> third = threads.activate(
                new Activation(SingletonSpec.of("u", "C"), HeldForTests.of(loop, "singleton/u", new Fence(1, 7))));
        assertThatThrownBy(third::join).hasMessageContaining("none of the 2 execute threads");
    }
}
