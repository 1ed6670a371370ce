package io.weir.cluster.state;

/** Answers to bytes and back. */
public final class AnswerCodec {
    private AnswerCodec() {}

    public static byte[] encode(Answer answer) {
        throw new UnsupportedOperationException(answer.toString());
    }

    /**
     * Back from bytes.
     *
     * @throws IllegalArgumentException when they are no answer
     */
    public static Answer decode(byte[] bytes) {
        throw new IllegalArgumentException("no answer: " + bytes.length);
    }
}
