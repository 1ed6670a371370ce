package io.weir.wire.invoke.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.base.SystemClock;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.InvocationFault.Code;
import io.weir.wire.invoke.InvocationFault.Executed;
import io.weir.wire.invoke.InvokeStats;
import io.weir.wire.invoke.Ledger;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.Waiting;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.dispatch.Dispatcher;
import io.weir.wire.invoke.dispatch.Member;
import io.weir.wire.login.Credentials;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent again, and where to: never twice executed unless that was declared harmless. */
final class ResendTest {
    private static final Fence FENCE = new Fence(1, 7);

    private final Member.Tree tree = new Member.Tree();
    private final Member one = new Member("one", tree, new Dispatcher.Limits(1, 1, 1 << 16, 100));
    private final Member two = new Member("two", tree);
    private final Ledger.Kept first = new Ledger.Kept();
    private final Ledger.Kept second = new Ledger.Kept();
    private final Invoker invoker = invoker(Invoker.Limits.DEFAULT);
    private final Ledger ledger = ledger(invoker, ProxyOptions.DEFAULT);

    private static Invoker invoker(Invoker.Limits limits) {
        return new Invoker(
                () -> new Credentials("anna", "secret"), ClientOptions.DEFAULT, limits, SystemClock.INSTANCE);
    }

    private Ledger ledger(Invoker by, ProxyOptions options) {
        one.own("ledger", first, FENCE, Ledger.class);
        return (Ledger) by.proxy(
                "ledger",
                Ledger.class.getClassLoader(),
                List.of(Ledger.class),
                by.overTheWire(List.of(one.address(), two.address())),
                tree.names.get("ledger"),
                options);
    }

    @AfterEach
    void close() {
        first.blocked.release(100);
        invoker.close();
        one.close();
        two.close();
    }

    /** The connection breaks while the first call runs, after this happened. */
    private void cutOnce(Runnable meanwhile) {
        AtomicBoolean done = new AtomicBoolean();
        first.before = () -> {
            if (done.compareAndSet(false, true)) {
                meanwhile.run();
                CallLink link = invoker.links().take(one.address(), TimeUnit.SECONDS.toNanos(5));
                link.release();
                link.connection().close();
                Waiting.until(() -> !link.isOpen());
            }
        };
    }

    private void moves() {
        one.exports.clear();
        two.own("ledger", second, new Fence(1, 8), Ledger.class);
    }

    /** The first owner ends while it executes the first call; the second has the service then. */
    private void dies() {
        first.before = () -> {
            moves();
            one.close();
        };
    }

    private static InvocationFault fault(Supplier<Integer> call) {
        try {
            throw new AssertionError("no fault but " + call.get());
        } catch (InvocationFault e) {
            return e;
        }
    }

    @Test
    void aRepeatedRequestGetsTheFirstOnesAnswer() {
        cutOnce(() -> {});
        assertThat(ledger.add(5)).isEqualTo(5);
        assertThat(first.calls).as("executed once").hasValue(1);
        assertThat(one.server.stats.value(InvokeStats.DUPLICATES)).isEqualTo(1);
        assertThat(ledger.add(8)).isEqualTo(13);
    }

    @Test
    void whatMayHaveBeenExecutedIsNotTriedElsewhere() {
        dies();
        InvocationFault f = fault(() -> ledger.add(5));
        assertThat(f.code()).isEqualTo(Code.LOST);
        assertThat(f.executed()).isEqualTo(Executed.UNKNOWN);
        assertThat(first.calls).hasValue(1);
        assertThat(second.calls).hasValue(0);
        assertThat(ledger.add(8)).as("the next call follows").isEqualTo(8);
    }

    @Test
    void aFormerOwnerStillTellsWhatItAnsweredAndExecutesNothingAgain() {
        cutOnce(this::moves);
        assertThat(ledger.add(5)).isEqualTo(5);
        assertThat(first.calls).hasValue(1);
        assertThat(second.calls).hasValue(0);
        assertThat(ledger.add(8)).as("the next call follows").isEqualTo(8);
    }

    @Test
    void anIdempotentCallIsTriedElsewhere() {
        dies();
        second.value.set(42);
        assertThat(ledger.read()).isEqualTo(42);
        assertThat(first.calls).hasValue(1);
        assertThat(second.calls).hasValue(1);
    }

