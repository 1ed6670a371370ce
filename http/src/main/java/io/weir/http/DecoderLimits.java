package io.weir.http;

/**
 * The limits of what a peer may send. Immutable; decoders read it through a supplier at the start of each message, so
 * that it can be changed live. Each limit has its own {@link Fault}.
 *
 * @param maxRequestLine bytes of the request or status line without its CRLF ({@link Fault#REQUEST_LINE_TOO_LONG})
 * @param maxMethod bytes of the method ({@link Fault#METHOD_TOO_LONG})
 * @param maxHeaderBytes bytes of the header section with all its CRLFs ({@link Fault#HEADERS_TOO_LARGE})
 * @param maxHeaderCount field lines of a head ({@link Fault#HEADERS_TOO_MANY})
 * @param maxChunkLine bytes of one chunk-size line with its extensions ({@link Fault#CHUNK_LINE_TOO_LONG})
 * @param maxChunkExtensions bytes of all chunk extensions of one body ({@link Fault#CHUNK_EXTENSIONS_TOO_LARGE})
 * @param maxTrailerBytes bytes of the trailer section with all its CRLFs ({@link Fault#TRAILERS_TOO_LARGE})
 * @param maxTrailerCount field lines of the trailer section ({@link Fault#TRAILERS_TOO_MANY})
 */
public record DecoderLimits(
        int maxRequestLine,
        int maxMethod,
        int maxHeaderBytes,
        int maxHeaderCount,
        int maxChunkLine,
        int maxChunkExtensions,
        int maxTrailerBytes,
        int maxTrailerCount) {
    /** 8 KiB lines, 64 KiB and 128 fields of headers, 256-byte chunk lines, 8 KiB and 32 fields of trailers. */
    public static final DecoderLimits DEFAULT = new DecoderLimits(8192, 32, 65536, 128, 256, 16384, 8192, 32);

    /** The head is addressed with ints and copied once: no section may exceed this. */
    public static final int MAX_SECTION_BYTES = 1 << 24;

    public DecoderLimits {
        within(maxRequestLine, MAX_SECTION_BYTES, "maxRequestLine");
        within(maxMethod, MAX_SECTION_BYTES, "maxMethod");
        within(maxHeaderBytes, MAX_SECTION_BYTES, "maxHeaderBytes");
        within(maxHeaderCount, 1 << 16, "maxHeaderCount");
        within(maxChunkLine, MAX_SECTION_BYTES, "maxChunkLine");
        within(maxChunkExtensions, Integer.MAX_VALUE, "maxChunkExtensions");
        within(maxTrailerBytes, MAX_SECTION_BYTES, "maxTrailerBytes");
        within(maxTrailerCount, 1 << 16, "maxTrailerCount");
    }

    /** The same with another bound on request lines. */
    public DecoderLimits withRequestLine(int bytes) {
        return new DecoderLimits(
                bytes,
                maxMethod,
                maxHeaderBytes,
                maxHeaderCount,
                maxChunkLine,
                maxChunkExtensions,
                maxTrailerBytes,
                maxTrailerCount);
    }

    private static void within(int value, int max, String name) {
        if (value < 1 || value > max) throw new IllegalArgumentException(name + " must be in 1.." + max + ": " + value);
    }
}
