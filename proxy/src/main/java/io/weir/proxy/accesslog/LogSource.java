package io.weir.proxy.accesslog;

/**
 * An exchange as the access log reads it, on its loop, once, at its end. Implementations append to the given text what
 * they know and nothing when they do not: the log writes {@code -} then. What is appended is escaped by the text.
 */
public interface LogSource {
    /** Appends the variable's value. */
    void logValue(LogVariable variable, RecordText out);

    /** Appends a request field's values; the name is in lower case. */
    void logRequestField(String name, RecordText out);

    /** Appends the value of the request's first cookie of this name, whose case counts. */
    void logCookie(String name, RecordText out);

    /** The status that the client was sent; 0 when none was. */
    int logStatus();

    /** Appends a response field's values as sent to the client; the name is in lower case. */
    void logResponseField(String name, RecordText out);

    /** Appends a variable that a function set ({@code Req->vars.NAME}). */
    void logVariable(String name, RecordText out);
}
