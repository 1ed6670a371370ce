package io.weir.lab.bench.figures;

/** The verdict of an interval about a target. */
public enum TargetVerdict {
    /** The whole interval is within the target. */
    MET("met"),
    /** The target lies inside the interval, or the rounds are too few: more rounds, or a quieter machine. */
    OPEN("open"),
    /** The interval excludes the target. */
    MISSED("missed");

    /** The interval of fewer figures is too narrow. */
    private static final int FEWEST = 6;

    private final String text;

    TargetVerdict(String text) {
        this.text = text;
    }

    /** For a target that is an upper bound. */
    public static TargetVerdict of(PairedRatio ratio, double target) {
        if (ratio.figures() < FEWEST) {
            return OPEN;
        }
        if (ratio.high() <= target) {
            return MET;
        }
        return ratio.low() > target ? MISSED : OPEN;
    }

    /** The same for a target that is a lower bound. */
    public static TargetVerdict atLeast(PairedRatio ratio, double target) {
        if (ratio.figures() < FEWEST) {
            return OPEN;
        }
        if (ratio.low() >= target) {
            return MET;
        }
        return ratio.high() < target ? MISSED : OPEN;
    }

    /** Whether this number of rounds is enough for a verdict. */
    public static boolean enough(int rounds) {
        return rounds >= FEWEST;
    }

    /**
     * The verdict for a figure without an interval.
     *
     * @param decided whether there were enough rounds
     */
    public static TargetVerdict exact(boolean met, boolean decided) {
        if (!decided) {
            return OPEN;
        }
        return met ? MET : MISSED;
    }

    public String text() {
        return text;
    }
}
