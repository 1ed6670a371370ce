package io.weir.cluster.state;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Command;

/**
 * Proposals to bytes and back: what stands in the log. Versioned; big-endian; bounded by {@link StateLimits}. A version that a
 * member does not read is refused by it, so a newer one may be proposed only once every member reads it.
 */
public final class CommandCodec {
    private static final int VERSION = 1;

    private CommandCodec() {}

    /**
     * To bytes.
     *
     * @throws IllegalArgumentException when a bound of {@link StateLimits} is broken, saying which
     */
    public static byte[] encode(Proposal proposal) {
        BytesOut out =
                new BytesOut().u8(VERSION).text(proposal.by(), StateLimits.NAME).i64(proposal.atMillis());
        CommandKind.write(out, proposal.command());
        return out.bytes();
    }

    /**
     * Back from bytes.
     *
     * @throws IllegalArgumentException when they are no proposal of a version read here, or a bound is broken
     */
    public static Proposal decode(byte[] bytes) {
        BytesIn in = new BytesIn(bytes);
        int version = in.u8();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "a proposal of version " + version + ", and this program reads " + VERSION);
        }
        String by = in.text(StateLimits.NAME);
        long at = in.i64();
        Command command = CommandKind.read(in);
        in.end();
        return new Proposal(command, by, at);
    }
}
