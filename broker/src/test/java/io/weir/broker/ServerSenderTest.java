package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.BrokerAdmin.Stage;
import io.weir.broker.admin.MessageSummary;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ServerSenderTest {
    private final Bench bench = new Bench("quotas.one.messages-maximum=1", "queues.small.quota=one");
    private final BrokerAdmin admin = bench.admin();
    private final ServerSender sender = new ServerSender(bench.engine);

    @AfterEach
    void close() {
        bench.close();
    }

    private <T> T done(CompletableFuture<T> answer) {
        bench.loops.settle();
        return answer.join();
    }

    @Test
    void aTextArrivesWithItsPropertiesAndAnIdOfItsOwn() {
        done(sender.send("queue/q", "tick", Map.of("timer", "night", "scheduled", 1000L), () -> true));
        done(sender.send("queue/q", "tock", Map.of("timer", "day", "scheduled", 2000L), () -> true));
        List<MessageSummary> night = done(admin.browse("queue/q", "timer = 'night' and scheduled = 1000", 0, 10));
        assertThat(night).singleElement().satisfies(m -> {
            assertThat(m.text()).isEqualTo("tick");
            assertThat(m.timestamp()).isEqualTo(bench.clock().millis());
            assertThat(m.priority()).isEqualTo(4);
        });
        assertThat(done(admin.browse("queue/q", null, 0, 10)))
                .extracting(MessageSummary::id)
                .doesNotHaveDuplicates()
                .doesNotContainNull();
    }

    @Test
    void whatWouldBeRefusedToAnybodyIsRefusedToTheServerToo() throws Exception {
        assertThatThrownBy(() -> done(sender.send("queue/none", "x", Map.of(), () -> true)))
                .hasMessageContaining("there is no destination queue/none");
        done(sender.send("queue/small", "first", Map.of(), () -> true));
        assertThatThrownBy(() -> done(sender.send("queue/small", "second", Map.of(), () -> true)))
                .hasMessageContaining("no room for queue/small in quota one");
        admin.pause("queue/q", Stage.PRODUCTION, true);
        bench.loops.settle();
        assertThatThrownBy(() -> done(sender.send("queue/q", "x", Map.of(), () -> true)))
                .hasMessageContaining("is paused");
    }

    /** Its sender lost what it sends under while the message was on its way to the destination's loop. */
    @Test
    void whatIsNotPermittedWhenItIsToBeAppendedIsNotAndTakesNoRoom() {
        AtomicBoolean held = new AtomicBoolean(true);
        CompletableFuture<Void> late = sender.send("queue/small", "late", Map.of(), held::get);
        held.set(false);
        assertThatThrownBy(() -> done(late)).isInstanceOf(CancellationException.class);
        assertThat(done(admin.browse("queue/small", null, 0, 10))).isEmpty();
        done(sender.send("queue/small", "first", Map.of(), () -> true));
    }
}
