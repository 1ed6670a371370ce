package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.frames.BranchFrames.Operation;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import java.util.List;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Units of order: a unit's messages are processed one after the other, as they were sent, whatever happens in between. */
class UnitOfOrderTest {
    private static final DestinationName Q = Bench.queue("q");

    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static Probe.Draft of(String unit, String body) {
        return new Probe.Draft(body).property(MessageView.UNIT_OF_ORDER, unit);
    }

    private void send(String... bodies) {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        for (String body : bodies) {
            p.expectOk(p.send(1, Q, of(body.substring(0, 1), body), 0));
        }
    }

    private Probe consumer(int mode, int window) {
        Probe p = bench.client();
        p.session(1, mode, window);
        p.listen(1, 5, Q);
        return p;
    }

    @Test
    void whileOneIsAtAConsumerOthersOfItsUnitGoNowhereElse() {
        Probe first = consumer(Probe.CLIENT, 1);
        Probe second = consumer(Probe.CLIENT, 10);
        send("a1", "a2", "b1", "a3");
        assertThat(first.bodies()).containsExactly("a1");
        assertThat(second.bodies()).containsExactly("b1");
        first.ack(1, 1, 1);
        assertThat(second.bodies()).as("free for all, in order").containsExactly("a2", "a3");
    }

    @Test
    void oneConsumerGetsSeveralOfAUnitAtOnce() {
        Probe first = consumer(Probe.CLIENT, 2);
        Probe second = consumer(Probe.CLIENT, 10);
        send("a1", "a2", "a3", "a4");
        assertThat(first.bodies()).containsExactly("a1", "a2");
        assertThat(second.bodies()).isEmpty();
        first.ack(1, 1, 1);
        assertThat(second.bodies()).as("a2 is at the other one").isEmpty();
        first.ack(1, 2, 2);
        assertThat(second.bodies()).containsExactly("a3", "a4");
    }

    @Test
    void aRolledBackMessageHoldsItsUnitThroughItsRedeliveryDelay() {
        bench.change("queues.q.delivery-failure.redelivery-delay=5000");
        Probe first = consumer(Probe.TRANSACTED, 1);
        Probe second = consumer(Probe.CLIENT, 10);
        send("a1", "a2", "b1");
        assertThat(first.bodies()).containsExactly("a1");
        assertThat(second.bodies()).containsExactly("b1");
        p(first);
        assertThat(first.bodies()).isEmpty();
        assertThat(second.bodies()).isEmpty();
        bench.step(5000);
        assertThat(concat(first, second))
                .as("first the one that was rolled back")
                .startsWith("a1");
    }

    private static void p(Probe transacted) {
        transacted.ack(1, 1, 1);
        transacted.expectOk(transacted.request(
                io.weir.jms.frames.FrameType.ROLLBACK, 1, (r, b) -> new ClientFrames.Undo(r, 1).write(b)));
    }

    private static List<String> concat(Probe... probes) {
        return java.util.Arrays.stream(probes).flatMap(x -> x.bodies().stream()).toList();
    }

