package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import java.util.HexFormat;
import java.util.Locale;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * The identifier of a transaction branch ({@link Xid}): a format and two byte strings of at most 64 bytes, here as
 * hexadecimal digits. On the wire {@code i32 format · u8 length · bytes · u8 length · bytes}. Immutable.
 */
public record BranchId(int format, String global, String qualifier) {
    /** Most bytes of each of the two strings: {@link Xid#MAXGTRIDSIZE}. */
    public static final int MOST_BYTES = Xid.MAXGTRIDSIZE;

    private static final HexFormat HEX = HexFormat.of();

    /** The identifier of a transaction manager's Xid; null if it is not a valid one. */
    public static @Nullable BranchId of(@Nullable Xid xid) {
        if (xid == null || xid.getFormatId() == -1) {
            return null;
        }
        byte[] global = xid.getGlobalTransactionId();
        byte[] qualifier = xid.getBranchQualifier();
        if (global == null
                || qualifier == null
                || global.length == 0
                || global.length > MOST_BYTES
                || qualifier.length > MOST_BYTES) {
            return null;
        }
        return new BranchId(xid.getFormatId(), HEX.formatHex(global), HEX.formatHex(qualifier));
    }

    /** Reads {@code format:global:qualifier}, as {@link #toString} writes it; null if it is not of that form. */
    public static @Nullable BranchId parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            String global = parts[1].toLowerCase(Locale.ROOT);
            String qualifier = parts[2].toLowerCase(Locale.ROOT);
            if (global.isEmpty()
                    || HEX.parseHex(global).length > MOST_BYTES
                    || HEX.parseHex(qualifier).length > MOST_BYTES) {
                return null;
            }
            return new BranchId(Integer.parseInt(parts[0]), global, qualifier);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    public void write(ByteBuf out) {
        out.writeInt(format);
        bytes(out, global);
        bytes(out, qualifier);
    }

    private static void bytes(ByteBuf out, String hex) {
        byte[] bytes = HEX.parseHex(hex);
        out.writeByte(bytes.length).writeBytes(bytes);
    }

    public static BranchId read(ByteBuf in) {
        int format = WireReader.i32(in);
        String global = bytes(in);
        if (global.isEmpty()) {
            throw FrameValues.malformed("a branch without a global transaction identifier");
        }
        return new BranchId(format, global, bytes(in));
    }

    private static String bytes(ByteBuf in) {
        int length = FrameValues.upTo(in, MOST_BYTES, "an identifier's length of");
        WireReader.need(in, length);
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return HEX.formatHex(bytes);
    }

    /** The same as a transaction manager's Xid. */
    public Xid xid() {
        return new Given(this);
    }

    /** {@code format:global:qualifier}, the last two in hexadecimal digits. */
    @Override
    public String toString() {
        return format + ":" + global + ":" + qualifier;
    }

    private record Given(BranchId id) implements Xid {
        @Override
        public int getFormatId() {
            return id.format;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return HEX.parseHex(id.global);
        }

        @Override
        public byte[] getBranchQualifier() {
            return HEX.parseHex(id.qualifier);
        }
    }
}
