package io.weir.proxy.pool;

/** Whether a server gets requests, and how many. */
public enum HealthState {
    /** Its whole share. */
    UP,
    /** A rising share, because it was down or is new. */
    WARMING,
    /** One request at a time, to probe whether it works again (half-open). */
    TRIAL,
    /** None (open). */
    DOWN;

    /** The spelling in views. */
    public String word() {
        return switch (this) {
            case UP -> "up";
            case WARMING -> "warming";
            case TRIAL -> "trial";
            case DOWN -> "down";
        };
    }
}
