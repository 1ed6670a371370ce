package io.weir.base;

/** The severity of a log message, most severe first: the levels of the Sun proxy's server logs. */
public enum Severity {
    CATASTROPHE,
    CRITICAL,
    ERROR,
    WARNING,
    NOTICE,
    INFO,
    FINE,
    FINER,
    FINEST
}