    @Test
    void callsToAnOwnerThatSaysNothingEndOnceTheClusterHasAnother() {
        second.value.set(42);
        try (Member stopped = new Member("stopped", tree)) {
            stopped.own("ledger", first, FENCE, Ledger.class);
            tree.names.computeIfPresent("ledger", (_, r) -> r.knowing(List.of(two.address())));
            callsAreNotHeldUpBy(stopped);
        }
    }

    private void callsAreNotHeldUpBy(Member stopped) {
        Ledger called = (Ledger) invoker.proxy(
                "ledger",
                Ledger.class.getClassLoader(),
                List.of(Ledger.class),
                invoker.overTheWire(List.of(stopped.address())),
                tree.names.get("ledger"),
                ProxyOptions.DEFAULT);
        first.before = () -> {
            stopped.hang();
            moves();
            first.block();
        };
        CompletableFuture<InvocationFault> add = CompletableFuture.supplyAsync(() -> fault(() -> called.add(5)));
        CompletableFuture<Integer> read = CompletableFuture.supplyAsync(called::read);
        InvocationFault f = add.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(f.code()).isEqualTo(Code.LOST);
        assertThat(f.executed()).isEqualTo(Executed.UNKNOWN);
        assertThat(f.getMessage()).contains("stopped stopped responding", "assigned the service to two with fence 1.8");
        assertThat(read.orTimeout(20, TimeUnit.SECONDS).join())
                .as("what is idempotent goes to the new owner long before its deadline")
                .isEqualTo(42);
        assertThat(called.add(8)).as("the next call follows").isEqualTo(50);
    }

