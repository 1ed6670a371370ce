package io.weir.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.lab.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The checker accepts what one object could have answered and finds what none could. */
class LinearizabilityTest {
    private final List<Operation> operations = new ArrayList<>();

    @Test
    void whatOverlapsMayComeInEitherOrder() {
        ok(1, "write", 5, 0, 0, 10);
        ok(2, "read", 0, 0, 1, 3);
        ok(2, "read", 0, 5, 4, 9);
        assertThat(Linearizability.violation(new Register(), operations)).isEmpty();
    }

    @Test
    void aStaleReadIsFound() {
        ok(1, "write", 5, 0, 0, 1);
        ok(2, "read", 0, 0, 2, 3);
        assertThat(Linearizability.violation(new Register(), operations))
                .hasValueSatisfying(told -> assertThat(told).contains("left over", "read"));
    }

    @Test
    void twoReadersDoNotDisagreeOnTheOrderOfWrites() {
        ok(1, "write", 1, 0, 0, 10);
        ok(2, "write", 2, 0, 0, 10);
        ok(3, "read", 0, 1, 11, 12);
        ok(4, "read", 0, 2, 13, 14);
        assertThat(Linearizability.violation(new Register(), operations)).isPresent();
    }

    @Test
    void anUnknownWriteMayTakeEffectLateOrNever() {
        unknown(1, "write", 5, 0);
        ok(2, "read", 0, 0, 2, 3);
        assertThat(Linearizability.violation(new Register(), operations)).isEmpty();
        ok(2, "read", 0, 5, 100, 101);
        assertThat(Linearizability.violation(new Register(), operations)).isEmpty();
        ok(2, "read", 0, 0, 102, 103);
        assertThat(Linearizability.violation(new Register(), operations))
                .as("but it does not come and go")
                .isPresent();
    }

    @Test
    void aFailedWriteHasNoEffect() {
        add(1, "write", 5, Outcome.FAIL, null, 0, 1);
        ok(2, "read", 0, 5, 2, 3);
        assertThat(Linearizability.violation(new Register(), operations)).isPresent();
    }

    @Test
    void twoHoldersOfAMutexAreFound() {
        ok(1, "acquire", 0, 1, 0, 1);
        ok(2, "acquire", 0, 2, 2, 3);
        assertThat(Linearizability.violation(new FencedLease(false), operations))
                .isPresent();
        assertThat(Linearizability.violation(new FencedLease(true), operations))
                .as("of a lease the first may have expired")
                .isEmpty();
    }

    @Test
    void aFenceGivenTwiceIsFound() {
        ok(1, "acquire", 0, 7, 0, 1);
        ok(1, "release", 7, 0, 2, 3);
        ok(2, "acquire", 0, 7, 4, 5);
        assertThat(Linearizability.violation(new FencedLease(true), operations)).isPresent();
    }

    @Test
    void aFenceThatFallsIsFound() {
        ok(1, "acquire", 0, 9, 0, 1);
        ok(2, "acquire", 0, 8, 2, 3);
        assertThat(Linearizability.violation(new FencedLease(true), operations)).isPresent();
    }

    @Test
    void anOldFenceThatIsTakenIsFound() {
        ok(1, "acquire", 0, 1, 0, 1);
        ok(2, "acquire", 0, 2, 2, 3);
        ok(1, "use", 1, 1, 4, 5);
        assertThat(Linearizability.violation(new FencedLease(true), operations)).isPresent();
        operations.removeLast();
        ok(1, "use", 1, 0, 4, 5);
        ok(2, "use", 2, 1, 4, 5);
        assertThat(Linearizability.violation(new FencedLease(true), operations)).isEmpty();
    }

    @Test
    void aReadOfAFormerHolderIsFound() {
        ok(1, "acquire", 0, 1, 0, 1);
        ok(2, "acquire", 0, 2, 2, 3);
        ok(3, "read", 0, 1, 4, 5);
        assertThat(Linearizability.violation(new FencedLease(true), operations)).isPresent();
    }

    @Test
    void keysAreObjectsOfTheirOwn() {
        OperationHistory history = new OperationHistory();
        history.ok(history.invoke(1, "a", "write", 5, 0), 0, 1);
        history.ok(history.invoke(1, "b", "read", 0, 2), 0, 3);
        assertThat(Linearizability.violation(new Register(), history)).isEmpty();
        history.ok(history.invoke(1, "a", "read", 0, 4), 0, 5);
        assertThat(Linearizability.violation(new Register(), history)).isPresent();
        assertThat(history.jsonLines().lines()).hasSize(6).first().asString().contains("\"type\":\"invoke\"");
    }

    @Test
    void whatARealRegisterAnsweredIsAccepted() {
        for (long seed = 0; seed < 50; seed++) {
            assertThat(Linearizability.violation(new Register(), run(seed, false)))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void aRegisterThatAnswersFromAnOldCopyIsFound() {
        long found = 0;
        for (long seed = 0; seed < 50; seed++) {
            found += Linearizability.violation(new Register(), run(seed, true)).isPresent() ? 1 : 0;
        }
        assertThat(found).isGreaterThan(40);
    }

    /** Four clients of a register: each operation takes effect somewhere between its call and its return. */
    private static List<Operation> run(long seed, boolean stale) {
        RandomGenerator chance = Chance.seeded(seed).random();
        List<Operation> all = new ArrayList<>();
        long value = 0;
        long old = 0;
        long[] free = new long[4];
        for (long at = 10; at < 1500; at += 10) {
            int p = chance.nextInt(4);
            long called = Math.max(free[p] + 1, at - chance.nextInt(25));
            if (called >= at) {
                continue;
            }
            boolean writes = chance.nextInt(3) == 0;
            boolean lost = writes && chance.nextInt(8) == 0;
            long returned = lost ? Long.MAX_VALUE : at + chance.nextInt(25);
            long input = writes ? at : 0;
            if (writes) {
                old = value;
                value = input;
            }
            Long answer = lost ? null : writes ? Long.valueOf(0) : Long.valueOf(stale ? old : value);
            Outcome outcome = lost ? Outcome.INFO : Outcome.OK;
            all.add(new Operation(p, "r", writes ? "write" : "read", input, outcome, answer, called, returned));
            free[p] = lost ? at : returned;
        }
        return all;
    }

    private void ok(long process, String action, long input, long output, long called, long returned) {
        add(process, action, input, Outcome.OK, output, called, returned);
    }

    private void unknown(long process, String action, long input, long called) {
        add(process, action, input, Outcome.INFO, null, called, Long.MAX_VALUE);
    }

    private void add(
            long p, String action, long input, Outcome outcome, @Nullable Long out, long called, long returned) {
        operations.add(new Operation(p, "x", action, input, outcome, out, called, returned));
    }
}
