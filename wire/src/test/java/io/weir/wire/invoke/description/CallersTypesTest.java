package io.weir.wire.invoke.description;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.wire.invoke.Ledger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the calling code names in its own class files. */
class CallersTypesTest {
    private static boolean isLedger(Object o) {
        return o instanceof Ledger;
    }

    @Test
    void aTypeThatACallerCastsToIsNamed() {
        assertThat(isLedger("no")).isFalse();
        assertThat(CallersTypes.here().naming(Ledger.class.getName()))
                .isSameAs(CallersTypesTest.class.getClassLoader());
    }

    @Test
    void aTextInACallersCodeIsNoType() {
        String text = "io.weir.wire.invoke.dispatch.RequestWindow";
        assertThat(CallersTypes.here().naming(text)).isNull();
    }

    @Test
    void onlyTheStackOfThisThreadCounts() throws Exception {
        AtomicReference<CallersTypes> seen = new AtomicReference<>();
        Thread elsewhere = Elsewhere.thread(seen);
        elsewhere.start();
        elsewhere.join();
        assertThat(seen.get().naming(Ledger.class.getName())).isNull();
        assertThat(seen.get().naming(AtomicReference.class.getName())).isNotNull();
    }

    @Test
    void callersBeyondTheBoundAreTooFarAwayAndThePlatformsDoNotCount() {
        String ledger = Ledger.class.getName();
        Class<?>[] stack = {Elsewhere.class, String.class, Elsewhere.class, CallersTypesTest.class};
        assertThat(CallersTypes.of(Stream.of(stack), 2).naming(ledger)).isNotNull();
        assertThat(CallersTypes.of(Stream.of(stack), 1).naming(ledger)).isNull();
    }

    /** Another class, on another thread. */
    private static final class Elsewhere {
        static Thread thread(AtomicReference<CallersTypes> seen) {
            return new Thread(() -> seen.set(CallersTypes.here()));
        }
    }
}
