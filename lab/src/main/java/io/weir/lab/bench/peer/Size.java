package io.weir.lab.bench.peer;

/** The size of an answer's body, in bytes. */
public enum Size {
    ONE("1k", 1024),
    THIRTEEN("13k", 13 * 1024),
    /** Only in the matrix. */
    MEGA("1m", 1024 * 1024);

    private final String key;
    private final int bytes;

    Size(String key, int bytes) {
        this.key = key;
        this.bytes = bytes;
    }

    public String key() {
        return key;
    }

    public int bytes() {
        return bytes;
    }
}
