package io.weir.proxy;

import io.weir.base.LogMessage;
import io.weir.base.Severity;

/** The engine's messages. */
public enum EngineMessages implements LogMessage {
    EXCHANGE_FAILED(
            101_701,
            Severity.ERROR,
            "An exchange failed unexpectedly and its connection was closed: {}",
            "Report it with the text; other connections are not affected."),
    RECONFIGURE_FAILED(
            101_702,
            Severity.ERROR,
            "The changed routes do not compile, the old ones stay in force: {}",
            "Correct the routes; ./weir check names every problem with its place."),
    ORIGIN_FAILED(
            101_703,
            Severity.WARNING,
            "Origin {} failed a request ({}): {}",
            "See whether the origin runs, and whether its name, port, certificate and the time-outs in proxy.time-outs"
                    + " are right.");

    private final int id;
    private final Severity severity;
    private final String text;
    private final String remedy;

    EngineMessages(int id, Severity severity, String text, String remedy) {
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
        return "HTTP";
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
