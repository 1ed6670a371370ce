package io.weir.cluster.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.kit.TestWire;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.members.MembersMessage.Done;
import io.weir.cluster.members.MembersMessage.Form;
import io.weir.cluster.members.MembersMessage.Introduce;
import io.weir.cluster.members.MembersMessage.Invite;
import io.weir.cluster.members.MembersMessage.Join;
import io.weir.cluster.members.MembersMessage.Outcome;
import io.weir.cluster.ratis.RatisPeer;
import io.weir.cluster.stats.ClusterStats;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.LoginKey;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who is believed to be whom between members. */
@Tag("slow")
final class MembersHandlerTest {
    private static final LoginKey KEY = LoginKey.of("a secret");
    private static final LoginKey ANOTHER = LoginKey.of("another secret");
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final Done HEARD = new Done(Outcome.DONE, "heard");

    private final Stats stats = new Stats();
    private final ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1));
    private final TestWire wire = new TestWire(
            new MemberLogins((_, _, _) -> CompletableFuture.completedFuture(null), KEY),
            connection -> new MembersHandler(
                    connection,
                    _ -> CompletableFuture.completedFuture(HEARD),
                    stats.counter(ClusterStats.INTRODUCTIONS, "refused")));
    private final MembersLine beta =
            new MembersLine(WireClient.open(), MemberLogins.credentials("beta", KEY), ClientOptions.DEFAULT, loop);

    @AfterEach
    void close() {
        beta.close();
        loop.close();
        wire.close();
    }

    private static Introduction of(String name) {
        RatisPeer voter = new RatisPeer(name, new UUID(3, 4), "127.0.0.1", 1, false);
        return new Introduction("weir", voter, "127.0.0.1:1", null, null, List.of());
    }

    private MembersMessage ask(MembersMessage question) throws Exception {
        return beta.request(wire.address(), question, 10).get(3, TimeUnit.MINUTES);
    }

    @Test
    void theSecretItselfIsNotTakenAndNoOtherIsProved() {
        for (Credentials wrong : List.of(
                new Credentials("member:beta", "a secret"),
                new Credentials("member:beta", ""),
                MemberLogins.credentials("beta", null),
                MemberLogins.credentials("beta", ANOTHER))) {
            try (MembersLine line = new MembersLine(WireClient.open(), wrong, ClientOptions.DEFAULT, loop)) {
                assertThat(line.request(wire.address(), new Invite(CLUSTER), 10))
                        .failsWithin(20, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withMessageContaining("secret");
            }
        }
    }

    @Test
    void whoSpeaksUnderTheNameOfItsLoginIsHeard() throws Exception {
        assertThat(ask(new Introduce(of("beta")))).isEqualTo(HEARD);
        assertThat(ask(new Join(of("beta")))).isEqualTo(HEARD);
        assertThat(ask(new Form("beta", CLUSTER, List.of()))).isEqualTo(HEARD);
        assertThat(ask(new Invite(CLUSTER))).isEqualTo(HEARD);
        assertThat(stats.sum(ClusterStats.INTRODUCTIONS)).isZero();
    }

    @Test
    void whoSpeaksUnderAnotherNameIsRefusedAndCounted() throws Exception {
        Done refused = new Done(Outcome.REFUSED, "member:beta is logged in but sent a message as alpha");
        assertThat(ask(new Introduce(of("alpha")))).isEqualTo(refused);
        assertThat(ask(new Join(of("alpha")))).isEqualTo(refused);
        assertThat(ask(new Form("alpha", CLUSTER, List.of()))).isEqualTo(refused);
        assertThat(stats.value(ClusterStats.INTRODUCTIONS, "refused")).isEqualTo(3);
    }
}
