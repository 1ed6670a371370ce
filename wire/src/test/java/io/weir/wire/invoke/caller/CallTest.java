package io.weir.wire.invoke.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.base.SystemClock;
import io.weir.wire.WireMessages;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.InvocationFault.Code;
import io.weir.wire.invoke.InvocationFault.Executed;
import io.weir.wire.invoke.Ledger;
import io.weir.wire.invoke.Waiting;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.dispatch.Member;
import io.weir.wire.login.Credentials;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls over a loopback connection. */
final class CallTest {
    private static final Fence FENCE = new Fence(1, 7);
    private static final Credentials ANNA = new Credentials("anna", "secret");

    private final Member.Tree tree = new Member.Tree();
    private final Member member = new Member("one", tree);
    private final Ledger.Kept kept = new Ledger.Kept();
    private final Invoker invoker = invoker(ANNA);

    private static Invoker invoker(Credentials who) {
        return new Invoker(() -> who, ClientOptions.DEFAULT, Invoker.Limits.DEFAULT, SystemClock.INSTANCE);
    }

    @AfterEach
    void close() {
        invoker.close();
        member.close();
    }

    private Ledger ledger() {
        return ledger(invoker, ProxyOptions.DEFAULT);
    }

    private Ledger ledger(Invoker by, ProxyOptions options) {
        member.own("ledger", kept, FENCE, Ledger.class);
        return proxy(by, Ledger.class, options);
    }

    private <T> T proxy(Invoker by, Class<T> type, ProxyOptions options) {
        return type.cast(by.proxy(
                "ledger",
                type.getClassLoader(),
                List.of(type),
                by.overTheWire(List.of(member.address())),
                tree.names.get("ledger"),
                options));
    }

    private static InvocationFault fault(ThrowingCall call) {
        try {
            call.run();
        } catch (InvocationFault e) {
            return e;
        } catch (Exception e) {
            throw new AssertionError("another exception", e);
        }
        throw new AssertionError("no exception");
    }

    private interface ThrowingCall {
        void run() throws Exception;
    }

    @Test
    void fiveAndEightAreThirteen() {
        Ledger ledger = ledger();
        assertThat(ledger.add(5)).isEqualTo(5);
        assertThat(ledger.add(8)).isEqualTo(13);
        assertThat(kept.value).hasValue(13);
        assertThat(member.calls("answered")).isEqualTo(2);
        assertThat(ledger.caller()).isEqualTo("anna ledger 1.7");
    }

    @Test
    void aProxyIsFoundByNameAlone() {
        member.own("ledger", kept, FENCE, Ledger.class);
        Ledger found = (Ledger) invoker.proxy(
                "ledger",
                Ledger.class.getClassLoader(),
                List.of(Ledger.class),
                invoker.overTheWire(List.of(member.address())),
                null,
                ProxyOptions.DEFAULT);
        assertThat(found.add(1)).isEqualTo(1);
    }

    @Test
    void objectsMethodsAreAnsweredByTheProxy() {
        Ledger a = ledger();
        Ledger b = ledger();
        assertThat(a).isEqualTo(b).hasSameHashCodeAs(b).isNotEqualTo("ledger");
        assertThat(a.toString()).contains("ledger").contains("1.7");
        assertThat(member.calls("answered")).isZero();
    }

