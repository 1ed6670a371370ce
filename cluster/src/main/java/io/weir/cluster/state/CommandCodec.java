package io.weir.cluster.state;

/**
 * Proposals to bytes and back: what stands in the log. Versioned; big-endian; bounded by {@link Limits}. A version that a
 * member does not read is refused by it, so a newer one may be proposed only once every member reads it.
 */
public final class CommandCodec {
    private static final int VERSION = 1;
    private static final int MEMBER = 0x10;
    private static final int LEASE = 0x20;
    private static final int SINGLETON = 0x30;
    private static final int NAMING = 0x40;
    private static final int TIMER = 0x50;
    private static final int DEPLOYMENT = 0x60;
    private static final int CHECKPOINT = 0x70;
    private static final int GROUP = 0xf0;

    private CommandCodec() {}

    /**
     * To bytes.
     *
     * @throws IllegalArgumentException when a bound of {@link Limits} is broken, saying which
     */
    public static byte[] encode(Proposal proposal) {
        BytesOut out =
                new BytesOut().u8(VERSION).text(proposal.by(), Limits.NAME).i64(proposal.atMillis());
        switch (proposal.command()) {
            case MemberCommand c -> MemberCodec.write(out, MEMBER, c);
            case LeaseCommand c -> LeaseCodec.write(out, LEASE, c);
            case SingletonCommand c -> SingletonCodec.write(out, SINGLETON, c);
            case NamingCommand c -> NamingCodec.write(out, NAMING, c);
            case TimerCommand c -> TimerCodec.write(out, TIMER, c);
            case DeploymentCommand c -> DeploymentCodec.write(out, DEPLOYMENT, c);
            case CheckpointCommand c -> CheckpointCodec.write(out, CHECKPOINT, c);
        }
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
        String by = in.text(Limits.NAME);
        long at = in.i64();
        Command command = command(in, in.u8());
        in.end();
        return new Proposal(command, by, at);
    }

    private static Command command(BytesIn in, int tag) {
        int which = tag & ~GROUP;
        return switch (tag & GROUP) {
            case MEMBER -> MemberCodec.read(in, which);
            case LEASE -> LeaseCodec.read(in, which);
            case SINGLETON -> SingletonCodec.read(in, which);
            case NAMING -> NamingCodec.read(in, which);
            case TIMER -> TimerCodec.read(in, which);
            case DEPLOYMENT -> DeploymentCodec.read(in, which);
            case CHECKPOINT -> CheckpointCodec.read(in, which);
            default -> throw unknown(tag);
        };
    }

    static IllegalArgumentException unknown(int tag) {
        return new IllegalArgumentException("no command: 0x" + Integer.toHexString(tag));
    }
}
