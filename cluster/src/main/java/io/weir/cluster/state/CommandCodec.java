package io.weir.cluster.state;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Command;

/**
 * Encodes and decodes proposals, the log's entries. Versioned; big-endian; bounded by {@link StateLimits}. A member
 * refuses unsupported versions, so a new version may be proposed only once every member supports it.
 */
public final class CommandCodec {
    private static final int VERSION = 1;

    private CommandCodec() {}

    /**
     * Encodes a proposal.
     *
     * @throws IllegalArgumentException if a limit of {@link StateLimits} is exceeded; the message says which
     */
    public static byte[] encode(Proposal proposal) {
        BytesOut out =
                new BytesOut().u8(VERSION).text(proposal.by(), StateLimits.NAME).i64(proposal.atMillis());
        CommandKind.write(out, proposal.command());
        return out.bytes();
    }

    /**
     * Decodes a proposal.
     *
     * @throws IllegalArgumentException if the bytes are not a proposal of a supported version, or a limit is exceeded
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
