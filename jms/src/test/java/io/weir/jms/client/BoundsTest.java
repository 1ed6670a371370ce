package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.weir.jms.client.consumer.ClientConsumer;
import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.ConsumedIds;
import io.weir.jms.client.delivery.Delivery;
import io.weir.jms.client.delivery.Inbox;
import io.weir.jms.client.delivery.TagRanges;
import io.weir.jms.client.link.JMSFailure;
import io.weir.jms.client.link.Pending;
import io.weir.jms.client.link.Requests;
import io.weir.jms.client.link.Runtimes;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirMessage;
import io.weir.jms.message.WeirQueue;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The client's own limits, its small parts, and what a message costs. */
class BoundsTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private static final class Ended extends Pending {
        int ends;

        @Override
        public void ok(ByteBuf payload) {
            ends++;
        }

        @Override
        public void refused(RefusalCode code, String text) {
            ends++;
        }

        @Override
        public void lost(JMSFailure why) {
            ends++;
        }
    }

    @Test
    void oneRequestTooManyIsRefusedAndAPlaceThatIsFreeIsUsedAgain() throws Exception {
        Requests requests = new Requests();
        List<Ended> all = new ArrayList<>();
        for (int i = 0; i < Requests.MOST; i++) {
            Ended e = new Ended();
            requests.add(e);
            all.add(e);
        }
        assertThatThrownBy(() -> requests.add(new Ended())).isInstanceOf(ResourceAllocationException.class);
        Ended first = all.getFirst();
        assertThat(requests.take(first.request)).isSameAs(first);
        assertThat(requests.take(first.request)).isNull();
        requests.add(new Ended());
    }

    @Test
    void aLossEndsEveryRequestOnceAndThoseThatComeLater() throws Exception {
        Requests requests = new Requests();
        Ended before = new Ended();
        requests.add(before);
        requests.fail(new JMSFailure(null));
        Ended after = new Ended();
        requests.add(after);
        assertThat(before.ends).isEqualTo(1);
        assertThat(after.ends).isEqualTo(1);
    }

    @Test
    void rangesOfTagsKeepGapsAndAreTakenUpToATag() {
        TagRanges ranges = new TagRanges();
        for (long tag : new long[] {1, 2, 3, 5, 6, 9}) {
            ranges.add(tag);
        }
        assertThat(ranges.take(5)).containsExactly(1, 3, 5, 5);
        assertThat(ranges.take(Long.MAX_VALUE)).containsExactly(6, 6, 9, 9);
        assertThat(ranges.take(Long.MAX_VALUE)).isEmpty();
        for (long tag = 100; tag < 200; tag += 2) {
            ranges.add(tag);
        }
        assertThat(ranges.take(Long.MAX_VALUE)).hasSize(100);
    }

    @Test
    void anInboxLosesNothingAndKeepsTheOrderOfEachThatAdds() throws Exception {
        Inbox inbox = new Inbox();
        int each = 20_000;
        List<Thread> adding = new ArrayList<>();
        FakeBroker broker = new FakeBroker();
        try (ClientConnection c = Clients.connect(broker)) {
            SessionCore core = ((ClientSession) c.createSession()).core();
            Attachment where = core.link();
            ClientConsumer[] from = new ClientConsumer[2];
            for (int i = 0; i < 2; i++) {
                from[i] = new ClientConsumer(core.consumers(), new ClientConsumer.Spec(DEMO, null, 0, null));
                ClientConsumer consumer = from[i];
                adding.add(Thread.ofPlatform().start(() -> {
                    for (int n = 1; n <= each; n++) {
                        inbox.add(
                                new Delivery(where, consumer, n, ConsumedIds.Id.NONE, false, 0, 0, new WeirMessage()));
                    }
                }));
            }
            long[] last = new long[2];
            for (int n = 0; n < 2 * each; ) {
                Delivery d = inbox.poll();
                if (d != null) {
                    int i = d.consumer.equals(from[0]) ? 0 : 1;
                    assertThat(d.tag).isEqualTo(last[i] + 1);
                    last[i] = d.tag;
                    n++;
                }
            }
            assertThat(inbox.poll()).isNull();
            assertThat(inbox.isEmpty()).isTrue();
            for (Thread t : adding) {
                t.join();
            }
        }
        broker.close();
    }

    @Test
    void whatOneInboxGaveCanGoToAnother() throws Exception {
        FakeBroker broker = new FakeBroker();
        try (ClientConnection c = Clients.connect(broker)) {
            SessionCore core = ((ClientSession) c.createSession()).core();
            Attachment where = core.link();
            ClientConsumer consumer =
                    new ClientConsumer(core.consumers(), new ClientConsumer.Spec(DEMO, null, 0, null));
            Inbox one = new Inbox();
            Inbox other = new Inbox();
            for (int tag = 1; tag <= 3; tag++) {
                one.add(new Delivery(where, consumer, tag, ConsumedIds.Id.NONE, false, 0, 0, new WeirMessage()));
            }
            for (Delivery d = one.poll(); d != null; d = one.poll()) {
                other.add(d);
            }
            List<Long> tags = new ArrayList<>();
            for (Delivery d = other.poll(); d != null; d = other.poll()) {
                tags.add(d.tag);
            }
            assertThat(tags).containsExactly(1L, 2L, 3L);
        } finally {
            broker.close();
        }
    }

    @Test
    void oneWaySendsWaitWhileTheServerDoesNotRead() throws Exception {
        FakeBroker broker = new FakeBroker();
        try (ClientConnection c = Clients.connect(
                broker, "one-way-send-mode=enabled", "one-way-send-window-size=1000000", "maximum-message-size=1MiB")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            BytesMessage m = s.createBytesMessage();
            m.writeBytes(new byte[512 * 1024]);
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger sent = new AtomicInteger();
            CompletableFuture<Void> blocked = new CompletableFuture<>();
            Thread.ofPlatform()
                    .start(() -> broker.run(() -> {
                        blocked.complete(null);
                        await(go);
                    }));
            blocked.get(3, TimeUnit.MINUTES);
            Thread sender = Thread.ofPlatform()
                    .start(() -> Runtimes.run(() -> {
                        for (int i = 0; i < 100; i++) {
                            p.send(m);
                            sent.incrementAndGet();
                        }
                    }));
            FakeBroker.await("the sender to wait", () -> sender.getState() == Thread.State.TIMED_WAITING);
            assertThat(sent.get()).isLessThan(100);
            go.countDown();
            sender.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(sent.get()).isEqualTo(100);
            FakeBroker.await("all to arrive", () -> broker.count(FrameType.SEND) == 100);
        } finally {
            broker.close();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aOneWaySendOfAKilobyteMakesLittleGarbage() throws Exception {
        FakeBroker broker = new FakeBroker();
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        // Tracking every buffer would be most of what is measured.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try (ClientConnection c =
                Clients.connect(broker, "one-way-send-mode=enabled", "one-way-send-window-size=1000000")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            BytesMessage m = s.createBytesMessage();
            m.writeBytes(new byte[1024]);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 500; i++) {
                    p.send(m);
                }
                least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / 500);
            }
            assertThat(least).isLessThanOrEqualTo(200);
        } finally {
            ResourceLeakDetector.setLevel(level);
            broker.close();
        }
    }

    @Test
    void aSessionThatFailsToOpenLeavesNoTrace() throws Exception {
        FakeBroker broker = new FakeBroker();
        try (ClientConnection c = Clients.connect(broker)) {
            broker.refuse(FrameType.OPEN_SESSION, RefusalCode.RESOURCE_ALLOCATION, "too many sessions");
            assertThatThrownBy(c::createSession).isInstanceOf(ResourceAllocationException.class);
            assertThat(c.createSession().getTransacted()).isFalse();
        } catch (JMSException e) {
            throw new AssertionError(e);
        } finally {
            broker.close();
        }
    }
}