    @Test
    void itsPriorityLetsNoneOvertakeItsUnit() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, of("a", "a1").with(h -> h.priority = 1), 0));
        p.expectOk(p.send(1, Q, of("a", "a2").with(h -> h.priority = 9), 0));
        p.expectOk(p.send(1, Q, new Probe.Draft("free").with(h -> h.priority = 5), 0));
        assertThat(consumer(Probe.CLIENT, 10).bodies()).containsExactly("free", "a1", "a2");
    }

    @Test
    void oneThatExpiresFreesThoseBehindIt() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        long soon = bench.clock().millis() + 100;
        p.expectOk(p.send(
                1,
                Q,
                of("a", "a1").with(h -> {
                    h.priority = 1;
                    h.expiration = soon;
                }),
                0));
        p.expectOk(p.send(1, Q, of("a", "a2").with(h -> h.priority = 9), 0));
        bench.step(200);
        Probe c = consumer(Probe.CLIENT, 10);
        assertThat(c.bodies()).containsExactly("a2");
    }

    @Test
    void oneWithADeliveryTimeHoldsThoseBehindIt() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        long later = bench.clock().millis() + 1000;
        Probe c = consumer(Probe.CLIENT, 10);
        p.expectOk(p.send(1, Q, of("a", "a1").with(h -> h.deliveryTime = later), 0));
        p.expectOk(p.send(1, Q, of("a", "a2"), 0));
        assertThat(c.bodies()).isEmpty();
        bench.step(1000);
        assertThat(c.bodies()).containsExactly("a1", "a2");
    }

    @Test
    void aLostConsumersUnitGoesOnElsewhereInOrder() {
        Probe first = consumer(Probe.CLIENT, 2);
        send("a1", "a2", "a3");
        Probe second = consumer(Probe.CLIENT, 10);
        assertThat(second.bodies()).isEmpty();
        first.lose();
        assertThat(second.bodies()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void aBranchHoldsItsUnitUntilItEnds() {
        BranchId id = new BranchId(1, "01", "");
        Probe p = bench.client();
        p.session(1, ClientFrames.OpenSession.BRANCHES, 1);
        send("a1", "a2");
        p.branch(1, Operation.START, XAResource.TMNOFLAGS, id);
        p.listen(1, 5, Q);
        assertThat(p.bodies()).containsExactly("a1");
        p.ack(1, 1, 1);
        p.branch(1, Operation.END, XAResource.TMSUCCESS, id);
        p.branch(0, Operation.PREPARE, 0, id);
        Probe other = consumer(Probe.CLIENT, 10);
        assertThat(other.bodies()).isEmpty();
        p.branch(0, Operation.COMMIT, 0, id);
        bench.step(0);
        assertThat(other.bodies()).containsExactly("a2");
    }

    @Test
    void aBranchThatIsRolledBackIsNotOvertakenByWhatWasPushedAhead() {
        BranchId one = new BranchId(1, "01", "");
        BranchId two = new BranchId(1, "02", "");
        Probe p = bench.client();
        p.session(1, ClientFrames.OpenSession.BRANCHES, 10);
        send("a1", "a2", "b1", "a3");
        p.branch(1, Operation.START, XAResource.TMNOFLAGS, one);
        p.listen(1, 5, Q);
        assertThat(p.bodies()).as("one of each unit").containsExactly("a1", "b1");
        p.ack(1, 1, 1);
        p.branch(1, Operation.END, XAResource.TMSUCCESS, one);
        p.branch(0, Operation.ROLLBACK, 0, one);
        bench.step(0);
        p.credit(1, 2, 1000);
        assertThat(p.bodies()).containsExactly("a1");
        p.branch(1, Operation.START, XAResource.TMNOFLAGS, two);
        p.ack(1, 2, 3);
        p.branch(1, Operation.END, XAResource.TMSUCCESS, two);
        p.branch(0, Operation.COMMIT, XAResource.TMONEPHASE, two);
        bench.step(0);
        assertThat(p.bodies()).containsExactly("a2");
    }

    @Test
    void aDestinationMayBeOneUnit() {
        bench.change("queues.q.default-unit-of-order=on");
        Probe first = consumer(Probe.CLIENT, 1);
        Probe second = consumer(Probe.CLIENT, 10);
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, new Probe.Draft("1"), 0));
        p.expectOk(p.send(1, Q, new Probe.Draft("2"), 0));
        assertThat(first.bodies()).containsExactly("1");
        assertThat(second.bodies()).isEmpty();
        first.ack(1, 1, 1);
        assertThat(concat(first, second)).containsExactly("2");
    }

    @Test
    void aUnitsNameIsBounded() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, of("n".repeat(1024), "m"), 0));
        assertThat(p.expectRefusal(p.send(1, Q, of("n".repeat(1025), "m"), 0)).text())
                .contains(MessageView.UNIT_OF_ORDER)
                .contains("the maximum is 1024");
    }

    @Test
    void withoutUnitsBothConsumersWork() {
        Probe first = consumer(Probe.CLIENT, 1);
        Probe second = consumer(Probe.CLIENT, 10);
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, new Probe.Draft("1"), 0));
        p.expectOk(p.send(1, Q, new Probe.Draft("2"), 0));
        assertThat(first.bodies()).containsExactly("1");
        assertThat(second.bodies()).containsExactly("2");
    }

    @Test
    void movesOfAUnitsMessagesFreeThoseBehind() {
        Probe first = consumer(Probe.CLIENT, 1);
        send("a1", "a2", "a3");
        assertThat(first.bodies()).containsExactly("a1");
        bench.loops.settle();
        var done = bench.admin().delete("queue/q", null, 1, java.time.Duration.ofMinutes(1));
        bench.loops.settle();
        assertThat(done.join().count()).isOne();
        first.ack(1, 1, 1);
        first.credit(1, 1, 1000);
        assertThat(first.bodies()).containsExactly("a3");
    }
}
