package io.weir.cluster.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.cluster.SingletonService;
import io.weir.cluster.kit.TestLoop;
import io.weir.cluster.lease.HeldForTests;
import io.weir.cluster.state.SingletonSpec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
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
