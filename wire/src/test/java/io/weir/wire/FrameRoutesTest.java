package io.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.naming.NamingEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FrameRoutesTest {
    private final BlockingQueue<Recorder> early = new LinkedBlockingQueue<>();
    private final BlockingQueue<Recorder> late = new LinkedBlockingQueue<>();
    private final FrameRoutes routes = new FrameRoutes(List.of(
            new FrameRoutes.Route(0x20, 0x2f, true, recorded(early)),
            new FrameRoutes.Route(0x60, 0x6f, false, recorded(late))));

    private static Function<WireConnection, FrameHandler> recorded(BlockingQueue<Recorder> into) {
        return connection -> {
            Recorder r = new Recorder(connection);
            into.add(r);
            return r;
        };
    }

    private static Recorder made(BlockingQueue<Recorder> by) throws InterruptedException {
        Recorder r = by.poll(3, TimeUnit.MINUTES);
        if (r == null) {
            throw new AssertionError("no handler was made");
        }
        return r;
    }

    @Test
    void aFrameGoesToTheServiceThatHasItsType() throws InterruptedException {
        try (TestServer server = new TestServer(routes);
                WireClient client = WireClient.open()) {
            Recorder end = new Connected(client, server).handler();
            Recorder first = made(early);
            assertThat(late).as("made with the first frame for it only").isEmpty();
            end.send(0x2f, 3, "messaging");
            end.send(0x2e, 4, "more");
            assertThat(first.next()).isEqualTo(new Recorder.Seen(0x2f, 3, "messaging"));
            assertThat(first.next().payload()).isEqualTo("more");
            assertThat(late).isEmpty();
            end.connection.close();
            assertThat(first.cause()).isNull();
        }
    }

    @Test
    void everyServiceThatWasUsedHearsOfTheEnd() throws InterruptedException {
        try (TestServer server = new TestServer(new FrameRoutes(
                        List.of(new FrameRoutes.Route(0x24, 0x2f, false, recorded(late)), throwingWhenClosed())));
                WireClient client = WireClient.open()) {
            Recorder end = new Connected(client, server).handler();
            end.send(0x24, 0, "x");
            Recorder used = made(late);
            end.connection.close();
            assertThat(used.cause()).isNull();
        }
    }

    private static FrameRoutes.Route throwingWhenClosed() {
        return new FrameRoutes.Route(0x20, 0x21, true, c -> new FrameHandler() {
            @Override
            public void frame(int type, int stream, ByteBuf payload) {
                throw new AssertionError("no frame is for it");
            }

            @Override
            public void closed(@Nullable Throwable cause) {
                throw new IllegalStateException("closing fails");
            }
        });
    }

    @Test
    void aTypeThatNoServiceHasEndsTheConnection() throws InterruptedException {
        try (TestServer server = new TestServer(routes);
                WireClient client = WireClient.open()) {
            Recorder end = new Connected(client, server).handler();
            end.send(0x5f, 0, "");
            assertThat(end.cause())
                    .isInstanceOfSatisfying(
                            WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.UNKNOWN_TYPE));
            assertThat(made(early).cause()).isInstanceOf(WireFault.class);
        }
    }

    @Test
    void typesThatOverlapOrAreTheWiresOwnAreRefused() {
        Function<WireConnection, FrameHandler> any = recorded(early);
        assertThatThrownBy(() -> new FrameRoutes(List.of(
                        new FrameRoutes.Route(0x20, 0x30, true, any), new FrameRoutes.Route(0x30, 0x31, true, any))))
                .hasMessageContaining("0x30");
        assertThatThrownBy(() -> new FrameRoutes.Route(0x1f, 0x20, true, any))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FrameRoutes.Route(0x20, 0x100, true, any))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesOfAnEarlierDirectoryHideThoseOfALater() {
        Principal anna = new Principal("anna", List.of());
        NamingEntry mine = new NamingEntry("queue", "b", Map.of("of", "first"));
        NamingEntry hidden = new NamingEntry("queue", "b", Map.of("of", "second"));
        NamingEntry other = new NamingEntry("queue", "a", Map.of());
        NamingDirectory both = NamingDirectory.of(List.of(directory(mine), directory(hidden, other)));
        assertThat(both.lookup("b", anna)).isEqualTo(mine);
        assertThat(both.lookup("a", anna)).isEqualTo(other);
        assertThat(both.lookup("c", anna)).isNull();
        assertThat(both.list("", anna)).containsExactly(other, mine);
    }

    private static NamingDirectory directory(NamingEntry... entries) {
        return new NamingDirectory() {
            @Override
            public @Nullable NamingEntry lookup(String name, Principal user) {
                return List.of(entries).stream()
                        .filter(e -> e.name().equals(name))
                        .findFirst()
                        .orElse(null);
            }

            @Override
            public List<NamingEntry> list(String prefix, Principal user) {
                return List.of(entries);
            }
        };
    }
}
