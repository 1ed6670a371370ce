package io.weir.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExchangeReuseTest {
    private final ExchangeReuse reuse = new ExchangeReuse();

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
        ExchangeReuse before = new ExchangeReuse();
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
