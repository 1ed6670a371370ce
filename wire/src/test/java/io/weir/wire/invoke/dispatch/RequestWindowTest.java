package io.weir.wire.invoke.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.weir.base.Fence;
import io.weir.wire.invoke.CallHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestWindowTest {
    private static final RequestWindow.Origin ANNA = new RequestWindow.Origin("anna", 1);

    private final RequestWindow window = new RequestWindow(3);
    private final List<Reply> answers = new ArrayList<>();

    private RequestWindow.Known begin(RequestWindow.Origin origin, long request, long settled, boolean resent) {
        CallHead head = new CallHead(origin.number(), request, settled, resent, 1000, "s", Fence.NONE, 1, 2);
        return window.begin(origin, head, answers::add);
    }

    private RequestWindow.Entry begun(long request, long settled) {
        if (begin(ANNA, request, settled, false) instanceof RequestWindow.New n) {
            return n.entry();
        }
        throw new AssertionError("not new");
    }

    private static Reply reply(int size) {
        return Reply.result(Unpooled.wrappedBuffer(new byte[size]));
    }

    @Test
    void aRequestThatRunsIsJoinedAndBothAreAnswered() {
        RequestWindow.Entry first = begun(1, 1);
        assertThat(begin(ANNA, 1, 1, true)).isEqualTo(new RequestWindow.Running());
        Reply reply = reply(5);
        window.answered(first, reply);
        assertThat(answers).containsExactly(reply, reply);
        assertThat(begin(ANNA, 1, 1, true)).isEqualTo(new RequestWindow.Answered(reply));
    }

    @Test
    void whatWasNotExecutedMayComeAgain() {
        RequestWindow.Entry first = begun(1, 1);
        window.refused(first, reply(1));
        assertThat(answers).hasSize(1);
        assertThat(begin(ANNA, 1, 1, true)).isInstanceOf(RequestWindow.New.class);
    }

    @Test
    void settledAnswersGoAndAStragglerOfThemIsNotExecuted() {
        window.answered(begun(1, 1), reply(5));
        window.answered(begun(2, 2), reply(5));
        assertThat(window.remembered()).isEqualTo(1);
        assertThat(begin(ANNA, 1, 2, false)).isEqualTo(new RequestWindow.Forgotten());
    }

    @Test
    void theOldestAnswersGoWhenThereAreTooMany() {
        for (int i = 1; i <= 4; i++) {
            window.answered(begun(i, 1), reply(5));
        }
        assertThat(window.remembered()).isEqualTo(3);
        assertThat(begin(ANNA, 1, 1, true)).isEqualTo(new RequestWindow.Forgotten());
        assertThat(begin(ANNA, 2, 1, true)).isInstanceOf(RequestWindow.Answered.class);
        assertThat(window.known()).containsEntry(ANNA, 3);
    }

    @Test
    void anAnswerThatIsTooLongIsToldOnceAndThenCalledForgotten() {
        Reply big = reply(RequestWindow.LONGEST_KEPT + 1);
        window.answered(begun(1, 1), big);
        assertThat(answers).containsExactly(big);
        assertThat(begin(ANNA, 1, 1, true))
                .isInstanceOfSatisfying(
                        RequestWindow.Answered.class,
                        a -> assertThat(a.reply().outcome()).isEqualTo("repeated"));
    }

    @Test
    void nobodyGetsTheAnswersOfAnothersRequests() {
        window.answered(begun(1, 1), reply(5));
        RequestWindow.Origin bert = new RequestWindow.Origin("bert", ANNA.number());
        assertThat(begin(bert, 1, 1, true)).isInstanceOf(RequestWindow.New.class);
    }

    @Test
    void onceACallerWasForgottenUnknownRepetitionsAreNotExecuted() {
        for (int i = 0; i <= RequestWindow.MOST_ORIGINS; i++) {
            RequestWindow.Origin o = new RequestWindow.Origin("o", i);
            if (begin(o, 1, 1, false) instanceof RequestWindow.New n) {
                window.answered(n.entry(), reply(0));
            }
        }
        assertThat(window.known()).hasSize(RequestWindow.MOST_ORIGINS);
        assertThat(begin(new RequestWindow.Origin("o", 0), 1, 1, true)).isEqualTo(new RequestWindow.Forgotten());
        assertThat(begin(new RequestWindow.Origin("new", 0), 1, 1, false)).isInstanceOf(RequestWindow.New.class);
    }
}
