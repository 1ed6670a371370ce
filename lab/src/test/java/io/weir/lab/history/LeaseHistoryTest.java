package io.weir.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease as processes and observers saw it: what one could have done is accepted, whatever none could is found. */
class LeaseHistoryTest {
    private static final int ANNA = 1;
    private static final int BERTA = 2;
    private static final int ONE = 11;
    private static final int OTHER = 12;

    private final LeaseHistory history = new LeaseHistory();

    /** Anna holds it with fence 5 from 10, lets go at 20; Berta holds it with 7 from 30. */
    private LeaseHistory good() {
        history.acquired(ANNA, 5, 1, 10);
        history.read(ONE, 0, 2, 3);
        history.read(ONE, 5, 9, 12);
        history.used(ANNA, 5, true, 15);
        history.letGo(5, 20, 4);
        history.acquired(BERTA, 7, 0, 30);
        history.used(BERTA, 7, true, 31);
        history.used(ANNA, 5, false, 33);
        return history;
    }

    @Test
    void whatALeaseMayDoIsAccepted() {
        good().read(OTHER, 7, 29, 40);
        history.read(ONE, 5, 19, 28);
        history.read(ONE, 0, 29, 41);
        assertThat(history.violation()).isEmpty();
        assertThat(history.reads()).isEqualTo(5);
    }

    @Test
    void aStaleReadIsFound() {
        assertThat(good().refuses(5, 31, 32)).isTrue();
        assertThat(history.refuses(7, 31, 32)).isFalse();
        assertThat(history.violation()).isEmpty();
        history.read(OTHER, 5, 31, 32);
        assertThat(history.violation()).hasValueSatisfying(v -> assertThat(v).contains("no order", "read"));
    }

    @Test
    void aReadOfAFenceBeforeItsHolderCouldHaveAskedIsFound() {
        history.acquired(ANNA, 5, 10, 20);
        history.read(ONE, 5, 2, 3);
        assertThat(history.violation()).isPresent();
    }

    @Test
    void aFenceThatGoesBackwardsBeforeObserversIsFoundThoughNoHolderTells() {
        history.read(ONE, 7, 10, 11);
        assertThat(history.violation()).as("its holder died before it told").isEmpty();
        history.read(OTHER, 5, 12, 13);
        assertThat(history.violation()).isPresent();
    }

    @Test
    void aLeaseThatComesBackToItsHolderIsFound() {
        history.acquired(ANNA, 5, 1, 10);
        history.read(ONE, 0, 11, 12);
        assertThat(history.violation()).isEmpty();
        history.read(OTHER, 5, 13, 14);
        assertThat(history.violation()).isPresent();
    }

    @Test
    void aFenceBelowOneOfBeforeIsFound() {
        good();
        history.acquired(ANNA, 6, 32, 40);
        assertThat(history.violation()).isPresent();
    }

    @Test
    void aFenceGivenTwiceIsFound() {
        good();
        history.acquired(ANNA, 7, 0, 30);
        assertThat(history.violation()).contains("the fence 7 was given twice");
    }

    @Test
    void twoHoldersAtOnceAreFound() {
        history.acquired(ANNA, 5, 1, 10);
        history.acquired(BERTA, 7, 1, 30);
        history.letGo(5, 31, -1);
        assertThat(history.violation()).hasValueSatisfying(v -> assertThat(v).startsWith("two held it"));
        history.excuse(5);
        assertThat(history.violation()).as("one was stopped meanwhile").isEmpty();
    }

    @Test
    void howMuchOfTheLeaseWasLeftIsKnown() {
        good();
        assertThat(history.hasLetGo(5)).isTrue();
        assertThat(history.hasLetGo(7)).isFalse();
        assertThat(history.remaining(5)).isEqualTo(4);
    }

    @Test
    void whatIsTakenWithAnOldFenceAfterTheNextIsActiveIsFound() {
        good().used(ANNA, 5, true, 34);
        assertThat(history.violation()).isPresent();
    }

    @Test
    void clocksThatDifferAreFound() {
        good().clock(100, 101, 102);
        assertThat(history.violation()).isEmpty();
        history.clock(100, 99, 102);
        assertThat(history.violation()).hasValueSatisfying(v -> assertThat(v).contains("clocks differ"));
    }

    /** As the kills make. */
    @Test
    @Timeout(300)
    void aLongHistoryIsChecked() {
        long at = 0;
        for (long fence = 1; fence <= 100; fence++) {
            history.acquired(fence % 3, fence, at - 50, at + 1);
            for (int i = 0; i < 100; i++) {
                at += 10;
                history.used(fence % 3, fence, true, at);
                history.read(ONE, fence, at - 5, at + 12);
                history.read(OTHER, fence, at - 3, at + 14);
            }
            at += 40;
        }
        assertThat(history.violation()).isEmpty();
        history.read(ONE, 99, at + 20, at + 21);
        assertThat(history.violation()).isPresent();
    }
}
