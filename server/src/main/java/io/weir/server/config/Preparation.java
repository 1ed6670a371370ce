package io.weir.server.config;

import java.util.function.BiConsumer;

/**
 * A part of the server that has to get ready for a change of the configuration, and may refuse it: what can fail is done
 * before anything is in force. Shared; called by the thread that changes the configuration, one change at a time.
 */
@FunctionalInterface
public interface Preparation {
    /** What is ready; one of its methods is called, once. */
    interface Ready {
        /** Nothing had to be done. */
        Ready NOTHING = new Ready() {
            @Override
            public void begin() {
                // nothing waits for it
            }

            @Override
            public void cancel() {
                // nothing was done
            }
        };

        /** The configuration is in force. */
        void begin();

        /** It is not wanted after all. */
        void cancel();
    }

    /**
     * Gets ready.
     *
     * @param refusal takes a key and what is wrong; then nothing is left behind, and what is returned is not used
     */
    Ready prepare(WeirConfig now, WeirConfig next, BiConsumer<String, String> refusal);
}
