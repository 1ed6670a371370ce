package io.weir.lab.bench.process;

/**
 * Something that is measured in turn with others. Immutable.
 *
 * @param name its unique name in the table
 * @param pid of the server whose time counts, with all its descendants
 * @param url the URL of requests
 * @param jvm whether it needs long to warm up
 * @param closing whether each request uses a new connection
 * @param before runs before each of its turns and is not measured
 */
public record Contender(String name, long pid, String url, boolean jvm, boolean closing, Step before) {
    /** Something that may fail. */
    public interface Step {
        void run() throws Exception;
    }

    public static Contender of(String name, long pid, int port, String path, boolean jvm) {
        return new Contender(name, pid, "http://127.0.0.1:" + port + path, jvm, false, () -> {});
    }

    /** The same over TLS. */
    public Contender secure() {
        return new Contender(name, pid, url.replaceFirst("http:", "https:"), jvm, closing, before);
    }

    /** Whether each request has a TLS handshake. */
    public boolean shakesHands() {
        return closing && url.startsWith("https:");
    }

    /** The same with a new connection for each request, under another name. */
    public Contender closing(String as) {
        return new Contender(as, pid, url, jvm, true, before);
    }
}
