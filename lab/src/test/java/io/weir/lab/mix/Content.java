package io.weir.lab.mix;

import java.util.Arrays;

/**
 * What a tag stands for: the same tag is always the same bytes, so every byte of a body, of a part and of a cut body can be
 * checked by the name alone. Stateless.
 *
 * <p>A tag reads {@code kind:resource:language:version}; the kind says how long the content is.
 */
final class Content {
    private Content() {}

    static int length(String tag) {
        int spread = (int) (mixed(tag.hashCode()) >>> 40);
        return switch (tag.charAt(0)) {
            case 'b' -> 150_000 + spread % 200_000;
            case 'x' -> 600_000 + spread % 100_000;
            case 'u' -> spread % 4_000;
            default ->
                switch (spread % 8) {
                    case 0 -> 0;
                    case 1, 2, 3 -> 1 + spread % 300;
                    case 4, 5, 6 -> 1 + spread % 8_000;
                    default -> 15_000 + spread % 50_000;
                };
        };
    }

    static byte[] of(String tag) {
        byte[] bytes = new byte[length(tag)];
        long seed = mixed(tag.hashCode() * 31L + tag.length());
        long word = 0;
        for (int i = 0; i < bytes.length; i++) {
            word = i % 8 == 0 ? mixed(seed + i) : word >>> 8;
            bytes[i] = (byte) word;
        }
        return bytes;
    }

    /** The finishing step of SplitMix64. */
    private static long mixed(long of) {
        long z = (of + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Where two bodies differ first; the shorter length where one is the beginning of the other. */
    static int difference(byte[] a, byte[] b) {
        int at = Arrays.mismatch(a, b);
        return at < 0 ? a.length : at;
    }
}
