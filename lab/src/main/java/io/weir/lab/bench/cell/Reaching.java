package io.weir.lab.bench.cell;

/** Which share of the units may or must reach the origin. */
public enum Reaching {
    NONE {
        @Override
        public boolean holds(double share) {
            return share < 0.01;
        }
    },
    ALL {
        @Override
        public boolean holds(double share) {
            return share > 0.99;
        }
    };

    public abstract boolean holds(double share);
}
