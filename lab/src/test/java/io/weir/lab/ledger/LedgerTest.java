package io.weir.lab.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The books find every kind of broken promise, and nothing where none was broken. */
class LedgerTest {
    private final Ledger ledger = new Ledger();

    private Sent sent(String destination) {
        Work work = ledger.work();
        Sent sent = ledger.send(work, "p", destination);
        work.done();
        return sent;
    }

    private Receipt got(Sent sent, boolean redelivered) {
        return ledger.received(sent.id(), sent.destination(), "c", redelivered);
    }

    @Test
    void whatWasSentAndReceivedInOrderIsRight() {
        got(sent("q"), false);
        got(sent("q"), false);
        assertThat(ledger.violations()).isEmpty();
        assertThat(ledger.promised()).isEqualTo(2);
    }

    @Test
    void aPromisedMessageThatNeverCameIsLost() {
        sent("q");
        assertThat(ledger.violations()).singleElement().asString().contains("p/0 was promised and never reached q");
    }

    @Test
    void anUnknownSendMayComeOrNot() {
        ledger.send(ledger.work(), "p", "q");
        got(ledger.send(ledger.work(), "p", "q"), false);
        assertThat(ledger.violations()).isEmpty();
    }

    @Test
    void aRepetitionMustBeFlagged() {
        Sent sent = sent("q");
        got(sent, false);
        ledger.received(sent.id(), "q", "after", true);
        assertThat(ledger.violations()).isEmpty();
        ledger.received(sent.id(), "q", "later", false);
        assertThat(ledger.violations()).singleElement().asString().contains("not flagged");
    }

    @Test
    void anAcknowledgementThatWasCommittedHolds() {
        Sent sent = sent("q");
        Work work = ledger.work();
        work.add(got(sent, false));
        work.done();
        ledger.received(sent.id(), "q", "after", true);
        assertThat(ledger.violations()).singleElement().asString().contains("after its acknowledgement was committed");
    }

    @Test
    void anAcknowledgementInDoubtHoldsWhenItsTransactionIsSeen() {
        Sent first = sent("q");
        Work work = ledger.work();
        work.add(got(first, false));
        Sent forwarded = ledger.send(work, "forwarder", "r");
        ledger.received(first.id(), "q", "after", true);
        assertThat(ledger.violations()).as("it may have failed").isEmpty();
        ledger.received(forwarded.id(), "r", "c", false);
        assertThat(ledger.violations()).singleElement().asString().contains("after its acknowledgement was committed");
    }

    @Test
    void halfATransactionIsWrong() {
        Work work = ledger.work();
        Sent one = ledger.send(work, "p", "q");
        ledger.send(work, "p", "r");
        assertThat(ledger.violations()).isEmpty();
        got(one, false);
        assertThat(ledger.violations()).singleElement().asString().contains("other parts of its transaction came");
    }

    @Test
    void whatWasRolledBackMustNotCome() {
        Work work = ledger.work();
        Sent sent = ledger.send(work, "p", "q");
        work.rolledBack();
        got(sent, false);
        assertThat(ledger.violations()).singleElement().asString().contains("rolled back");
    }

    @Test
    void eachSubscriptionGetsEachMessage() {
        ledger.subscription("t", "one");
        ledger.subscription("t", "two");
        Sent sent = sent("t");
        ledger.received(sent.id(), "one", "c", false);
        assertThat(ledger.violations()).singleElement().asString().contains("never reached two");
    }

    @Test
    void aSendInDoubtMayReachOneSubscriptionOnly() {
        ledger.subscription("t", "one");
        ledger.subscription("t", "two");
        Sent sent = ledger.send(ledger.work(), "p", "t");
        ledger.received(sent.id(), "one", "c", false);
        assertThat(ledger.violations()).isEmpty();
    }

    @Test
    void orderHoldsForEachProducerAndConsumer() {
        Sent first = sent("q");
        Sent second = sent("q");
        got(second, false);
        got(first, true);
        assertThat(ledger.violations()).singleElement().asString().contains("0 came after 1");
        ledger.undone("q");
        assertThat(ledger.violations()).isEmpty();
    }

    @Test
    void ofWhatASessionAcknowledgesByItselfTheLastAtMostComesAgain() {
        Sent first = sent("q");
        Sent second = sent("q");
        ledger.automatic(got(first, false), "s");
        ledger.automatic(got(second, false), "s");
        ledger.death();
        ledger.automatic(ledger.received(second.id(), "q", "after", true), "s");
        assertThat(ledger.violations()).isEmpty();
        ledger.received(first.id(), "q", "later", true);
        assertThat(ledger.violations())
                .singleElement()
                .asString()
                .contains("s of life 0 acknowledged by itself")
                .contains("p/0", "p/1", "p/1 by after, again of s of life 1");
    }

    @Test
    void eachLifeAndEachSessionHasALastOne() {
        Sent first = sent("q");
        Sent second = sent("q");
        Sent third = sent("q");
        ledger.automatic(got(first, false), "s");
        ledger.automatic(got(second, false), "t");
        ledger.death();
        ledger.automatic(got(third, false), "s");
        ledger.death();
        List.of(first, second, third).forEach(each -> ledger.received(each.id(), "q", "after", true));
        assertThat(ledger.violations()).isEmpty();
    }

    @Test
    void whatWasRolledBackComesAgain() {
        Sent sent = sent("q");
        Work work = ledger.work();
        work.add(got(sent, false));
        work.rolledBack();
        assertThat(ledger.violations()).singleElement().asString().contains("rolled back at q and never came again");
        ledger.received(sent.id(), "q", "after", true);
        assertThat(ledger.violations()).isEmpty();
    }

    @Test
    void whatCameTwiceBeforeOneAcknowledgementIsRight() {
        Sent sent = sent("q");
        Work work = ledger.work();
        work.add(got(sent, false));
        work.add(ledger.received(sent.id(), "q", "c2", true));
        work.done();
        assertThat(ledger.violations()).isEmpty();
    }

    @Test
    void repetitionsAreCounted() {
        Sent sent = sent("q");
        got(sent, false);
        assertThat(ledger.repeated()).isZero();
        got(sent, true);
        assertThat(ledger.repeated()).isEqualTo(1);
    }

    @Test
    void whatNobodySentIsForged() {
        ledger.received("x/1", "q", "c", false);
        assertThat(ledger.violations()).singleElement().asString().contains("never sent");
    }
}
