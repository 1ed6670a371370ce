package io.weir.proxy.program.run;

import io.weir.proxy.program.destination.DestinationRules;

/** How a request is answered: the decision of the Service stage, or of a redirect before it. Immutable, shared. */
public sealed interface Action {
    /** Retrieval from an origin. */
    enum Retrieve implements Action {
        /** From {@link ProgramRun#route()}. */
        REVERSE,
        /** From the host that the client requested, checked by {@link DestinationRules}. */
        FORWARD,
        /** A tunnel to the host and port that the client requested, checked by {@link DestinationRules}. */
        TUNNEL
    }

    /** An answer by Weir itself. */
    enum Builtin implements Action {
        /** The demo origin. */
        DEMO
    }

    /** A fixed answer; the body must not be modified. */
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
