package io.weir.cluster.singleton;

/** Has an activation lose its lease outside this package, for tests. */
public final class LossForTests {
    private LossForTests() {}

    public static void of(Activation activation) {
        activation.lose("a test");
    }
}
