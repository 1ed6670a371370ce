package io.weir.base;

/** How bad a log message is, most severe first: the words of the Sun proxy's server logs. */
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
