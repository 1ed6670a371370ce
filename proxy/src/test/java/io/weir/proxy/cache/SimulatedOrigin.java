package io.weir.proxy.cache;

import io.weir.base.Chance;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.random.RandomGenerator;

/**
 * What the origin of a simulation has: a few resources whose content is told by their entity tag, so that every reader can
 * be checked. Shared by the loops of a simulation.
 */
final class SimulatedOrigin {
    static final int RESOURCES = 9;
    static final int VARYING = 7;
    /** Two of three versions of it may not be stored. */
    static final int UNCACHEABLE = 8;

    private final AtomicIntegerArray versions = new AtomicIntegerArray(RESOURCES);
    private final byte[] noise = new byte[200_000];

    SimulatedOrigin() {
        Chance.seeded(99).random().nextBytes(noise);
    }

    void change(int resource) {
        versions.incrementAndGet(resource);
    }

    int version(int resource) {
        return versions.get(resource);
    }

    static String etag(int resource, int version, int variant) {
        return "\"" + resource + "-" + version + "-" + variant + "\"";
    }

    /** Sizes from nothing to more than the largest object. */
    static int size(int resource, int version) {
        int[] sizes = {0, 100, 1_000, 5_000, 20_000, 40_000, 70_000, 3_000, 2_000};
        return sizes[resource] + (sizes[resource] == 0 ? 0 : version % 7);
    }

    /** Half of the resources do not tell their length. */
    static boolean tellsLength(int resource) {
        return resource % 2 == 1;
    }

    byte at(String etag, int position) {
        return noise[(position + (etag.hashCode() & 0xFFFF)) % noise.length];
    }

    byte[] bytes(String etag, int from, int n) {
        byte[] bytes = new byte[n];
        for (int i = 0; i < n; i++) {
            bytes[i] = at(etag, from + i);
        }
        return bytes;
    }

    static String[] fields(int resource, int version, String etag) {
        String control = resource == UNCACHEABLE && version % 3 != 2
                ? "no-store"
                : "max-age=5, stale-while-revalidate=3, stale-if-error=4";
        return resource == VARYING
                ? new String[] {"Cache-Control: " + control, "ETag: " + etag, "Vary: X-Variant"}
                : new String[] {"Cache-Control: " + control, "ETag: " + etag};
    }

    static int chunk(RandomGenerator random) {
        return List.of(1, 100, 1_500, 9_000, 30_000).get(random.nextInt(5));
    }

    /** Checks that a response is one that the request may get. */
    static void check(int resource, int variant, String etag) {
        String[] parts = Objects.requireNonNull(etag).replace("\"", "").split("-", -1);
        if (Integer.parseInt(parts[0]) != resource || (resource == VARYING && Integer.parseInt(parts[2]) != variant)) {
            throw new AssertionError("resource " + resource + " variant " + variant + " got " + etag);
        }
    }
}
