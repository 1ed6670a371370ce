package io.weir.proxy.cache;

import io.weir.base.LogMessage;
import io.weir.base.Severity;

/** The cache's messages. */
public enum CacheMessages implements LogMessage {
    DIRECT_MEMORY_EXHAUSTED(
            101_801,
            Severity.WARNING,
            "The memory cache stays at {} bytes of its budget of {}: the JVM gives no more direct memory.",
            "Lower cache.memory-budget, or raise -XX:MaxDirectMemorySize above it."),
    BUDGET_CHANGED(
            101_802, Severity.FINE, "The memory cache uses {} of {} bytes after a change of its configuration.", "");

    private final int id;
    private final Severity severity;
    private final String text;
    private final String remedy;

    CacheMessages(int id, Severity severity, String text, String remedy) {
        this.id = id;
        this.severity = severity;
        this.text = text;
        this.remedy = remedy;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public Severity severity() {
        return severity;
    }

    @Override
    public String subsystem() {
        return "Cache";
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String remedy() {
        return remedy;
    }
}
