package io.weir.cluster.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.cluster.members.MembersMessage.Change;
import io.weir.cluster.members.MembersMessage.Done;
import io.weir.cluster.members.MembersMessage.Form;
import io.weir.cluster.members.MembersMessage.Introduce;
import io.weir.cluster.members.MembersMessage.Introduced;
import io.weir.cluster.members.MembersMessage.Invite;
import io.weir.cluster.members.MembersMessage.Join;
import io.weir.cluster.members.MembersMessage.Outcome;
import io.weir.cluster.members.MembersMessage.What;
import io.weir.cluster.ratis.RatisPeer;
import io.weir.wire.WireFault;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The members' frames as bytes, also those that nobody should send. */
final class MembersCodecTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final RatisPeer ALPHA = new RatisPeer("alpha", new UUID(3, 4), "10.0.0.1", 40001, false);
    private static final RatisPeer VOTE = new RatisPeer("vote", new UUID(5, 6), "::1", 40002, true);
    private static final Introduction SELF =
            new Introduction("weir", ALPHA, "10.0.0.1:7001", CLUSTER, "vote", List.of("alpha", "vote"));
    private static final List<MembersMessage> ALL = List.of(
            new Introduce(SELF),
            new Introduced(new Introduction("weir", VOTE, "[::1]:7001", null, null, List.of())),
            new Join(SELF),
            new Form("alpha", CLUSTER, List.of(ALPHA, VOTE)),
            new Invite(CLUSTER),
            new Change(What.REPLACE, "alpha", "10.0.0.3:7001"),
            new Done(Outcome.LATER, "vote leads"));

    @Test
    void whatIsWrittenIsRead() {
        for (MembersMessage message : ALL) {
            ByteBuf bytes = Unpooled.buffer();
            MembersCodec.write(bytes, message);
            assertThat(MembersCodec.read(MembersCodec.type(message), bytes)).isEqualTo(message);
        }
    }

    @Test
    void cutAndChangedFramesAreMalformedAndNothingWorse() {
        RandomGenerator chance = Chance.seeded(40_730).random();
        for (int i = 0; i < 20_000; i++) {
            MembersMessage message = ALL.get(chance.nextInt(ALL.size()));
            ByteBuf bytes = Unpooled.buffer();
            MembersCodec.write(bytes, message);
            for (int n = chance.nextInt(4); n >= 0; n--) {
                bytes.setByte(chance.nextInt(bytes.readableBytes()), chance.nextInt(256));
            }
            bytes.writerIndex(chance.nextInt(bytes.readableBytes() + 1));
            try {
                assertThat(MembersCodec.read(MembersCodec.type(message), bytes)).isNotNull();
            } catch (WireFault e) {
                assertThat(e.reason()).isEqualTo(WireFault.Reason.MALFORMED);
            }
        }
    }

    @Test
    void aCountOfMoreMembersThanThereMayBeIsRefused() {
        ByteBuf bytes = Unpooled.buffer();
        MembersCodec.write(bytes, new Form("alpha", CLUSTER, java.util.Collections.nCopies(1001, ALPHA)));
        assertThatThrownBy(() -> MembersCodec.read(MembersFrame.FORM, bytes))
                .isInstanceOf(WireFault.class)
                .hasMessageContaining("1001 members");
    }
}
