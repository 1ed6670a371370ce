package io.weir.lab.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server under test, wherever it runs. Thread-safe. */
public interface Weir extends AutoCloseable {
    /** The port on which a listener was bound; the admin listener is called {@code admin}. */
    int port(String listener);

    /** Its data directory. */
    Path data();

    /** Lines of its log (and, for a process, everything it printed). */
    List<String> log();

    /** Requests a drain, as Ctrl-C does; does not wait. */
    void stop();

    /** Kills it. */
    void kill();

    /** Waits for its end and returns the exit status, within the time that a drain may take. */
    int exit() throws InterruptedException;

    @Override
    void close() throws IOException;

    /** Starts servers. */
    interface Launcher {
        /**
         * Starts a server and waits until it is ready.
         *
         * @param config the configuration file; null: the embedded default
         * @param data its data directory, which may have content of an earlier run
         * @param sets {@code key=value} pairs
         * @throws StartRefused if it does not start
         */
        Weir start(@org.jspecify.annotations.Nullable Path config, Path data, List<String> sets)
                throws IOException, InterruptedException, StartRefused;
    }

    /** The server did not start; the message is what it printed. */
    final class StartRefused extends Exception {
        private static final long serialVersionUID = 1L;
        private final int exit;

        public StartRefused(int exit, String printed) {
            super(printed);
            this.exit = exit;
        }

        public int exit() {
            return exit;
        }
    }
}
