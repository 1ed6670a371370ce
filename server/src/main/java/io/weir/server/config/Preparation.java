package io.weir.server.config;

import java.util.function.BiConsumer;

/**
 * A part of the server that prepares for a change of the configuration, and can refuse it: everything that can fail is
 * done before the change takes effect. Shared; called by the thread that changes the configuration, one change at a
 * time.
 */
@FunctionalInterface
public interface Preparation {
    /** A prepared change; exactly one of its methods is called, once. */
    interface Ready {
        /** Nothing had to be prepared. */
        Ready NOTHING = new Ready() {
            @Override
            public void begin() {
                // nothing to start
            }

            @Override
            public void cancel() {
                // nothing to undo
            }
        };

        /** Called when the configuration is in force. */
        void begin();

        /** Called when the change is abandoned. */
        void cancel();
    }

    /**
     * Prepares for a change.
     *
     * @param refusal receives a key and what is wrong with it; then nothing is left behind, and the result is not used
     */
    Ready prepare(WeirConfig now, WeirConfig next, BiConsumer<String, String> refusal);
}
