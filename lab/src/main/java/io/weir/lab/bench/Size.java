package io.weir.lab.bench;

/** How many bytes of body an answer has. */
enum Size {
    ONE("1k", 1024),
    THIRTEEN("13k", 13 * 1024);

    private final String key;
    private final int bytes;

    Size(String key, int bytes) {
        this.key = key;
        this.bytes = bytes;
    }

    String key() {
        return key;
    }

    int bytes() {
        return bytes;
    }
}
