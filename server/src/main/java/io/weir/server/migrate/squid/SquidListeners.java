package io.weir.server.migrate.squid;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** http_port and https_port as listeners. Confined to one migration. */
final class SquidListeners {
    private static final Pattern PORT =
            Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+]|[0-9.]+|[A-Za-z][A-Za-z0-9.-]*):)?([0-9]{1,5})");
    private static final Set<String> TAKEN = Set.of("intercept", "tproxy", "transparent");

    private final Section root;
    private final Findings findings;
    private final List<String> forwards = new ArrayList<>();
    private final List<String> reverses = new ArrayList<>();

    SquidListeners(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    boolean forwards() {
        return !forwards.isEmpty();
    }

    boolean reverses() {
        return !reverses.isEmpty();
    }

    /** The virtual server of forwarded requests, if others are answered, too. */
    @Nullable
    String forwardServer() {
        return both("forward", forwards, reverses);
    }

    /** The virtual server of requests for servers behind, if others are forwarded, too. */
    @Nullable
    String reverseServer() {
        return both("accel", reverses, forwards);
    }

    private @Nullable String both(String name, List<String> listeners, List<String> others) {
        if (listeners.isEmpty() || others.isEmpty()) {
            return null;
        }
        root.section("virtual-servers").section(name).put("listeners", listeners);
        listeners.forEach(l -> root.section("listeners").section(l).put("virtual-server", name));
        return name;
    }

    /** Adds a port. */
    void add(Directive d, boolean tls) {
        Matcher m = PORT.matcher(d.word(0));
        if (!m.matches() || Integer.parseInt(m.group(2)) > 65_535) {
            findings.problem(
                    d.at(), d.name() + ": expected a port, or an address and a port, found \"" + d.word(0) + "\"");
            return;
        }
        String bump = d.words().stream().filter(TAKEN::contains).findFirst().orElse(null);
        String address = m.group(1) == null ? "0.0.0.0" : m.group(1).replaceAll("[\\[\\]]", "");
        boolean literal = address.matches("[0-9.]+|.*:.*");
        if (bump != null || (!literal && !address.equals("localhost"))) {
            findings.left(
                    d.at(),
                    d.text(),
                    bump == null ? "expected an address" : "connections are not intercepted; it does not listen");
            return;
        }
        String name =
                "port-" + m.group(2) + (root.section("listeners").has("port-" + m.group(2)) ? "-" + d.at().line() : "");
        Section listener = root.section("listeners").section(name).from(d.at());
        listener.put("address", literal ? address : "127.0.0.1").put("port", m.group(2));
        if (tls) {
            certificate(d, listener);
        }
        boolean accel = d.words().contains("accel") || d.words().stream().anyMatch(w -> w.startsWith("defaultsite="));
        (accel ? reverses : forwards).add(name);
    }

    private void certificate(Directive d, Section listener) {
        String chain = option(d, "tls-cert=", option(d, "cert=", ""));
        String key = option(d, "tls-key=", option(d, "key=", chain));
        if (chain.isEmpty()) {
            findings.left(d.at(), d.text(), "there is no tls-cert=; it listens on 127.0.0.1 without TLS");
            listener.put("address", "127.0.0.1", d.at());
            return;
        }
        listener.section("tls")
                .list("certificates")
                .add(new Section().put("chain-file", chain).put("key-file", key));
        listener.section("tls").put("alpn", List.of("http/1.1"));
        String trust = option(d, "clientca=", option(d, "tls-clientca=", ""));
        if (!trust.isEmpty()) {
            listener.section("tls").put("client-auth", "need").put("client-trust", trust, d.at());
        }
    }

    /** The value of an option, or another. */
    static String option(Directive d, String name, String otherwise) {
        return d.words().stream()
                .filter(w -> w.startsWith(name))
                .map(w -> w.substring(name.length()))
                .findFirst()
                .orElse(otherwise);
    }
}
