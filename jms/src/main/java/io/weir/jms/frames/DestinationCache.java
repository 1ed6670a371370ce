package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.wire.WireReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the destinations that a connection has used, found by their encoded bytes, so that a SEND to a known
 * destination creates no garbage. The number of slots is fixed; a new entry replaces the one in its slot. Confined to
 * the connection's loop; lives as long as the connection.
 */
public final class DestinationCache {
    private static final int PLACES = 64;
    private static final int MAX_BYTES = 512;

    private static final byte[] NONE = {};

    private final byte[][] bytes = new byte[PLACES][];
    private final @Nullable DestinationName[] names = new DestinationName[PLACES];

    public DestinationCache() {
        Arrays.fill(bytes, NONE);
    }

    /** Reads a destination as {@link DestinationName#read} does. */
    public DestinationName read(ByteBuf in) {
        int start = in.readerIndex();
        DestinationKind.of(WireReader.u8(in));
        WireReader.skip(in, WireReader.varint(in));
        int end = in.readerIndex();
        int place = hash(in, start, end) & (PLACES - 1);
        DestinationName known = names[place];
        if (known != null && same(bytes[place], in, start, end)) {
            return known;
        }
        DestinationName read = DestinationName.read(in.readerIndex(start));
        if (end - start <= MAX_BYTES) {
            names[place] = read;
            bytes[place] = ByteBufUtil.getBytes(in, start, end - start);
        }
        return read;
    }

    private static int hash(ByteBuf in, int start, int end) {
        int hash = 1;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + in.getByte(i);
        }
        return hash ^ hash >>> 16;
    }

    private static boolean same(byte[] known, ByteBuf in, int start, int end) {
        if (known.length != end - start) {
            return false;
        }
        for (int i = 0; i < known.length; i++) {
            if (known[i] != in.getByte(start + i)) {
                return false;
            }
        }
        return true;
    }
}
