package io.weir.lab.bench.process;

/**
 * Something that is measured in turn with others. Immutable.
 *
 * @param name as the table calls it; of its own
 * @param pid of the server whose time counts, with all that descends from it
 * @param url the URL of requests
 * @param jvm whether it needs long to warm up
 * @param closing whether each request has a connection of its own
 * @param before is done before each of its turns and not measured
 */
public record Contender(String name, long pid, String url, boolean jvm, boolean closing, Step before) {
    /** Something that may fail. */
    public interface Step {
        void run() throws Exception;
    }

    public static Contender of(String name, long pid, int port, String path, boolean jvm) {
        return new Contender(name, pid, "http://127.0.0.1:" + port + path, jvm, false, () -> {});
    }

    /** Asked by TLS. */
    public Contender secure() {
        return new Contender(name, pid, url.replaceFirst("http:", "https:"), jvm, closing, before);
    }

    /** Whether each request has a TLS handshake of its own. */
    public boolean shakesHands() {
        return closing && url.startsWith("https:");
    }

    /** Asked on a new connection each time, under a name of its own. */
    public Contender closing(String as) {
        return new Contender(as, pid, url, jvm, true, before);
    }
}
