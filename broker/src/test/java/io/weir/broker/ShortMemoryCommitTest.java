package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.report.BrokerStats;
import io.weir.broker.report.DestinationCounts;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.SendFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Direct memory ends while a commit finds the queues of what was sent in it. */
class ShortMemoryCommitTest {
    private static final DestinationName Q = Bench.queue("q");
    /** So long that what the store writes of it takes a second reservation. */
    private static final DestinationName R = Bench.queue("r".repeat(64));

    private static final DestinationName T = Bench.topic("t");
    private static final int PLAIN = 1;
    private static final int TRANSACTED = 2;

    private StoredBench stored = new StoredBench();
    private final EndingMemory memory = new EndingMemory();

    @AfterEach
    void close() {
        stored.close();
    }

    private Probe subscriber() {
        Probe p = stored.client(0);
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
        int open =
                p.open(PLAIN, 7, T, ClientFrames.OpenConsumer.DURABLE | ClientFrames.OpenConsumer.ASYNC, null, "all");
        stored.write();
        p.expectOk(open);
        return p;
    }

    /** What comes is consumed, and three are sent: two that the store keeps, with one that it does not between them. */
    private void fill(Probe p) {
        stored.write();
        assertThat(p.deliveries()).singleElement().satisfies(d -> {
            assertThat(d.body()).isEqualTo("order");
            p.ack(TRANSACTED, d.tag(), d.tag());
        });
        int request = 1000;
        p.sendAs(++request, TRANSACTED, R, new Probe.Draft("to r").persistent(), 0, SendFrame.TRANSACTED);
        p.expectOk(request);
        p.sendAs(++request, TRANSACTED, R, new Probe.Draft("passing"), 0, SendFrame.TRANSACTED);
        p.expectOk(request);
        p.sendAs(++request, TRANSACTED, T, new Probe.Draft("to t").persistent(), 0, SendFrame.TRANSACTED);
        p.expectOk(request);
    }

    /** @param reservations that there are for the commit, beside its frame */
    private BrokerFrames.Refused refused(Probe p, int reservations) {
        int[] commit = new int[1];
        memory.left = 1 + reservations;
        assertThatCode(() -> commit[0] = p.commit(TRANSACTED))
                .as("on their loops")
                .doesNotThrowAnyException();
        memory.left = Integer.MAX_VALUE;
        stored.write();
        return p.expectRefusal(commit[0]);
    }

    private DestinationCounts counts(String destination) {
        return stored.bench.destination(destination).counts;
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "1, 2", "2, 0", "2, 1", "2, 2"})
    void aCommitThatMemoryIsTooShortForIsRefusedWholeAndMayBeMadeAgain(int loops, int reservations) {
        stored.close();
        stored = new StoredBench(loops, "queues." + R.name() + ".jndi-name=");
        Probe subscriber = subscriber();
        stored.send(stored.client(0), Q, "order");
        long held = stored.bench.quota("server").bytes();
        Probe p = stored.bench.client();
        p.memory = memory;
        p.session(TRANSACTED, Probe.TRANSACTED);
        p.listen(TRANSACTED, 5, Q);
        fill(p);

        BrokerFrames.Refused refused = refused(p, reservations);

        assertThat(refused.code()).isEqualTo(RefusalCode.TRANSACTION_ROLLED_BACK);
        assertThat(refused.text()).contains("memory is too short", EndingMemory.ENDED, "-XX:MaxDirectMemorySize");
        assertThat(stored.bench.stats.value(BrokerStats.ROLLED_BACK, "refused")).isEqualTo(1);
        assertThat(subscriber.bodies()).as("of what was sent").isEmpty();
        assertThat(stored.drain(R)).as("of what was sent").isEmpty();
        assertThat(stored.bench.quota("server").messages())
                .as("the order alone")
                .isEqualTo(1);
        assertThat(stored.bench.quota("server").bytes()).isEqualTo(held);
        assertThat(memory.held).as("buffers").isZero();
        for (String d : new String[] {R.toString(), T.toString()}) {
            assertThat(counts(d).messages.current()).as(d).isZero();
            assertThat(counts(d).uncommittedMessages).as(d).hasValue(0);
        }
        assertThat(stored.bench.q().entries().current()).isEqualTo(1);

        // what was consumed comes again, to the same session, which makes the same once more
        fill(p);
        int commit = p.commit(TRANSACTED);
        stored.write();
        p.expectOk(commit);
        assertThat(stored.bench.q().entries().current()).isZero();
        assertThat(subscriber.bodies()).containsExactly("to t");
        subscriber.lose();
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
        assertThat(stored.drain(R)).containsExactly("to r");
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "1, 2", "2, 0", "2, 1", "2, 2"})
    void nothingOfItIsFoundByTheNextStart(int loops, int reservations) {
        stored.close();
        stored = new StoredBench(loops, "queues." + R.name() + ".jndi-name=");
        subscriber().lose();
        stored.send(stored.client(0), Q, "order");
        Probe p = stored.bench.client();
        p.memory = memory;
        p.session(TRANSACTED, Probe.TRANSACTED);
        p.listen(TRANSACTED, 5, Q);
        fill(p);
        refused(p, reservations);
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("order!");
        assertThat(stored.drain(R)).isEmpty();
        assertThat(subscriber().bodies()).isEmpty();
    }

    @Test
    void aSendThatMemoryIsTooShortForTakesNoRoomOnceItsConnectionIsGone() {
        Probe p = stored.bench.client();
        p.memory = memory;
        p.session(TRANSACTED, Probe.TRANSACTED);
        memory.left = 1;
        // the server closes a connection on which this happens
        assertThatThrownBy(() -> p.sendTransacted(TRANSACTED, Q, "lost")).isInstanceOf(OutOfMemoryError.class);
        p.lose();
        assertThat(counts("queue/q").uncommittedMessages).hasValue(0);
        assertThat(counts("queue/q").uncommittedBytes).hasValue(0);
        assertThat(stored.bench.quota("server").messages()).isZero();
        assertThat(stored.bench.quota("server").bytes()).isZero();
        assertThat(memory.held).as("buffers").isZero();
    }
}
