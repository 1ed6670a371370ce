package io.weir.proxy.cache.store;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The cache's messages. */
public enum CacheMessages implements DeclaredMessage {
    DIRECT_MEMORY_EXHAUSTED(
            101_801,
            Severity.WARNING,
            "The memory cache stays at {} bytes of its budget of {}: the JVM's direct memory is exhausted.",
            "Lower cache.memory-budget, or raise -XX:MaxDirectMemorySize above it."),
    BUDGET_CHANGED(
            101_802, Severity.FINE, "The memory cache uses {} of {} bytes after a change of its configuration.", "");

    private final Declaration declaration;

    CacheMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Cache", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
