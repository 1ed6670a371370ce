package io.weir.proxy.program.run;

import io.weir.proxy.program.destination.DestinationRules;

/** What answers a request: what the Service stage, or a redirect before it, decided. Immutable, shared. */
public sealed interface Action {
    /** What is retrieved. */
    enum Retrieve implements Action {
        /** From {@link ProgramRun#route()}. */
        REVERSE,
        /** From the host that the client named, after {@link DestinationRules}. */
        FORWARD,
        /** A tunnel to the host and port that the client named, after {@link DestinationRules}. */
        TUNNEL
    }

    /** What Weir itself answers. */
    enum Builtin implements Action {
        /** The demo origin. */
        DEMO
    }

    /** A fixed answer; the body is not to be written. */
    final class Respond implements Action {
        private final int status;
        private final String contentType;
        private final byte[] body;

        public Respond(int status, String contentType, byte[] body) {
            this.status = status;
            this.contentType = contentType;
            this.body = body;
        }

        public int status() {
            return status;
        }

        public String contentType() {
            return contentType;
        }

        /** The body itself, not a copy. */
        public byte[] body() {
            return body;
        }
    }

    /** A redirect to {@link ProgramRun#location()}. */
    record Redirect(int status) implements Action {}
}
