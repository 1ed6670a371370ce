package io.weir.kernel.connection;

import java.time.Duration;

/** A row of perfdump's Sessions table, as read at one moment. Immutable. */
public record Session(
        long id,
        SessionStatus status,
        String client,
        Duration age,
        String virtualServer,
        String method,
        String uri,
        String function) {}
