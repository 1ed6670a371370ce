package io.weir.proxy.program;

import io.weir.base.LogMessage;
import io.weir.base.Severity;

/** The messages of the proxy. Immutable. */
public enum ProxyMessages implements LogMessage {
    FUNCTION_FAILED(
            450001,
            Severity.ERROR,
            "The function {} at {} failed: {}",
            "The request was answered 500. See the cause; functions must not throw.");

    private final int id;
    private final Severity severity;
    private final String text;
    private final String remedy;

    ProxyMessages(int id, Severity severity, String text, String remedy) {
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
        return "Proxy";
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
