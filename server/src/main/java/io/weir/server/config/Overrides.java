package io.weir.server.config;

/** The persisted live changes of a data directory, applied above the file at the next start. */
public final class Overrides {
    /** Its name in the data directory. */
    public static final String FILE = "overrides.yaml";

    private Overrides() {}
}
