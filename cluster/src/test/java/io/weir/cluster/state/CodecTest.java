package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.AnswerCodec;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Commands and answers as bytes. */
class CodecTest {
    @Test
    void everyCommandComesBackAsItWas() {
        for (Command c : Samples.ALL) {
            Proposal p = new Proposal(c, "operator", 123);
            assertThat(CommandCodec.decode(CommandCodec.encode(p))).isEqualTo(p);
        }
    }

    @Test
    void everyKindOfCommandIsAmongTheSamples() {
        Set<Class<?>> kinds = new HashSet<>();
        CommandKind.ALL.forEach(k -> collect(k.type(), kinds));
        Samples.ALL.forEach(c -> kinds.remove(c.getClass()));
        assertThat(kinds).isEmpty();
    }

    private static void collect(Class<?> type, Set<Class<?>> kinds) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        if (permitted == null) {
            kinds.add(type);
        } else {
            Arrays.stream(permitted).forEach(p -> collect(p, kinds));
        }
    }

    @Test
    void everyAnswerComesBackAsItWas() {
        for (Answer a : List.of(
                new Answer.Done(7),
                new Answer.Granted(Samples.FENCE),
                new Answer.HeldBy("a", -3, Samples.FENCE),
                new Answer.Renewed(9, List.of(new LeaseRef("x", Fence.NONE))),
                new Answer.Refused(Refusal.NAME_BOUND, "bound"))) {
            assertThat(AnswerCodec.decode(AnswerCodec.encode(a))).isEqualTo(a);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> AnswerCodec.decode(new byte[] {77}));
        assertThatIllegalArgumentException().isThrownBy(() -> AnswerCodec.decode(new byte[] {1, 0}));
    }

    @Test
    void bytesThatAreCutOrTooManyAreRefusedNeverThrown() {
        for (Command c : Samples.ALL) {
            byte[] whole = CommandCodec.encode(new Proposal(c, "by", 1));
            for (int length = 0; length < whole.length; length++) {
                refusedAsMalformed(Arrays.copyOf(whole, length));
            }
            refusedAsMalformed(Arrays.copyOf(whole, whole.length + 1));
        }
    }

    @Test
    void randomBytesNeverThrow() {
        RandomGenerator r = Chance.seeded(4).random();
        for (int i = 0; i < 20_000; i++) {
            byte[] whole = CommandCodec.encode(new Proposal(Samples.ALL.get(r.nextInt(Samples.ALL.size())), "by", 1));
            for (int flips = 1 + r.nextInt(3); flips > 0; flips--) {
                whole[r.nextInt(whole.length)] = (byte) r.nextInt();
            }
            StateMachine.apply(ClusterState.EMPTY, 1, whole);
        }
    }

    @Test
    void anotherVersionIsRefusedWithItsNumber() {
        byte[] bytes = CommandCodec.encode(new Proposal(new MemberCommand.Remove("a"), "by", 1));
        bytes[0] = 9;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandCodec.decode(bytes))
                .withMessageContaining("version 9");
    }

    @Test
    void namesHaveBounds() {
        String longest = "n".repeat(StateLimits.NAME);
        CommandCodec.encode(new Proposal(new MemberCommand.Remove(longest), "by", 1));
        for (String bad : List.of(longest + "n", "", "a\nb")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CommandCodec.encode(new Proposal(new MemberCommand.Remove(bad), "by", 1)));
        }
    }

    @Test
    void attemptsAndTimesHaveBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(new SingletonCommand.Define(Samples.SPEC.attempting(-1, 1))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(new SingletonCommand.Define(Samples.SPEC.attempting(1, Long.MAX_VALUE))));
    }

    @Test
    void aTextHasABoundOfItsOwn() {
        encode(new NamingCommand.Bind("a", "l", Fence.NONE, new BindingValue.Text("ü".repeat(StateLimits.TEXT))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(new NamingCommand.Bind(
                        "a", "l", Fence.NONE, new BindingValue.Text("t".repeat(StateLimits.TEXT + 1)))));
    }

    private static byte[] encode(Command c) {
        return CommandCodec.encode(new Proposal(c, "by", 1));
    }

    private static void refusedAsMalformed(byte[] bytes) {
        Applied a = StateMachine.apply(ClusterState.EMPTY, 5, bytes);
        assertThat(a.answer())
                .isInstanceOfSatisfying(
                        Answer.Refused.class, r -> assertThat(r.reason()).isEqualTo(Refusal.MALFORMED));
        assertThat(a.after().applied()).isEqualTo(5);
    }
}
