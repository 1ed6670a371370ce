package io.weir.proxy.program;

/** What answers a request: what the Service stage, or a redirect before it, decided. Immutable, shared. */
public sealed interface Action {
    /** What is retrieved. */
    enum Retrieve implements Action {
        /** From {@link ProgramRun#route()}. */
        REVERSE,
        /** From the host that the client named, after {@link Destinations}. */
        FORWARD,
        /** A tunnel to the host and port that the client named, after {@link Destinations}. */
        TUNNEL
    }

    /** What Weir itself answers. */
    enum Builtin implements Action {
        /** The demo origin. */
        DEMO
    }

    /** A fixed answer; the body is not to be written. */
    record Respond(int status, String contentType, byte[] body) implements Action {}

    /** A redirect to {@link ProgramRun#location()}. */
    record Redirect(int status) implements Action {}
}
