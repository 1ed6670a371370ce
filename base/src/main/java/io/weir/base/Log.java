package io.weir.base;

/** The destination of catalogue messages. Implementations are shared and never block an event loop. */
public interface Log {
    /** Drops everything. */
    Log NONE = new Log() {
        @Override
        public boolean wants(LogMessage message) {
            return false;
        }

        @Override
        public void log(LogMessage message, Object... arguments) {
            // discarded
        }
    };

    /** Whether the level of the message's subsystem admits it: check before preparing expensive arguments. */
    boolean wants(LogMessage message);

    /**
     * Writes a message. Rate limiting is by the message's id and its first argument.
     *
     * @param arguments values for the placeholders in the text; a Throwable as the last one adds its class and message
     */
    void log(LogMessage message, Object... arguments);
}