    @Test
    void anOwnerThatIsSlowButLivesIsWaitedFor() {
        first.before = () -> {
            tree.names.computeIfPresent("ledger", (_, r) -> r.at(two.address(), new Fence(1, 8)));
            first.block();
        };
        CompletableFuture<Integer> add = CompletableFuture.supplyAsync(() -> ledger.add(5));
        CallLink link = invoker.links().take(one.address(), TimeUnit.SECONDS.toNanos(5));
        long heard = link.received();
        Waiting.until(() -> link.received() > heard);
        link.release();
        first.blocked.release();
        assertThat(add.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(5);
    }

    @Test
    void aDeadOwnersIdempotentCallWaitsForTheNextWhereItMay() {
        Ledger patient = ledger(invoker, ProxyOptions.DEFAULT.withOwnerWait(Duration.ofSeconds(20)));
        first.before = () -> {
            tree.names.remove("ledger");
            one.close();
        };
        CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> patient.addAtMostOnceEach(3));
        Waiting.until(() -> first.calls.get() == 1);
        two.own("ledger", second, new Fence(1, 8), Ledger.class);
        assertThat(answer.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(3);
        assertThat(second.calls).hasValue(1);
    }

    @Test
    void whenTooManyWaitTheNextIsRefusedAsBusy() {
        CompletableFuture<Integer> runs = CompletableFuture.supplyAsync(ledger::block);
        Waiting.until(() -> one.server.stats.value(InvokeStats.RUNNING) == 1);
        CompletableFuture<Integer> waits = CompletableFuture.supplyAsync(() -> ledger.add(1));
        Waiting.until(() -> one.server.stats.value(InvokeStats.WAITING) == 1);
        InvocationFault f = fault(() -> ledger.add(2));
        assertThat(f.code()).isEqualTo(Code.BUSY);
        assertThat(f.executed()).isEqualTo(Executed.NO);
        first.blocked.release();
        assertThat(runs.orTimeout(10, TimeUnit.SECONDS).join()).isPositive();
        assertThat(waits.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(1);
        assertThat(one.calls("busy")).isEqualTo(1);
        assertThat(ledger.add(2)).as("there is room again").isEqualTo(3);
    }

    @Test
    void aCallWhoseCallerGaveUpWhileItWaitedIsNotExecuted() {
        Ledger hasty = ledger(invoker, ProxyOptions.DEFAULT.withDeadline(Duration.ofMillis(50)));
        CompletableFuture<Integer> runs = CompletableFuture.supplyAsync(ledger::block);
        Waiting.until(() -> one.server.stats.value(InvokeStats.RUNNING) == 1);
        assertThat(fault(() -> hasty.add(1)).code()).isEqualTo(Code.TIME_OUT);
        Waiting.until(() -> one.calls("cancelled") + one.calls("late") == 1);
        first.blocked.release();
        assertThat(runs.orTimeout(10, TimeUnit.SECONDS).join()).isPositive();
        assertThat(first.value).hasValue(0);
    }

    @Test
    void aCallerHasABoundedNumberOutstanding() {
        try (Invoker single = invoker(new Invoker.Limits(1, 1 << 16, Duration.ofSeconds(30)))) {
            Ledger alone = ledger(single, ProxyOptions.DEFAULT);
            CompletableFuture<Integer> runs = CompletableFuture.supplyAsync(alone::block);
            Waiting.until(() -> one.server.stats.value(InvokeStats.RUNNING) == 1);
            assertThat(fault(() -> alone.add(1)).code()).isEqualTo(Code.BUSY);
            first.blocked.release();
            assertThat(runs.orTimeout(10, TimeUnit.SECONDS).join()).isPositive();
            assertThat(alone.add(1)).isEqualTo(1);
        }
    }

    @Test
    void aMemberThatStopsRefusesWhatWaitsAndAnswersWhatRuns() {
        CompletableFuture<Integer> runs = CompletableFuture.supplyAsync(ledger::block);
        Waiting.until(() -> one.server.stats.value(InvokeStats.RUNNING) == 1);
        CompletableFuture<Integer> waits = CompletableFuture.supplyAsync(() -> ledger.add(1));
        Waiting.until(() -> one.server.stats.value(InvokeStats.WAITING) == 1);
        one.dispatcher.close();
        first.blocked.release();
        assertThat(runs.orTimeout(10, TimeUnit.SECONDS).join()).isPositive();
        assertThat(waits.orTimeout(10, TimeUnit.SECONDS))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .havingRootCause()
                .asInstanceOf(InstanceOfAssertFactories.type(InvocationFault.class))
                .satisfies(f -> assertThat(f.code()).isEqualTo(Code.STOPPING));
        assertThat(first.value).hasValue(0);
    }

    @Test
    void aLocalOwnerIsCalledWithoutAConnectionButByValueAndWithItsLease() {
        AtomicBoolean valid = new AtomicBoolean(true);
        Export export = new Export(
                first, List.of(InterfaceDescription.of(Ledger.class)), FENCE, valid::get, null, Runnable::run);
        Ledger local = (Ledger) invoker.proxy(
                "here",
                Ledger.class.getClassLoader(),
                List.of(Ledger.class),
                new References() {
                    @Override
                    public ServiceReference find(String service, @Nullable ServiceReference last, long within) {
                        throw new AssertionError("it is here");
                    }

                    @Override
                    public Export local(String service) {
                        return export;
                    }
                },
                null,
                ProxyOptions.DEFAULT);
        byte[] bytes = {1, 2};
        assertThat(local.add(5) + local.add(3)).isEqualTo(13);
        assertThat(local.echo(bytes)).isEqualTo(bytes).isNotSameAs(bytes);
        assertThat(local.caller()).isEqualTo(" here 1.7");
        valid.set(false);
        assertThat(fault(() -> local.add(1)).code()).isEqualTo(Code.NO_OWNER);
        assertThat(one.server.server.connections()).isZero();
    }

    /** Has a class of its own of one interface, as two deployments have. */
    private static final class Copying extends ClassLoader {
        Copying() {
            super(Ledger.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Ledger.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known == null ? copy(name) : known;
        }

        private Class<?> copy(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = Objects.requireNonNull(in).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void aLocalOwnersInterfaceMayBeOfAnotherClassLoaderThanTheCallers() throws Exception {
        Export export = new Export(
                first, List.of(InterfaceDescription.of(Ledger.class)), FENCE, () -> true, null, Runnable::run);
        ClassLoader callers = new Copying();
        Class<?> type = callers.loadClass(Ledger.class.getName());
        assertThat(type).isNotEqualTo(Ledger.class);
        References here = new References() {
            @Override
            public ServiceReference find(String service, @Nullable ServiceReference last, long within) {
                throw new AssertionError("it is here");
            }

            @Override
            public Export local(String service) {
                return export;
            }
        };
        Object proxy = invoker.proxy("here", callers, List.of(type), here, null, ProxyOptions.DEFAULT);
        Method add = type.getMethod("add", int.class);
        add.setAccessible(true);
        assertThat(add.invoke(proxy, 5)).isEqualTo(5);
        assertThat(first.value).hasValue(5);
    }
}
