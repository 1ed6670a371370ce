package io.weir.cluster.sim;

/** Something that must never be was. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String rule;

    /** @param rule short, the same for the same kind of violation */
    Violation(String rule, String what) {
        super(rule + ": " + what, null, false, false);
        this.rule = rule;
    }

    String rule() {
        return rule;
    }
}
