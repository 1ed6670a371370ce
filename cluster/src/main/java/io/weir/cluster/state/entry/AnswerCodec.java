package io.weir.cluster.state.entry;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;

/** Encodes and decodes answers. */
public final class AnswerCodec {
    private static final int DONE = 1;
    private static final int GRANTED = 2;
    private static final int HELD_BY = 3;
    private static final int RENEWED = 4;
    private static final int REFUSED = 5;

    private AnswerCodec() {}

    public static byte[] encode(Answer answer) {
        BytesOut out = new BytesOut();
        switch (answer) {
            case Answer.Done a -> out.u8(DONE).i64(a.index());
            case Answer.Granted a -> out.u8(GRANTED).fence(a.fence());
            case Answer.HeldBy a ->
                out.u8(HELD_BY).name(a.owner()).i64(a.incarnation()).fence(a.fence());
            case Answer.Renewed a ->
                out.u8(RENEWED).i64(a.index()).list(a.lost(), StateLimits.RENEWALS, AnswerCodec::ref);
            case Answer.Refused a -> out.u8(REFUSED).constant(a.reason()).text(a.text(), StateLimits.REASON);
        }
        return out.bytes();
    }

    /**
     * Decodes an answer.
     *
     * @throws IllegalArgumentException if the bytes are not an answer
     */
    public static Answer decode(byte[] bytes) {
        BytesIn in = new BytesIn(bytes);
        int kind = in.u8();
        Answer answer = switch (kind) {
            case DONE -> new Answer.Done(in.i64());
            case GRANTED -> new Answer.Granted(in.fence());
            case HELD_BY -> new Answer.HeldBy(in.name(), in.i64(), in.fence());
            case RENEWED -> new Answer.Renewed(in.i64(), in.list(StateLimits.RENEWALS, AnswerCodec::ref));
            case REFUSED -> new Answer.Refused(in.constant(Refusal.class), in.text(StateLimits.REASON));
            default -> throw new IllegalArgumentException("unknown answer: " + kind);
        };
        in.end();
        return answer;
    }

    public static void ref(BytesOut out, LeaseRef ref) {
        out.name(ref.lease()).fence(ref.fence());
    }

    public static LeaseRef ref(BytesIn in) {
        return new LeaseRef(in.name(), in.fence());
    }
}
