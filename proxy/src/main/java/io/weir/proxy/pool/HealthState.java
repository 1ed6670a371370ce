package io.weir.proxy.pool;

/** Whether a server gets requests. */
public enum HealthState {
    /** Its whole share. */
    UP,
    /** A rising share, for it was down or is new. */
    WARMING,
    /** One request at a time, to see whether it works again: half-open. */
    TRIAL,
    /** None: open. */
    DOWN;

    /** As views write it. */
    public String word() {
        return switch (this) {
            case UP -> "up";
            case WARMING -> "warming";
            case TRIAL -> "trial";
            case DOWN -> "down";
        };
    }
}
