package io.weir.server.migrate.squid;

import io.weir.base.Nearest;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A {@code squid.conf} as listeners, routes and {@code proxy.destinations}. Used once.
 *
 */
public final class SquidMigration {
    /** Lists of rules that refuse requests or answers in a way that Weir does not have. */
    private static final Set<String> GATES =
            Set.of("adapted_http_access", "http_access2", "http_reply_access", "miss_access", "adaptation_access");
    /** Programs that may refuse requests. */
    private static final Set<String> PROGRAMS =
            Set.of("url_rewrite_program", "redirect_program", "store_id_program", "ecap_enable", "icap_enable");

    private final Section root;
    private final Findings findings;
    private final Map<String, List<Directive>> directives = new LinkedHashMap<>();

    public SquidMigration(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    public void translate(Path file, String text) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        new SquidParser(findings, folder == null ? Path.of("") : folder)
                .read(file, text)
                .forEach(d -> directives
                        .computeIfAbsent(d.name(), _ -> new ArrayList<>())
                        .add(d));
        SquidAcls acls = new SquidAcls(findings);
        take("acl").forEach(acls::read);
        List<Directive> access = take("http_access");
        List<Directive> peers = take("cache_peer");
        List<Directive> peerAccess = take("cache_peer_access");
        check(access, 0, acls);
        check(peerAccess, 1, acls);
        if (!findings.problems().isEmpty()) {
            return;
        }
        List<Directive> direct = take("never_direct");
        take("always_direct");
        SquidListeners listeners = new SquidListeners(root, findings);
        take("http_port").forEach(d -> listeners.add(d, false));
        take("https_port").forEach(d -> listeners.add(d, true));
        SquidUsers users = SquidUsers.of(take("auth_param"), findings);
        SquidAccess allowed = new SquidAccess(acls, access, findings);
        List<Section> routes = root.section("proxy").list("routes");
        boolean gated = gated();
        Section fields = fields();
        if (listeners.forwards()) {
            boolean parents = parents(peers, direct);
            new SquidForward(root, findings, users, listeners.forwardServer(), fields)
                    .write(gated || parents ? null : allowed, tunnels(), routes);
        }
        if (listeners.reverses()) {
            new SquidReverse(root, findings, users, acls, listeners.reverseServer(), fields)
                    .write(gated ? null : allowed.allowed(SquidAccess.Kind.REVERSE), peers, peerAccess, routes);
        }
        if (routes.isEmpty()) {
            routes.add(new Section().put("deny", "on"));
        }
        new SquidSettings(root, findings).translate(directives, acls);
        SquidLogs.write(take("logformat"), take("access_log"), root, findings);
        SquidUnsaid.list(directives, findings);
    }

    private List<Directive> take(String name) {
        List<Directive> found = directives.remove(name);
        return found == null ? List.of() : found;
    }

    /** Rules say allow or deny, and name acls that exist. */
    private void check(List<Directive> rules, int at, SquidAcls acls) {
        for (Directive d : rules) {
            if (!Set.of("allow", "deny").contains(d.word(at))) {
                findings.problem(d.at(), d.name() + ": expected allow or deny, found \"" + d.word(at) + "\"");
            }
            for (String word : d.words()
                    .subList(Math.min(at + 1, d.words().size()), d.words().size())) {
                String name = word.startsWith("!") ? word.substring(1) : word;
                if (acls.named(name) == null) {
                    findings.problem(
                            d.at(),
                            d.name() + ": there is no acl \"" + name + "\"" + Nearest.known(name, acls.names()));
                }
            }
        }
    }

    /** Whether something beside http_access decides about requests: then none is allowed. */
    private boolean gated() {
        boolean gated = false;
        for (String name : GATES) {
            for (Directive d : take(name)) {
                if (d.words().contains("deny")) {
                    findings.left(d.at(), d.text(), "only http_access is translated; all requests are refused");
                    gated = true;
                }
            }
        }
        for (String name : PROGRAMS) {
            for (Directive d : take(name)) {
                if (!Set.of("none", "off").contains(d.word(0))) {
                    findings.left(d.at(), d.text(), "it may refuse requests, and is not run; all requests are refused");
                    gated = true;
                }
            }
        }
        return gated;
    }

    /** Whether tunnels are opened as they are. */
    private boolean tunnels() {
        boolean plain = true;
        for (Directive d : take("ssl_bump")) {
            if (!Set.of("splice", "none", "peek").contains(d.word(0))) {
                findings.left(d.at(), d.text(), "tunnels are not looked into: none is opened");
                plain = false;
            }
        }
        return plain;
    }

    /** Whether requests may go only through other proxies. */
    private boolean parents(List<Directive> peers, List<Directive> direct) {
        boolean never = direct.stream().anyMatch(d -> d.word(0).equals("allow"));
        boolean only = false;
        for (Directive d : peers) {
            if (!d.words().contains("originserver")) {
                findings.left(
                        d.at(),
                        "cache_peer " + d.word(0),
                        never
                                ? "requests go to origins directly only; all are refused"
                                : "requests go to origins directly");
                only |= never;
            }
        }
        return only;
    }

    /** request_header_access and reply_header_access: fields that nobody gets. */
    private Section fields() {
        Section fields = new Section();
        Map.of("request_header_access", "remove-request-headers", "reply_header_access", "remove-response-headers")
                .forEach((directive, key) -> {
                    List<String> names = new ArrayList<>();
                    for (Directive d : take(directive)) {
                        boolean all = d.words().size() == 3
                                && d.word(1).equals("deny")
                                && d.word(2).equals("all");
                        if (all
                                && d.word(0).matches("[A-Za-z0-9-]+")
                                && !d.word(0).equalsIgnoreCase("All")) {
                            names.add(d.word(0));
                        } else if (!d.word(1).equals("allow")) {
                            findings.left(d.at(), d.text(), "a field is removed for all, or for nobody");
                        }
                    }
                    if (!names.isEmpty()) {
                        fields.put(key, names.stream().distinct().toList());
                    }
                });
        return fields;
    }
}
