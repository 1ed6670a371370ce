package io.weir.cluster.deploy;

/**
 * The frames with which members fetch archives from each other; see {@code docs/wire.md}.
 *
 * <pre>
 * GIVE   u32 request, 32 bytes SHA-256, i64 offset, i32 most bytes wanted
 * GIVEN  u32 request, u8 status (0 here they are, 1 not on this member, 2 not now), bytes; fewer than wanted only at the end
 * </pre>
 */
public final class ContentsFrames {
    /** First frame type. */
    public static final int FIRST = 0x78;
    /** Last frame type. */
    public static final int LAST = 0x7b;

    static final int GIVE = 0x78;
    static final int GIVEN = 0x79;

    static final int HERE = 0;
    static final int NOT_HERE = 1;
    static final int NOT_NOW = 2;

    static final int SHA_BYTES = 32;
    /** Maximum bytes of contents per frame. */
    static final int CHUNK = 64 * 1024;
    /** Maximum bytes of a frame besides the contents. */
    static final int HEAD = 64;

    private ContentsFrames() {}
}
