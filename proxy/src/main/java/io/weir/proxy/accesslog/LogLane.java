package io.weir.proxy.accesslog;

/** One event loop's part of the access log. Confined to that loop, but for the writer's end of its ring. */
public final class LogLane {
    LogLane() {}

    /** Appends a record of an exchange; drops and counts it when the ring is full. Allocates nothing. */
    public void append(LogSource source) {}
}
