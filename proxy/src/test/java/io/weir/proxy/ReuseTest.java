package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReuseTest {
    private final Reuse reuse = new Reuse();

    @Test
    void hitLeavesTheExchangeFree() {
        reuse.begin();
        assertThat(reuse.allowed()).isTrue();
    }

    @Test
    void missThatGotItsSlotAtOnceLeavesItFreeWithTheEndOfItsAnswerOnly() {
        reuse.begin();
        reuse.entering();
        reuse.started();
        reuse.entered();
        assertThat(reuse.allowed()).isFalse();
        reuse.relayed();
        assertThat(reuse.allowed()).isTrue();
    }

    @Test
    void whatTheQueueRemembersIsNotUsedAgain() {
        reuse.begin();
        reuse.entering();
        reuse.entered();
        reuse.started();
        reuse.relayed();
        assertThat(reuse.allowed()).isFalse();
    }

    @Test
    void whatWaitedForAFunctionBeforeOrAfterIsNotUsedAgain() {
        Reuse before = new Reuse();
        before.begin();
        before.hold();
        before.entering();
        before.started();
        before.entered();
        before.relayed();
        assertThat(before.allowed()).isFalse();
        reuse.begin();
        reuse.entering();
        reuse.started();
        reuse.entered();
        reuse.hold();
        reuse.relayed();
        assertThat(reuse.allowed()).isFalse();
    }

    @Test
    void slotOfAnEarlierRequestDoesNotCountForTheNext() {
        reuse.begin();
        reuse.entering();
        reuse.started();
        reuse.entered();
        reuse.relayed();
        reuse.begin();
        reuse.entering();
        reuse.entered();
        reuse.started();
        reuse.relayed();
        assertThat(reuse.allowed()).isFalse();
    }
}
