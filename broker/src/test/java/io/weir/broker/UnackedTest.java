package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.session.Unacked;
import io.weir.jms.frames.MessageView;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnackedTest {
    private final Bench bench = new Bench();
    private final ByteBuf block = Unpooled.buffer();
    private final Unacked unacked = new Unacked();

    UnackedTest() {
        Probe.block(block, new Probe.Draft("x"));
    }

    @AfterEach
    void close() {
        block.release();
        bench.close();
    }

    private QueueEntry entry() {
        return new QueueEntry(bench.q(), new Message(block, new MessageView().wrap(block), 0), 0);
    }

    @Test
    void aClientThatAcknowledgesAllButItsOldestMakesItNoLarger() {
        QueueEntry oldest = entry();
        unacked.add(oldest);
        for (int i = 0; i < 100_000; i++) {
            QueueEntry e = entry();
            assertThat(unacked.remove(unacked.add(e))).isSameAs(e);
        }
        assertThat(unacked.capacity()).isLessThanOrEqualTo(1024);
        assertThat(unacked.size()).isEqualTo(1);
        assertThat(unacked.oldest()).isEqualTo(1);
        assertThat(unacked.first(1, 100_001)).isSameAs(oldest);
        assertThat(unacked.removeAll()).containsExactly(oldest);
    }

    @Test
    void itKeepsWhatAMapWouldKeep() {
        RandomGenerator random = Chance.seeded(7).random();
        TreeMap<Long, QueueEntry> map = new TreeMap<>();
        for (int i = 0; i < 50_000; i++) {
            int what = random.nextInt(100);
            if (what < 50) {
                QueueEntry e = entry();
                map.put(unacked.add(e), e);
            } else if (what < 52) {
                unacked.skip();
            } else if (what < 98 || map.size() < 2_000) {
                // mostly the latest are acknowledged, so that old ones are left behind
                long tag = Math.max(1, unacked.newest() - random.nextInt(random.nextInt(50) == 0 ? 60_000 : 40));
                assertThat(unacked.remove(tag)).isSameAs(map.remove(tag));
            } else {
                assertThat(unacked.removeAll()).containsExactlyElementsOf(map.values());
                map.clear();
            }
            assertThat(unacked.size()).isEqualTo(map.size());
            compare(map, random.nextLong(unacked.newest() + 2), random.nextInt(1000));
            assertThat(unacked.capacity()).isLessThanOrEqualTo(1024 + 9 * 2_000);
        }
        List<QueueEntry> walked = new ArrayList<>();
        long last = unacked.newest();
        for (QueueEntry e = unacked.first(0, last); e != null; e = unacked.first(e.tag + 1, last)) {
            walked.add(e);
        }
        assertThat(walked).containsExactlyElementsOf(map.values());
        assertThat(unacked.removeAll()).containsExactlyElementsOf(map.values());
    }

    private void compare(NavigableMap<Long, QueueEntry> map, long from, int width) {
        var expected = map.ceilingEntry(from);
        assertThat(unacked.first(from, from + width))
                .isSameAs(expected == null || expected.getKey() > from + width ? null : expected.getValue());
        assertThat(unacked.get(from)).isSameAs(map.get(from));
    }
}
