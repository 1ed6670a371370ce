package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.Provenance;
import io.weir.jms.frames.RefusalCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What moved messages say, whatever their clients say; and moves where the journal takes small groups only. */
class MovedTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName ERRORS = Bench.queue("errors");
    private static final int MESSAGES = 200;

    private @Nullable StoredBench stored;

    @AfterEach
    void close() {
        bench().close();
    }

    private StoredBench bench(String... settings) {
        StoredBench b = stored;
        if (b == null) {
            List<String> all = new ArrayList<>(List.of(settings));
            all.add("queues.errors.jndi-name=");
            b = new StoredBench(all.toArray(String[]::new));
            stored = b;
        }
        return b;
    }

    private BrokerAdmin.Done move() {
        CompletableFuture<BrokerAdmin.Done> done =
                bench().bench.admin().move("queue/q", "queue/errors", null, Long.MAX_VALUE, Duration.ofDays(1));
        bench().write();
        return done.join();
    }

    /** What is delivered of a queue to a new client. */
    private List<ByteBuf> blocks(DestinationName queue) {
        Probe p = bench().client(0);
        p.listen(1, 5, queue);
        bench().write();
        List<ByteBuf> frames = p.frames(FrameType.DELIVER);
        frames.forEach(f -> new DeliverFrame().read(f));
        return frames;
    }

    private static @Nullable Object property(ByteBuf block, String name) {
        return new MessageView().wrap(block).check().property(name);
    }

    @Test
    void whatAClientClaimsIsNotKept() {
        Probe sender = bench().client(0);
        Probe.Draft forged = new Probe.Draft("forged")
                .persistent()
                .property(Provenance.ORIGIN, "queue/elsewhere")
                .property("colour", "blue")
                .property(Provenance.REASON, "expired");
        bench().send(sender, Q, forged);
        ByteBuf sent = blocks(Q).getFirst();
        assertThat(property(sent, Provenance.ORIGIN)).isNull();
        assertThat(property(sent, Provenance.REASON)).isNull();
        assertThat(property(sent, "colour")).isEqualTo("blue");
    }

    @Test
    void whatAClientClaimsDoesNotBecomeTheOrigin() {
        Probe sender = bench().client(0);
        bench().send(sender, Q, new Probe.Draft("forged").persistent().property(Provenance.ORIGIN, "queue/elsewhere"));
        assertThat(move().count()).isEqualTo(1);
        ByteBuf moved = blocks(ERRORS).getFirst();
        assertThat(property(moved, Provenance.ORIGIN)).isEqualTo("queue/q");
        assertThat(property(moved, Provenance.FROM)).isEqualTo("queue/q");
        assertThat(property(moved, Provenance.REASON)).isEqualTo("moved");
        assertThat(property(moved, Provenance.DELIVERY_COUNT)).isEqualTo(0);
        assertThat(property(moved, Provenance.TIME))
                .isEqualTo(bench().bench.clock().millis());
    }

    /** Of the message with what was said of it, the largest that is taken, only the message counts. */
    @Test
    void whatIsSentOnAsItCameIsAsLargeAsItWas() {
        Probe sender = bench().client(0);
        bench().send(sender, Q, "m");
        int size = blocks(Q).getFirst().readableBytes();
        bench().bench.change("queues.errors.maximum-message-size=" + size);
        Probe.Draft back = new Probe.Draft("m")
                .persistent()
                .property(Provenance.ORIGIN, "queue/q")
                .property(Provenance.TIME, 1L);
        bench().send(sender, ERRORS, back);
        assertThat(property(blocks(ERRORS).getFirst(), Provenance.ORIGIN)).isNull();
        int larger = sender.send(1, ERRORS, new Probe.Draft("mm").persistent());
        assertThat(sender.expectRefusal(larger).code()).isEqualTo(RefusalCode.MESSAGE_TOO_LARGE);
    }

    @Test
    void smallGroupsTakeManySmallMessages() {
        Probe sender = bench("journal.max-group-size=8KiB").client(0);
        Set<String> sent = new TreeSet<>();
        for (int i = 0; i < MESSAGES; i++) {
            bench().send(sender, Q, "m" + i);
            sent.add("m" + i);
        }
        BrokerAdmin.Done done = move();
        assertThat(done.stopped()).isNull();
        assertThat(done.complete()).isTrue();
        assertThat(done.count()).isEqualTo(MESSAGES);
        assertThat(new TreeSet<>(bench().drain(ERRORS))).isEqualTo(sent);
    }

    @Test
    void smallGroupsTakeLargeMessagesBesideSmallOnes() {
        Probe sender = bench("journal.max-group-size=8KiB").client(0);
        for (int i = 0; i < 10; i++) {
            bench().send(sender, Q, "a", "b", "c".repeat(6_000), "d", "e".repeat(7_800));
        }
        BrokerAdmin.Done done = move();
        assertThat(done.stopped()).isNull();
        assertThat(done.count()).isEqualTo(50);
        List<ByteBuf> moved = blocks(ERRORS);
        assertThat(moved).hasSize(50);
        for (ByteBuf block : moved) {
            // what the journal takes with them has them, and the largest goes without
            boolean largest = block.readableBytes() > 7_500;
            assertThat(property(block, Provenance.ORIGIN)).isEqualTo(largest ? null : "queue/q");
        }
    }
}
