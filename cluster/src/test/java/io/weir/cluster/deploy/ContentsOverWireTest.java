package io.weir.cluster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.SystemClock;
import io.weir.cluster.kit.TestWire;
import io.weir.cluster.members.MemberLogins;
import io.weir.wire.FrameHandler;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.LoginKey;
import io.weir.wire.login.Principal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ContentsOverWireTest {
    private static final LoginKey KEY = LoginKey.of("s3cret");
    private static final Credentials ANNA = new Credentials("anna", "secret");
    private static final Credentials MEMBER = MemberLogins.credentials("b", KEY);

    @TempDir
    Path folder;

    private final WireClient client = WireClient.open();
    private final byte[] contents = new byte[200_000];
    private String sha = "";
    private ArchiveStore store;
    private ContentsServer server;
    private TestWire wire;

    @BeforeEach
    void open() throws Exception {
        Chance.seeded(7).random().nextBytes(contents);
        sha = Archive.digest(Files.write(folder.resolve("x"), contents));
        store = new ArchiveStore(folder.resolve("store"));
        store.put(sha, out -> out.write(contents));
        server = new ContentsServer(store, MemberLogins.GROUP, Log.NONE);
        wire = new TestWire(
                new MemberLogins(
                        (_, _, _) -> CompletableFuture.<@Nullable Principal>completedFuture(
                                new Principal("anna", List.of("staff"))),
                        KEY),
                server::frames);
    }

    @AfterEach
    void close() {
        wire.close();
        server.close();
        client.close();
    }

    private byte[] fetch(Credentials as, @Nullable String at, String what, Duration within) throws Exception {
        WireContents from = new WireContents(client, as, ClientOptions.DEFAULT, _ -> at, within, SystemClock.INSTANCE);
        ByteArrayOutputStream into = new ByteArrayOutputStream();
        from.fetch("a", what, contents.length, into);
        return into.toByteArray();
    }

    private byte[] fetch(Credentials as, String what) throws Exception {
        return fetch(as, wire.address(), what, Duration.ofSeconds(20));
    }

    @Test
    void anArchiveOfSeveralFramesArrivesWhole() throws Exception {
        assertThat(fetch(MEMBER, sha)).isEqualTo(contents);
    }

    @Test
    void whatTheMemberHasNotItSays() {
        assertThatThrownBy(() -> fetch(MEMBER, "0".repeat(64)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it does not have them");
    }

    @Test
    void whoIsNoMemberGetsNothing() {
        assertThatThrownBy(() -> fetch(ANNA, sha))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("for members only");
    }

    @Test
    void aMemberWithoutAnAddressOrWithoutAListenerCannotBeReached() {
        assertThatThrownBy(() -> fetch(MEMBER, null, sha, Duration.ofSeconds(20)))
                .hasMessageContaining("its address is not known");
        TestWire gone = new TestWire((_, _, _) -> CompletableFuture.completedFuture(null), server::frames);
        gone.close();
        String before = gone.address();
        assertThatThrownBy(() -> fetch(MEMBER, before, sha, Duration.ofSeconds(20)))
                .hasMessageContaining("it is unreachable");
    }

    @Test
    void aMemberThatDoesNotAnswerIsGivenUp() {
        FrameHandler silent = new FrameHandler() {
            @Override
            public void frame(int type, int stream, ByteBuf payload) {
                // says nothing
            }

            @Override
            public void closed(@Nullable Throwable cause) {
                // nor then
            }
        };
        try (TestWire dumb = new TestWire(
                (_, _, _) -> CompletableFuture.<@Nullable Principal>completedFuture(new Principal("x", List.of())),
                _ -> silent)) {
            assertThatThrownBy(() ->
                            fetch(MemberLogins.credentials("b", null), dumb.address(), sha, Duration.ofMillis(300)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("within 300 ms");
        }
    }
}
