package io.weir.proxy.program;

import java.net.InetAddress;

/** Says what a program does with a request: {@code ./weir check --explain URL}. Stateless. */
public final class Explain {
    private Explain() {}

    /**
     * What is asked.
     *
     * @param url absolute URL, path, or {@code host:port} for CONNECT
     * @param proxied the URL stands in the request as a whole, as clients of a forward proxy send it
     */
    public record Question(String method, String url, InetAddress client, String listener, boolean proxied) {}

    /** Objects and directives that run, in order, with parameters, places and outcomes, as text. */
    public static String explain(Program program, Question question) {
        return "";
    }
}
