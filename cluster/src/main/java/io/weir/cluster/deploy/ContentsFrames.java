package io.weir.cluster.deploy;

/**
 * The frames by which members get archives from each other; {@code docs/wire.md} describes them.
 *
 * <pre>
 * GIVE   u32 request, 32 bytes SHA-256, i64 offset, i32 most bytes wanted
 * GIVEN  u32 request, u8 status (0 here they are, 1 not on this member, 2 not now), bytes; fewer than wanted only at the end
 * </pre>
 */
public final class ContentsFrames {
    /** First type of these frames. */
    public static final int FIRST = 0x78;
    /** Last type. */
    public static final int LAST = 0x7b;

    static final int GIVE = 0x78;
    static final int GIVEN = 0x79;

    static final int HERE = 0;
    static final int NOT_HERE = 1;
    static final int NOT_NOW = 2;

    static final int SHA_BYTES = 32;
    /** Bytes of contents in a frame, at most. */
    static final int CHUNK = 64 * 1024;
    /** Bytes of a frame beside the contents, at most. */
    static final int HEAD = 64;

    private ContentsFrames() {}
}
