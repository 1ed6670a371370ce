package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.destination.Destination;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Persistent messages on a disk that fails, a journal that is full, and what a death leaves of them. */
@Tag("slow")
class StoreFaultsTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName R = Bench.queue("r");
    private static final Duration TIME = Duration.ofMinutes(1);

    private StoredBench stored = new StoredBench("queues.r.jndi-name=");

    @AfterEach
    void close() {
        stored.close();
    }

    private void with(int loops, String... settings) {
        stored.close();
        List<String> all = new ArrayList<>(List.of("queues.r.jndi-name="));
        all.addAll(List.of(settings));
        stored = new StoredBench(loops, all.toArray(String[]::new));
    }

    private BrokerAdmin admin() {
        return stored.bench.admin();
    }

    private <T> T done(CompletableFuture<T> answer) {
        stored.write();
        return answer.join();
    }

    private static List<String> numbered(int n) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add("m" + i);
        }
        return all;
    }

    private void fill(int n) {
        Probe p = stored.client(0);
        List<Integer> requests = new ArrayList<>();
        for (String body : numbered(n)) {
            requests.add(p.send(1, Q, new Probe.Draft(body).persistent()));
        }
        stored.write();
        requests.forEach(p::expectOk);
        p.lose();
    }

    // acknowledgement

    @Test
    void anAcknowledgementThatTheDiskRefusesIsAnsweredSoAndIsNotForgotten() {
        fill(2);
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).containsExactly("m0", "m1");
        stored.disk.failing = true;
        p.ack(1, 1, 1);
        int sync = p.sync(1);
        stored.write();
        assertThat(p.expectRefusal(sync).code()).isEqualTo(RefusalCode.STORE);
        int again = p.sync(1);
        stored.write();
        assertThat(p.expectRefusal(again).code())
                .as("it is owed still, and comes back after a death")
                .isEqualTo(RefusalCode.STORE);
        p.ack(1, 2, 2);
        int still = p.sync(1);
        stored.write();
        assertThat(p.expectRefusal(still).code()).isEqualTo(RefusalCode.STORE);
        stored.disk.failing = false;
        stored.step(Duration.ofSeconds(3));
        assertThat(stored.bench.engine.store().store().owed()).isZero();
        int late = p.sync(1);
        stored.write();
        p.expectOk(late);
        stored.restart();
        assertThat(stored.drain(Q)).as("what was consumed does not come back").isEmpty();
    }

    @Test
    void acknowledgementsThatAFullJournalRefusesAreDurableBeforeTheyAreAnswered() {
        with(1, "journal.queue-groups=16");
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        for (String body : numbered(100)) {
            stored.send(p, Q, body);
        }
        p.bodies();
        for (int tag = 1; tag <= 100; tag++) {
            p.ack(1, tag, tag);
        }
        assertThat(stored.bench.engine.store().store().owed()).isPositive();
        int sync = p.sync(1);
        stored.writeUntil(() -> p.ok(sync));
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
    }

    @Test
    void acknowledgementsOfAnotherLoopsQueueAreDurableBeforeTheyAreAnswered() {
        with(2, "journal.queue-groups=16");
        Probe p = stored.client(1);
        p.listen(1, 5, Q);
        for (String body : numbered(100)) {
            stored.send(p, Q, body);
        }
        p.bodies();
        p.ack(1, 1, 100);
        int sync = p.sync(1);
        stored.writeUntil(() -> p.ok(sync));
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
    }

    @Test
    void acknowledgementsThatAreOwedFitWhateverTheJournalTakesInOneGroup() {
        with(1, "journal.queue-groups=16", "journal.max-group-size=4KiB");
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        for (String body : numbered(600)) {
            stored.send(p, Q, body);
        }
        for (int tag = 1; tag <= 600; tag++) {
            p.ack(1, tag, tag);
        }
        assertThat(stored.bench.engine.store().store().owed())
                .as("more than a group holds")
                .isGreaterThan(4096 / 16);
        int sync = p.sync(1);
        stored.writeUntil(() -> p.ok(sync));
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
    }

    @Test
    void acknowledgementsThatAFullJournalRefusedAreDurableAfterAStop() {
        with(1, "journal.queue-groups=16");
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        for (String body : numbered(100)) {
            stored.send(p, Q, body);
        }
        p.bodies();
        for (int tag = 1; tag <= 100; tag++) {
            p.ack(1, tag, tag);
        }
        assertThat(stored.bench.engine.store().store().owed()).isPositive();
        stored.stopAndStart();
        assertThat(stored.drain(Q)).isEmpty();
    }

    @Test
    void aStopOnADiskThatFailsWaitsForNothingThatItCannotWrite() {
        fill(2);
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        stored.write();
        stored.disk.failing = true;
        p.ack(1, 1, 2);
        stored.write();
        assertThat(stored.bench.engine.store().store().owed()).isPositive();
        stored.stopAndStart();
        assertThat(stored.drain(Q)).containsExactly("m0!", "m1!");
    }

    @Test
    void largeMessagesMoveInGroupsThatTheJournalTakes() {
        Probe p = stored.client(0);
        for (int i = 0; i < 10; i++) {
            stored.send(p, Q, new Probe.Draft(i + "x".repeat(12_000)));
        }
        assertThat(done(admin().move("queue/q", "queue/r", null, Long.MAX_VALUE, TIME)))
                .isEqualTo(new BrokerAdmin.Done(10, true, null));
        stored.restart();
        assertThat(stored.drain(R)).hasSize(10);
    }

    // redelivered

    @Test
    void whatIsMarkedWhileItIsStoredIsFlaggedAfterADeath() throws Exception {
        fill(1);
        admin().pause("queue/q", BrokerAdmin.Stage.CONSUMPTION, true);
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        Probe sender = stored.client(0);
        admin().pause("queue/q", BrokerAdmin.Stage.CONSUMPTION, false);
        // the first one is being marked: the second waits behind it, and is stored meanwhile
        int request = sender.send(1, Q, new Probe.Draft("second").persistent());
        stored.write();
        sender.expectOk(request);
        assertThat(p.bodies()).containsExactly("m0", "second");
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("m0!", "second!");
    }

    @Test
    void aGroupThatWaitedGoesToOneConsumerAlthoughItIsMarkedFirst() throws Exception {
        admin().pause("queue/q", BrokerAdmin.Stage.CONSUMPTION, true);
        Probe one = stored.client(0);
        one.listen(1, 5, Q);
        Probe two = stored.client(0);
        two.listen(1, 5, Q);
        for (int i = 0; i < 4; i++) {
            stored.send(one, Q, new Probe.Draft("g" + i).property("JMSXGroupID", "g"));
        }
        admin().pause("queue/q", BrokerAdmin.Stage.CONSUMPTION, false);
        stored.write();
        List<String> first = one.bodies();
        List<String> second = two.bodies();
        assertThat(first.isEmpty() ? second : first).containsExactly("g0", "g1", "g2", "g3");
    }

    @Test
    void aMarkThatFindsTheJournalFullIsMadeBeforeTheMessageLeaves() {
        with(1, "journal.queue-groups=1");
        Probe p = stored.client(0);
        stored.send(p, Q, "m");
        stored.fillJournal(2);
        p.listen(1, 5, Q);
        assertThat(p.bodies()).as("the mark was refused").isEmpty();
        stored.write();
        stored.step(Duration.ofSeconds(1));
        assertThat(p.bodies()).containsExactly("m");
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("m!");
    }

    @Test
    void whatLeftUnmarkedBecauseTheDiskFailedIsMarkedWhenItCanBe() {
        fill(1);
        stored.disk.failing = true;
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).as("nobody starves for a failing disk").containsExactly("m0");
        stored.disk.failing = false;
        stored.step(Duration.ofSeconds(3));
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("m0!");
    }

    // transactions

    @Test
    void aCommitFailsWholeWhenADestinationWasDeletedAfterItWasChecked() {
        with(2);
        fill(1);
        Probe p = stored.client(0);
        p.session(2, Probe.TRANSACTED, -1);
        p.listen(2, 5, Q);
        stored.write();
        assertThat(p.bodies()).containsExactly("m0");
        p.ack(2, 1, 1);
        p.expectOk(p.sendTransacted(2, Q, "to q"));
        p.expectOk(p.sendTransacted(2, R, "to r"));
        Destination r = stored.bench.destination("queue/r");
        assertThat(r.loop).isNotEqualTo(stored.bench.q().loop);
        // r is gone before its loop has its turn in the commit
        stored.bench.loops.held = true;
        int commit = p.commit(2);
        ((TestLoop) r.loop).on(() -> stored.bench.engine.destinations().delete(r));
        stored.bench.loops.held = false;
        stored.write();
        assertThat(p.expectRefusal(commit).code()).isEqualTo(RefusalCode.TRANSACTION_ROLLED_BACK);
        assertThat(stored.bench.stats.value(BrokerStats.ROLLED_BACK, "refused")).isEqualTo(1);
        assertThat(p.deliveries())
                .as("what was consumed in it comes again, what was sent in it does not exist")
                .extracting(d -> d.body() + d.redelivered())
                .containsExactly("m0true");
    }

    // moving

    @Test
    void aMoveThatTheDiskRefusesShowsNothingAtTheTarget() {
        fill(3);
        Probe p = stored.client(0);
        p.listen(1, 5, R);
        stored.disk.failing = true;
        BrokerAdmin.Done moved = done(admin().move("queue/q", "queue/r", null, 100, TIME));
        assertThat(moved.count()).isZero();
        assertThat(moved.complete()).isFalse();
        assertThat(String.valueOf(moved.stopped())).contains("Input/output error");
        assertThat(p.bodies())
                .as("a message that is still in q was not seen in r")
                .isEmpty();
        stored.disk.failing = false;
        stored.step(Duration.ofSeconds(3));
        p.lose();
        assertThat(stored.drain(Q)).containsExactly("m0", "m1", "m2");
    }

    @Test
    void whereverTheServerDiesDuringAMoveEachMessageIsInOneOfTheTwo() {
        for (int tasks = 0; tasks < 12; tasks++) {
            with(2);
            fill(600);
            CompletableFuture<BrokerAdmin.Done> move = admin().move("queue/q", "queue/r", null, Long.MAX_VALUE, TIME);
            int[] left = {tasks};
            stored.writeUntil(() -> left[0]-- == 0 || move.isDone());
            boolean answered = move.isDone();
            stored.restart();
            List<String> all = new ArrayList<>(stored.drain(R));
            int there = all.size();
            all.addAll(stored.drain(Q));
            assertThat(all).as("killed after %d tasks", tasks).containsExactlyElementsOf(numbered(600));
            if (answered) {
                assertThat(there).isEqualTo(600);
            }
        }
    }

    @Test
    void anErrorDestinationThatCannotTakeAMessageGetsItLater() throws Exception {
        with(1, "queues.q.delivery-failure.redelivery-limit=0", "queues.q.delivery-failure.error-destination=queue/r");
        fill(1);
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).containsExactly("m0");
        admin().pause("queue/r", BrokerAdmin.Stage.INSERTION, true);
        p.undo(FrameType.RECOVER, 1, 1);
        stored.step(Duration.ofSeconds(5));
        assertThat(p.bodies()).as("it is over its limit").isEmpty();
        assertThat(stored.bench.q().entries().current()).as("and not lost").isEqualTo(1);
        admin().pause("queue/r", BrokerAdmin.Stage.INSERTION, false);
        stored.step(Duration.ofSeconds(2));
        assertThat(stored.bench.q().entries().current()).isZero();
        stored.restart();
        assertThat(stored.drain(R)).containsExactly("m0!");
        assertThat(stored.drain(Q)).isEmpty();
    }

    @Test
    void whatIsExpiredWhenItComesToAWaitingConsumerIsMovedAndDoesNotComeBack() {
        with(
                1,
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=queue/r");
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        long past = stored.bench.clock().millis() - 1;
        stored.send(p, Q, new Probe.Draft("late").with(h -> h.expiration = past));
        assertThat(p.bodies()).isEmpty();
        assertThat(stored.bench.q().entries().current()).isZero();
        stored.restart();
        assertThat(stored.bench.q().entries().current())
                .as("the store has it in one place")
                .isZero();
        assertThat(stored.drain(R)).containsExactly("late");
    }

    // bulk work

    @Test
    void whatADeletionSaysIsDurableWhenItSaysIt() {
        with(1, "journal.queue-groups=16");
        fillSlowly(1000);
        CompletableFuture<BrokerAdmin.Done> deleted = admin().delete("queue/q", null, Long.MAX_VALUE, TIME);
        stored.writeUntil(deleted::isDone);
        assertThat(deleted.join()).isEqualTo(new BrokerAdmin.Done(1000, true, null));
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
    }

    private void fillSlowly(int n) {
        Probe p = stored.client(0);
        for (String body : numbered(n)) {
            stored.send(p, Q, body);
        }
        p.lose();
    }

    @Test
    void aDeletionThatIsStoppedSaysWhatItDidAndGoesOnWhenItIsAskedAgain() {
        fill(1000);
        CompletableFuture<BrokerAdmin.Done> deleted = admin().delete("queue/q", null, Long.MAX_VALUE, TIME);
        int[] tasks = {2};
        stored.writeUntil(() -> tasks[0]-- == 0);
        stored.disk.failing = true;
        BrokerAdmin.Done first = done(deleted);
        assertThat(first.complete()).isFalse();
        assertThat(first.stopped()).isNotNull();
        assertThat(first.count()).isPositive().isLessThan(1000);
        assertThat(stored.bench.q().available().count()).isEqualTo(1000 - first.count());
        stored.disk.failing = false;
        stored.step(Duration.ofSeconds(3));
        stored.restart();
        assertThat(stored.bench.q().available().count()).isEqualTo(1000 - first.count());
        BrokerAdmin.Done rest = done(admin().delete("queue/q", null, Long.MAX_VALUE, TIME));
        assertThat(rest).isEqualTo(new BrokerAdmin.Done(1000 - first.count(), true, null));
    }

    @Test
    void whoeverSendsMeanwhileIsNotHeldUpAndNotSwept() {
        fill(1000);
        CompletableFuture<BrokerAdmin.Done> deleted = admin().delete("queue/q", null, Long.MAX_VALUE, TIME);
        Probe p = stored.client(0);
        int request = p.send(1, Q, new Probe.Draft("new").persistent());
        stored.write();
        p.expectOk(request);
        assertThat(deleted.join()).isEqualTo(new BrokerAdmin.Done(1000, true, null));
        assertThat(stored.drain(Q)).containsExactly("new");
    }

    @Test
    void massExpiryIsDurableAndGoesOnWhereTheDiskStoppedIt() {
        with(1, "journal.queue-groups=16", "jms-server.expiration-scan-interval=1s");
        Probe p = stored.client(0);
        for (String body : numbered(1000)) {
            stored.send(
                    p,
                    Q,
                    new Probe.Draft(body)
                            .with(h -> h.expiration = stored.bench.clock().millis() + 1));
        }
        stored.bench.clock().step(Duration.ofMillis(2));
        stored.disk.failing = true;
        scan();
        assertThat(stored.bench.q().available().count()).isEqualTo(1000);
        stored.disk.failing = false;
        stored.bench.clock().step(Duration.ofSeconds(3));
        scan();
        assertThat(stored.bench.q().entries().current()).isZero();
        assertThat(stored.bench.stats.value(BrokerStats.EXPIRED, "queue/q")).isEqualTo(1000);
        stored.restart();
        assertThat(stored.bench.q().entries().current())
                .as("none is in the store any more")
                .isZero();
    }

    private void scan() {
        ((TestLoop) stored.bench.q().loop).on(stored.bench.q().expiry()::scan);
        stored.write();
    }

    @Test
    void aJournalThatOthersKeepFullSlowsADeletionAndDoesNotStopIt() {
        with(1, "journal.queue-groups=2");
        fillSlowly(300);
        stored.fillJournal(4);
        CompletableFuture<BrokerAdmin.Done> deleted = admin().delete("queue/q", null, Long.MAX_VALUE, TIME);
        stored.bench.loops.settle();
        assertThat(stored.bench.q().available().count())
                .as("it could not begin")
                .isEqualTo(300);
        stored.write();
        stored.step(Duration.ofSeconds(1));
        assertThat(deleted.join()).isEqualTo(new BrokerAdmin.Done(300, true, null));
    }

    @Test
    void theLastOfADeletionIsTriedAgainToo() {
        with(1, "journal.queue-groups=2");
        fillSlowly(3);
        stored.fillJournal(4);
        CompletableFuture<BrokerAdmin.Done> deleted = admin().delete("queue/q", null, Long.MAX_VALUE, TIME);
        stored.write();
        stored.step(Duration.ofSeconds(1));
        assertThat(deleted.join()).isEqualTo(new BrokerAdmin.Done(3, true, null));
    }

    @Test
    void aDeletionBySelectorLeavesTheOthersInOrder() {
        Probe p = stored.client(0);
        for (int i = 0; i < 700; i++) {
            stored.send(p, Q, new Probe.Draft("m" + i).property("n", i));
        }
        assertThat(done(admin().delete("queue/q", "n < 690", Long.MAX_VALUE, TIME)))
                .isEqualTo(new BrokerAdmin.Done(690, true, null));
        stored.restart();
        assertThat(stored.drain(Q)).containsExactlyElementsOf(numbered(700).subList(690, 700));
    }
}
