package io.weir.cluster.state;

/** Proposals to bytes and back: what stands in the log. Versioned; big-endian; bounded by {@link Limits}. */
public final class CommandCodec {
    private CommandCodec() {}

    public static byte[] encode(Proposal proposal) {
        throw new UnsupportedOperationException(proposal.by());
    }

    /**
     * Back from bytes.
     *
     * @throws IllegalArgumentException when they are no proposal of a version read here, or a bound is broken
     */
    public static Proposal decode(byte[] bytes) {
        throw new IllegalArgumentException("no proposal: " + bytes.length);
    }
}
