package io.weir.base;

/** Where messages of the catalogue go. Implementations are shared and never block an event loop. */
public interface Log {
    /** Drops everything. */
    Log NONE = new Log() {
        @Override
        public boolean wants(LogMessage message) {
            return false;
        }

        @Override
        public void log(LogMessage message, Object... arguments) {
            // nothing listens
        }
    };

    /** Whether the level of the message's subsystem lets it through: ask before preparing costly arguments. */
    boolean wants(LogMessage message);

    /**
     * Writes a message. The cause for rate limiting is the message's id and its first argument.
     *
     * @param arguments fill the places in the text; a Throwable as the last one adds its class and message
     */
    void log(LogMessage message, Object... arguments);
}
