package io.weir.proxy.accesslog;

/**
 * An exchange as the access log reads it, on its loop, once, at its end. Implementations append the value to the given
 * text, or nothing if it is unknown: then the log writes {@code -}. Appended values are escaped by the text.
 */
public interface LogSource {
    /** Appends the variable's value. */
    void logValue(LogVariable variable, RecordText out);

    /** Appends a request field's values; the name is in lower case. */
    void logRequestField(String name, RecordText out);

    /** Appends the value of the request's first cookie of this name, case-sensitive. */
    void logCookie(String name, RecordText out);

    /** The status sent to the client; 0 if none was sent. */
    int logStatus();

    /** Appends a response field's values as sent to the client; the name is in lower case. */
    void logResponseField(String name, RecordText out);

    /** Appends a variable that a function set ({@code Req->vars.NAME}). */
    void logVariable(String name, RecordText out);
}
