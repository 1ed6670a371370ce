package io.weir.http.semantics;

import io.netty.buffer.ByteBuf;

/** The Date field's 29 bytes, formatted once per second. Confined to one event loop; lives as long as the loop. */
public final class DateCache {

    private final byte[] bytes = new byte[HttpDate.LENGTH];
    private long second = Long.MIN_VALUE;

    /**
     * Writes the IMF-fixdate of a time; allocates nothing.
     *
     * @param epochMillis the time, in epoch milliseconds
     */
    public void writeTo(ByteBuf out, long epochMillis) {
        out.writeBytes(at(epochMillis));
    }

    /** The IMF-fixdate of a time; the array belongs to this object and changes with the next second. */
    public byte[] at(long epochMillis) {
        long wanted = Math.floorDiv(epochMillis, 1000);
        if (wanted != second) {
            HttpDate.write(wanted, bytes, 0);
            second = wanted;
        }
        return bytes;
    }
}