    @Test
    void callsShareOneConnectionAndRunSideBySide() throws Exception {
        Ledger ledger = ledger();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Integer>> waiting = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                waiting.add(threads.submit(ledger::block));
            }
            assertThat(kept.entered.await(3, TimeUnit.MINUTES)).isTrue();
            assertThat(ledger.add(1)).as("others wait, this one does not").isEqualTo(1);
            kept.blocked.release(8);
            for (Future<Integer> f : waiting) {
                assertThat(f.get(3, TimeUnit.MINUTES)).isPositive();
            }
        }
        assertThat(member.server.server.connections()).isEqualTo(1);
        assertThat(kept.threads).allMatch(t -> t.matches("ExecuteThread: '\\d+' for queue: 'weir\\.cluster\\.Calls'"));
    }

    @Test
    void declaredExceptionsArriveAsTheyAreDeclared() {
        Ledger ledger = ledger();
        assertThatThrownBy(() -> ledger.fail("declared"))
                .isInstanceOf(Ledger.Broke.class)
                .hasMessage("as it says")
                .hasCauseInstanceOf(InvocationFault.class);
        assertThatThrownBy(() -> ledger.fail("wider"))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("java.io.FileNotFoundException: gone");
        assertThat(member.calls("threw")).isEqualTo(2);
    }

    @Test
    void whatIsNotDeclaredIsAFaultThatSaysItWasExecuted() {
        Ledger ledger = ledger();
        InvocationFault f = fault(() -> ledger.fail("unchecked"));
        assertThat(f.code()).isEqualTo(Code.APPLICATION);
        assertThat(f.executed()).isEqualTo(Executed.YES);
        assertThat(f).hasMessageContaining("IllegalStateException: surprise").hasMessageContaining("ledger");
        assertThat(fault(() -> ledger.fail("error")).code()).isEqualTo(Code.APPLICATION);
        assertThat(member.server.log.count(WireMessages.CALL_FAILED)).isEqualTo(2);
    }

    interface RemoteLedger extends Remote {
        int getMyValue() throws RemoteException;

        void setMyValue(int value) throws RemoteException;
    }

    static final class Value implements RemoteLedger {
        private int value = 5;

        @Override
        public synchronized int getMyValue() {
            if (value < 0) {
                throw new IllegalStateException("below zero");
            }
            return value;
        }

        @Override
        public synchronized void setMyValue(int v) {
            value = v;
        }
    }

    @Test
    void faultsOfRemoteInterfacesAreRemoteExceptions() throws RemoteException {
        member.own("ledger", new Value(), FENCE, RemoteLedger.class);
        RemoteLedger remote = proxy(invoker, RemoteLedger.class, ProxyOptions.DEFAULT);
        remote.setMyValue(remote.getMyValue() + 8);
        assertThat(remote.getMyValue()).isEqualTo(13);
        remote.setMyValue(-1);
        assertThatThrownBy(remote::getMyValue)
                .isExactlyInstanceOf(RemoteException.class)
                .hasCauseInstanceOf(InvocationFault.class)
                .hasMessageContaining("below zero");
        member.exports.clear();
        tree.names.clear();
        assertThatThrownBy(remote::getMyValue)
                .isExactlyInstanceOf(RemoteException.class)
                .hasMessageContaining("getMyValue");
    }

    @Test
    void aCallThatTakesTooLongEndsAtItsDeadline() {
        Ledger ledger = ledger(invoker, ProxyOptions.DEFAULT.withDeadline("block", Duration.ofMillis(50)));
        InvocationFault f = fault(ledger::block);
        assertThat(f.code()).isEqualTo(Code.TIME_OUT);
        assertThat(f.executed()).isEqualTo(Executed.UNKNOWN);
        kept.blocked.release();
        assertThat(ledger.add(1)).as("other calls go on").isEqualTo(1);
    }

    @Test
    void theDeadlineIsPassedOn() {
        kept.other = ledger();
        Ledger quick = ledger(invoker, ProxyOptions.DEFAULT.withDeadline(Duration.ofSeconds(5)));
        assertThat(quick.millisLeft()).isBetween(1L, 5000L);
        assertThat(quick.addThrough(0))
                .as("what the service's own call has left")
                .isBetween(1, 5000);
    }

    @Test
    void anOlderFenceIsRefusedAndTheNewOwnerFollowed() {
        Ledger ledger = ledger();
        assertThat(ledger.add(5)).isEqualTo(5);
        Ledger.Kept next = new Ledger.Kept();
        try (Member other = new Member("two", tree)) {
            member.exports.clear();
            other.own("ledger", next, new Fence(1, 9), Ledger.class);
            assertThat(ledger.add(8)).isEqualTo(8);
        }
        assertThat(kept.calls).as("the former owner executed the first only").hasValue(1);
        assertThat(member.calls("wrong-owner")).isEqualTo(1);
        assertThat(member.refused).hasValue(1);
    }

    @Test
    void theSameOwnerWithANewFenceIsAskedAgain() {
        Ledger ledger = ledger();
        assertThat(ledger.add(5)).isEqualTo(5);
        member.own("ledger", kept, new Fence(2, 1), Ledger.class);
        assertThat(ledger.add(8)).isEqualTo(13);
        assertThat(member.calls("wrong-owner")).isEqualTo(1);
    }

    @Test
    void aServiceWhoseLeaseHasEndedIsNotCalled() {
        Ledger ledger = ledger();
        member.exports.put(
                "ledger",
                new Export(
                        kept, List.of(InterfaceDescription.of(Ledger.class)), FENCE, () -> false, null, Runnable::run));
        InvocationFault f = fault(() -> ledger.add(1));
        assertThat(f.code()).isEqualTo(Code.NO_SERVICE);
        assertThat(f.executed()).isEqualTo(Executed.NO);
        assertThat(kept.calls).hasValue(0);
    }

    @Test
    void aNameThatNobodyHasFailsAtOnceUnlessTheCallMayWait() throws Exception {
        member.own("ledger", kept, FENCE, Ledger.class);
        Ledger ledger = proxy(invoker, Ledger.class, ProxyOptions.DEFAULT);
        Ledger patient = proxy(invoker, Ledger.class, ProxyOptions.DEFAULT.withOwnerWait(Duration.ofSeconds(20)));
        member.exports.clear();
        tree.names.clear();
        assertThat(fault(() -> ledger.add(1)).code()).isEqualTo(Code.NO_OWNER);
        CompletableFuture<Integer> waits = CompletableFuture.supplyAsync(() -> patient.add(1));
        assertThat(member.calls("no-service")).isPositive();
        member.own("ledger", kept, new Fence(1, 8), Ledger.class);
        assertThat(waits.get(3, TimeUnit.MINUTES)).isEqualTo(1);
    }

    @Test
    void anInterfaceOfAnotherShapeIsRefusedBeforeAnythingIsRead() {
        member.own("ledger", new Value(), FENCE, RemoteLedger.class);
        Ledger other = proxy(invoker, Ledger.class, ProxyOptions.DEFAULT);
        InvocationFault f = fault(() -> other.add(1));
        assertThat(f.code()).isEqualTo(Code.INTERFACE);
        assertThat(f).hasMessageContaining("RemoteLedger=");
    }

    @Test
    void whoHasNoNameOrNotTheRoleIsDenied() {
        try (Invoker guest = invoker(Credentials.NONE)) {
            assertThat(fault(() -> ledger(guest, ProxyOptions.DEFAULT).add(1)).code())
                    .isEqualTo(Code.DENIED);
        }
        member.own("ledger", kept, FENCE, "bookkeepers", Ledger.class);
        InvocationFault f =
                fault(() -> proxy(invoker, Ledger.class, ProxyOptions.DEFAULT).add(1));
        assertThat(f.code()).isEqualTo(Code.DENIED);
        assertThat(f).hasMessageContaining("anna is not in the group bookkeepers");
        member.own("ledger", kept, FENCE, "staff", Ledger.class);
        assertThat(proxy(invoker, Ledger.class, ProxyOptions.DEFAULT).add(1)).isEqualTo(1);
        assertThat(member.calls("denied")).isEqualTo(2);
    }

    @Test
    void argumentsAndResultsThatAreTooLongAreRefusedAndTheConnectionStays() {
        Ledger ledger = ledger();
        byte[] most = new byte[(1 << 20) - 16];
        assertThat(ledger.echo(most)).hasSize(most.length);
        InvocationFault f = fault(() -> ledger.echo(new byte[1 << 20]));
        assertThat(f.code()).isEqualTo(Code.TOO_LARGE);
        assertThat(f.executed()).isEqualTo(Executed.NO);
        assertThat(ledger.add(1)).isEqualTo(1);
        assertThat(member.server.server.connections()).isEqualTo(1);
    }

    @Test
    void anUnreachableOwnerIsAFaultThatSaysNothingWasExecuted() {
        Ledger ledger = ledger();
        member.close();
        InvocationFault f = fault(() -> ledger.add(1));
        assertThat(f.code()).isEqualTo(Code.UNREACHABLE);
        assertThat(f.executed()).isEqualTo(Executed.NO);
    }

    @Test
    void anInterruptedCallerGivesUp() throws Exception {
        Ledger ledger = ledger();
        CompletableFuture<@Nullable Object> told = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            told.complete(
                    fault(ledger::block).code() + " " + Thread.currentThread().isInterrupted());
        });
        assertThat(kept.entered.await(3, TimeUnit.MINUTES)).isTrue();
        caller.interrupt();
        assertThat(told.get(3, TimeUnit.MINUTES)).isEqualTo("INTERRUPTED true");
        kept.blocked.release();
    }

    @Test
    void anIdleConnectionIsClosedAndMadeAgain() throws Exception {
        Invoker.Limits quick = new Invoker.Limits(10, 1 << 20, Duration.ofMillis(20));
        try (Invoker idle = new Invoker(() -> ANNA, ClientOptions.DEFAULT, quick, SystemClock.INSTANCE)) {
            Ledger ledger = ledger(idle, ProxyOptions.DEFAULT);
            assertThat(ledger.add(1)).isEqualTo(1);
            Waiting.until(() -> member.server.server.connections() == 0);
            assertThat(ledger.add(1)).isEqualTo(2);
        }
    }
}
