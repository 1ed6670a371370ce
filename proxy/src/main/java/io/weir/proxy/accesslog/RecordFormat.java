package io.weir.proxy.accesslog;

import org.jspecify.annotations.Nullable;

/** How a record is written: as lines of text by a format, or as lines of JSON. Immutable. */
sealed interface RecordFormat permits LogFormat, JsonRecords {
    /** Writes a record without its line end. */
    void write(LogSource source, LogClock clock, RecordText out);

    /** The first line of a file; empty if there is none. */
    String firstLine();

    /**
     * The format of a configuration; null if it is off.
     *
     * @throws IllegalArgumentException saying what is wrong with a custom one, and where
     */
    static @Nullable RecordFormat of(AccessLogConfig config) {
        return config.format() == AccessLogConfig.Style.JSON ? JsonRecords.INSTANCE : LogFormat.of(config);
    }
}
