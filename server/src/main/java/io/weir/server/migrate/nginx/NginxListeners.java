package io.weir.server.migrate.nginx;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** listen and server_name as listeners and virtual servers. Confined to one migration. */
final class NginxListeners {
    private static final Pattern ADDRESS =
            Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+]|[0-9.]+|\\*|localhost):)?([0-9]{1,5})");
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
    private static final Set<String> PLAIN =
            Set.of("ssl", "http2", "default_server", "default", "proxy_protocol", "reuseport", "deferred", "bind");

    private final Section root;
    private final Findings findings;
    /** The virtual server of requests that name no other, by listener. */
    private final Map<String, String> first = new LinkedHashMap<>();

    private final Set<String> explicit = new HashSet<>();
    private final Map<String, String> byAddress = new HashMap<>();

    NginxListeners(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    /** A name for each server block. */
    List<String> names(List<Directive> servers, NginxScope http) {
        List<String> names = new ArrayList<>();
        for (Directive server : servers) {
            String name = http.within(server).here("server_name").stream()
                    .flatMap(d -> d.arguments().stream())
                    .filter(n -> HOST.matcher(n).matches() && !n.equals("_"))
                    .findFirst()
                    .orElse("server-" + server.at().line());
            String plain =
                    name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-").replaceAll("^-+", "");
            names.add(names.contains(plain) ? plain + "-" + server.at().line() : plain);
        }
        return names;
    }

    /** The hosts of a server block that a route or a virtual server can name. */
    static List<String> hosts(NginxScope server) {
        List<String> hosts = new ArrayList<>();
        for (Directive d : server.here("server_name")) {
            for (String name : d.arguments()) {
                if (name.startsWith(".") && HOST.matcher(name.substring(1)).matches()) {
                    hosts.add(name.substring(1));
                    hosts.add("*" + name);
                } else if (HOST.matcher(name).matches() && !name.equals("_")) {
                    hosts.add(name);
                }
            }
        }
        return hosts;
    }

    /**
     * Adds what a server block listens on.
     *
     * @param name of its virtual server; null: there is only one
     */
    void server(Directive server, NginxScope scope, @Nullable String name) {
        List<Directive> listens = scope.here("listen");
        List<String> on = new ArrayList<>();
        Section tls = tls(scope);
        for (Directive d : listens) {
            String listener = listen(d, scope, tls, name);
            if (listener != null) {
                on.add(listener);
            }
        }
        if (listens.isEmpty()) {
            on.add(listener("0.0.0.0", "80", new Section().from(server.at()), name));
        }
        if (name != null) {
            Section vs = root.section("virtual-servers").section(name).from(server.at());
            List<String> hosts = hosts(scope);
            if (!hosts.isEmpty()) {
                vs.put("hosts", hosts);
            }
            vs.put("listeners", on.stream().distinct().toList());
        }
        for (Directive d : scope.here("server_name")) {
            for (String host : d.arguments()) {
                unsaid(d, host);
            }
        }
    }

    private void unsaid(Directive d, String host) {
        boolean known = host.isEmpty() || host.equals("_") || HOST.matcher(host).matches();
        if (!known && !(host.startsWith(".") && HOST.matcher(host.substring(1)).matches())) {
            findings.left(d.at(), "server_name " + host, "a virtual server has names and *.name, no other patterns");
        }
    }

    private @Nullable String listen(Directive d, NginxScope scope, Section tls, @Nullable String name) {
        Matcher m = ADDRESS.matcher(d.argument(0));
        String address = "0.0.0.0";
        String port = "80";
        if (m.matches()) {
            port = m.group(2);
            address = m.group(1) == null || m.group(1).equals("*") ? address : m.group(1);
        } else if (d.argument(0).matches("[0-9.]+|localhost")) {
            address = d.argument(0);
        } else {
            findings.left(d.at(), d.text(), "expected a port, or an address and a port");
            return null;
        }
        Section made = new Section().from(d.at());
        boolean ssl = d.arguments().contains("ssl");
        if (ssl) {
            made.entries().put("tls", new Section.Entry(tls.copy(), null));
        }
        boolean http2 =
                d.arguments().contains("http2") || scope.value("http2", "off").equals("on");
        if (!http2) {
            if (ssl) {
                made.section("tls").put("alpn", List.of("http/1.1"));
            } else {
                made.put("http2", "refused");
            }
        }
        options(d, made);
        String plain = address.startsWith("[") ? address.substring(1, address.length() - 1) : address;
        if (plain.matches("[0:]*::0*")) {
            if (!byAddress.containsKey("0.0.0.0:" + port)) {
                findings.note(d.at(), "listen " + d.argument(0) + ": the listener takes connections of IPv4, too");
            }
            plain = "0.0.0.0";
        }
        String other = byAddress.get(plain + ":" + port);
        if (other != null && ssl != root.section("listeners").section(other).has("tls")) {
            findings.left(d.at(), d.text(), "port " + port + " has one listener, which has TLS or has none");
            return null;
        }
        String listener = listener(plain.equals("localhost") ? "127.0.0.1" : plain, port, made, name);
        boolean asDefault =
                d.arguments().contains("default_server") || d.arguments().contains("default");
        if (asDefault && name != null) {
            first.put(listener, name);
            explicit.add(listener);
        }
        if (ssl && tls.list("certificates").isEmpty()) {
            findings.left(d.at(), d.text(), "there is no ssl_certificate; without one it is no TLS listener");
            root.section("listeners").section(listener).remove("tls");
            root.section("listeners").section(listener).put("address", "127.0.0.1", d.at());
        }
        return listener;
    }

    private void options(Directive d, Section made) {
        for (String option : d.arguments().subList(1, d.arguments().size())) {
            String value = option.substring(option.indexOf('=') + 1);
            if (option.startsWith("backlog=") && value.matches("[1-9][0-9]{0,4}")) {
                made.put("backlog", value);
            } else if (option.equals("proxy_protocol")) {
                made.section("proxy-protocol").put("enabled", "on");
                findings.note(d.at(), "proxy_protocol: name the balancers in proxy-protocol.trusted; this machine is");
            } else if (!PLAIN.contains(option)
                    && !option.startsWith("ipv6only=")
                    && !option.startsWith("so_keepalive=")) {
                findings.left(d.at(), "listen " + option, "a listener has no such setting");
            }
        }
    }

    /** The listener of an address, made if there is none; the certificates of several servers are all its own. */
    private String listener(String address, String port, Section made, @Nullable String name) {
        String key = address + ":" + port;
        String known = byAddress.get(key);
        if (known == null) {
            boolean any = address.equals("0.0.0.0");
            boolean taken = root.section("listeners").has("port-" + port);
            known = any || !taken ? "port-" + port : ("port-" + port + "-" + byAddress.size());
            byAddress.put(key, known);
            Section into = root.section("listeners").section(known).from(made.from());
            into.put("address", address).put("port", port);
            made.entries().forEach(into.entries()::put);
        } else if (made.has("tls")) {
            Section tls = root.section("listeners").section(known).section("tls");
            made.section("tls").list("certificates").forEach(c -> {
                boolean there = tls.list("certificates").stream()
                        .anyMatch(o -> String.valueOf(o.text("chain-file")).equals(c.text("chain-file")));
                if (!there) {
                    tls.list("certificates").add(c);
                }
            });
            strictest(made.section("tls"), tls, made.from());
        }
        if (name != null) {
            first.putIfAbsent(known, name);
        }
        return known;
    }

    /** Servers of one listener share what it demands of clients. */
    private void strictest(Section of, Section all, @Nullable Place at) {
        String demand = of.text("client-auth");
        String known = all.text("client-auth");
        if (demand != null && !demand.equals(known) && at != null) {
            findings.note(at, "ssl_verify_client: the listener demands it of the clients of all its servers");
            all.put("client-auth", demand.equals("need") || known == null ? demand : known, at);
            for (String file : List.of("client-trust", "client-crl")) {
                String name = of.text(file);
                if (name != null) {
                    all.putFirst(file, name, at);
                }
            }
        }
    }

    private Section tls(NginxScope scope) {
        Section tls = new Section();
        List<Directive> chains = scope.all("ssl_certificate");
        List<Directive> keys = scope.all("ssl_certificate_key");
        List<Section> certificates = tls.list("certificates");
        for (int i = 0; i < Math.min(chains.size(), keys.size()); i++) {
            Directive chain = chains.get(i);
            if (NginxValues.constant(chain.argument(0))
                    && NginxValues.constant(keys.get(i).argument(0))) {
                certificates.add(new Section()
                        .from(chain.at())
                        .put("chain-file", scope.file(chain.argument(0)))
                        .put("key-file", scope.file(keys.get(i).argument(0))));
            } else {
                findings.left(chain.at(), chain.text(), "files have constant names");
            }
        }
        String verify = scope.value("ssl_verify_client", "off");
        Directive trust = scope.one("ssl_client_certificate");
        Directive crl = scope.one("ssl_crl");
        if (!verify.equals("off")) {
            // optional_no_ca lets the application decide: a certificate that is shown must be valid here
            tls.put("client-auth", verify.equals("on") ? "need" : "want");
        }
        if (trust != null) {
            tls.put("client-trust", scope.file(trust.argument(0)), trust.at());
        }
        if (crl != null) {
            tls.put("client-crl", scope.file(crl.argument(0)), crl.at());
        }
        if (scope.value("ssl_stapling", "off").equals("on")) {
            tls.section("stapling").put("enabled", "on");
        }
        return tls;
    }

    /** Names the virtual servers of requests without a known host. */
    void defaults(boolean single) {
        if (!single) {
            first.forEach((listener, name) ->
                    root.section("listeners").section(listener).put("virtual-server", name));
        }
    }
}
