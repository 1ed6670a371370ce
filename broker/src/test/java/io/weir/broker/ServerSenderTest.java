package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.BrokerAdmin.Stage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ServerSenderTest {
    private final Bench bench = new Bench("quotas.one.messages-maximum=1", "queues.small.quota=one");
    private final BrokerAdmin admin = new BrokerAdmin(bench.engine);
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
        done(sender.send("queue/q", "tick", Map.of("timer", "night", "scheduled", 1000L)));
        done(sender.send("queue/q", "tock", Map.of("timer", "day", "scheduled", 2000L)));
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
        assertThatThrownBy(() -> done(sender.send("queue/none", "x", Map.of())))
                .hasMessageContaining("there is no destination queue/none");
        done(sender.send("queue/small", "first", Map.of()));
        assertThatThrownBy(() -> done(sender.send("queue/small", "second", Map.of())))
                .hasMessageContaining("no room for queue/small in quota one");
        admin.pause("queue/q", Stage.PRODUCTION, true);
        bench.loops.settle();
        assertThatThrownBy(() -> done(sender.send("queue/q", "x", Map.of()))).hasMessageContaining("is paused");
    }
}
