package io.weir.proxy.context;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The engine's messages. */
public enum EngineMessages implements DeclaredMessage {
    EXCHANGE_FAILED(
            101_701,
            Severity.ERROR,
            "An exchange failed unexpectedly and its connection was closed: {}",
            "Report it with the text; other connections are not affected."),
    RECONFIGURE_FAILED(
            101_702,
            Severity.ERROR,
            "The changed routes do not compile, the old ones remain in force: {}",
            "Correct the routes; ./weir check names every problem with its place."),
    ORIGIN_FAILED(
            101_703,
            Severity.WARNING,
            "{} {} failed a request ({}): {}",
            "Check that the origin runs, and that its name, port, certificate and the time-outs in proxy.time-outs"
                    + " are correct. A member is a server of this cluster, or a process of this server, whose cache was"
                    + " asked: another one, or the origin, was asked instead."),
    SERVER_DOWN(
            101_704,
            Severity.WARNING,
            "Server {} of pool {} is down: {}; it gets no requests {}.",
            "Check the server. GET /origins on the admin listener shows its failures; proxy.origins.*.health and check"
                    + " set when a server is taken out."),
    SERVER_UP(101_705, Severity.NOTICE, "Server {} of pool {} is up again.", "No action is needed."),
    HTTP2_CUT(
            101_706,
            Severity.WARNING,
            "The HTTP/2 connection of {} was closed: {}",
            "See docs/http2.md for what this bound protects against; raise it in proxy.http2 if the client is"
                    + " legitimate.");

    private final Declaration declaration;

    EngineMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "HTTP", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
