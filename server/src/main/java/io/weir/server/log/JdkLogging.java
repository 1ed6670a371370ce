package io.weir.server.log;

import io.weir.base.Log;
import io.weir.server.catalogue.ServerMessages;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Brings warnings and errors that the JDK and libraries write by java.util.logging into the server log; one logger's
 * repetitions within an interval are counted, not written. Lower levels are dropped, and nothing reaches the console.
 * Shared; one for the process.
 */
public final class JdkLogging extends Handler {
    /** Longer texts, which come from other code, are truncated. */
    static final int MAX_TEXT = 2000;

    private static final JdkLogging INSTANCE = new JdkLogging();

    private final SimpleFormatter formatter = new SimpleFormatter();
    private volatile Log log = Log.NONE;

    private JdkLogging() {
        setLevel(Level.WARNING);
    }

    /** Redirects their output to the log. A configured console handler stays. */
    public static void into(Log log) {
        INSTANCE.log = log;
        Logger root = Logger.getLogger("");
        root.removeHandler(INSTANCE);
        root.addHandler(INSTANCE);
        if (System.getProperty("java.util.logging.config.file") == null) {
            quieten(root);
        }
    }

    private static void quieten(Logger root) {
        for (Handler h : root.getHandlers()) {
            if (h instanceof ConsoleHandler) {
                root.removeHandler(h);
            }
        }
    }

    @Override
    public void publish(LogRecord entry) {
        if (!isLoggable(entry)) {
            return;
        }
        boolean error = entry.getLevel().intValue() >= Level.SEVERE.intValue();
        log.log(error ? ServerMessages.JAVA_ERROR : ServerMessages.JAVA_WARNING, name(entry), text(entry));
    }

    private static String name(LogRecord entry) {
        String name = entry.getLoggerName();
        return name == null || name.isEmpty() ? "java" : name.substring(name.lastIndexOf('.') + 1);
    }

    private String text(LogRecord entry) {
        Throwable thrown = entry.getThrown();
        String text = formatter.formatMessage(entry) + (thrown == null ? "" : ": " + thrown);
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + " (cut)";
    }

    @Override
    public void flush() {
        // the server log flushes itself
    }

    @Override
    public void close() {
        log = Log.NONE;
    }
}
