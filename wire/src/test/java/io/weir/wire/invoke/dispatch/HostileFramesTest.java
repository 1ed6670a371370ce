package io.weir.wire.invoke.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireStats;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.invoke.CallHead;
import io.weir.wire.invoke.InvokeFrame;
import io.weir.wire.invoke.Ledger;
import io.weir.wire.invoke.Waiting;
import io.weir.wire.invoke.codec.CodecTest;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.description.MethodDescription;
import io.weir.wire.login.Credentials;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that says what no client says: the worst is the end of its own connection. */
final class HostileFramesTest {
    private static final Fence FENCE = new Fence(1, 7);

    private final Member member = new Member("one", new Member.Tree());
    private final Ledger.Kept kept = new Ledger.Kept();
    private final WireClient client = WireClient.open();

    @AfterEach
    void close() {
        client.close();
        member.close();
    }

    /** A client that counts answers. */
    private static final class Counting implements FrameHandler {
        final AtomicInteger answers = new AtomicInteger();
        final CompletableFuture<@Nullable Throwable> closed = new CompletableFuture<>();

        @Override
        public void frame(int type, int stream, ByteBuf payload) {
            answers.incrementAndGet();
        }

        @Override
        public void closed(@Nullable Throwable cause) {
            closed.complete(cause);
        }
    }

    private record End(WireConnection connection, Counting counting) {
        void send(int type, byte[] payload) {
            ByteBuf out = connection.newFrame(type, 0, payload.length);
            out.writeBytes(payload);
            connection.send(out);
        }
    }

    private End connect() {
        Counting counting = new Counting();
        WireConnection c = client.connect(
                        member.server.addresses(),
                        new Credentials("anna", "secret"),
                        ClientOptions.DEFAULT,
                        _ -> counting)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        return new End(c, counting);
    }

    private static byte[] call(long request, long type, String method, Object... arguments) {
        MethodDescription m = CodecTest.method(Ledger.class, method);
        ByteBuf out = Unpooled.buffer();
        new CallHead(99, request, 1, false, 10_000, "ledger", FENCE, type, m.id()).write(out);
        m.writeArguments(out, arguments);
        return ByteBufUtil.getBytes(out);
    }

    private static final long LEDGER = InterfaceDescription.of(Ledger.class).hash();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4711})
    void mutatedCallsNeverHarmTheServer(long seed) {
        rounds(Chance.seeded(seed));
    }

    @Test
    void mutatedCallsOfANewSeed() {
        rounds(Chance.unseeded());
    }

    private void rounds(Chance chance) {
        member.own("ledger", kept, FENCE, Ledger.class);
        RandomGenerator random = chance.random();
        for (int i = 0; i < 20; i++) {
            End end = connect();
            for (int n = 0; n < 20; n++) {
                byte[] bytes = random.nextBoolean()
                        ? call(n + 1, LEDGER, "add", 1)
                        : call(n + 1, LEDGER, "echo", (Object) new byte[] {1});
                for (int k = random.nextInt(3); k >= 0; k--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                end.send(random.nextInt(10) == 0 ? 0x60 + random.nextInt(16) : InvokeFrame.CALL.code(), bytes);
            }
            end.connection().close();
            end.counting().closed.orTimeout(10, TimeUnit.SECONDS).join();
        }
        assertThat(member.server.stats.value(WireStats.UNCAUGHT))
                .as("seed " + chance.seed())
                .isZero();
        assertThat(member.calls("internal")).as("seed " + chance.seed()).isZero();
        End end = connect();
        end.send(InvokeFrame.CALL.code(), call(1, LEDGER, "read"));
        Waiting.until(() -> end.counting().answers.get() == 1);
        end.connection().close();
    }

    @Test
    void badArgumentsAreRefusedAndTheConnectionStays() {
        member.own("ledger", kept, FENCE, Ledger.class);
        End end = connect();
        byte[] longer = Arrays.copyOf(call(1, LEDGER, "add", 1), 200);
        end.send(InvokeFrame.CALL.code(), longer);
        Waiting.until(() -> end.counting().answers.get() == 1);
        assertThat(member.calls("arguments")).isEqualTo(1);
        assertThat(kept.calls).hasValue(0);
        assertThat(end.connection().isOpen()).isTrue();
        end.connection().close();
    }

    @Test
    void anAnswerToNothingEndsTheConnection() {
        End end = connect();
        end.send(InvokeFrame.RESULT.code(), new byte[8]);
        assertThat(end.counting().closed.orTimeout(10, TimeUnit.SECONDS).join())
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(WireFault.Reason.WRONG_STATE));
    }
}
