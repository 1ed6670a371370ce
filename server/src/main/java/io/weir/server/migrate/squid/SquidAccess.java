package io.weir.server.migrate.squid;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Methods;
import io.weir.server.migrate.squid.SquidAcls.Acl;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * http_access in order as one set of requests for each kind of them. Each rule that refuses narrows all sets of the rules
 * after it; where only part of it can be said, more is refused. Of several sets that are allowed and do not join, one is
 * taken. Confined to one migration.
 */
final class SquidAccess {
    /** Kinds of requests. */
    enum Kind {
        /** With an absolute URL. */
        FORWARD,
        TUNNEL,
        /** To a server that Squid stands in front of. */
        REVERSE
    }

    /** What one word of a rule means for a kind of request. */
    private record Literal(boolean not, Acl acl) {
        @Override
        public String toString() {
            return (not ? "!" : "") + acl.name();
        }
    }

    private final SquidAcls acls;
    private final Findings findings;
    private final List<Directive> rules;

    SquidAccess(SquidAcls acls, List<Directive> rules, Findings findings) {
        this.acls = acls;
        this.rules = rules;
        this.findings = findings;
    }

    /** The requests of a kind that are allowed; null: none. */
    @Nullable
    SquidBox allowed(Kind kind) {
        List<SquidBox> allowed = new ArrayList<>();
        SquidBox left = SquidBox.EVERY;
        Directive last = null;
        for (Directive rule : rules) {
            List<Literal> literals = literals(rule, kind);
            last = rule;
            if (literals == null) {
                continue;
            }
            if (rule.word(0).equals("allow")) {
                SquidBox box = allow(left, rule, literals, kind);
                if (box != null && !box.isEmpty()) {
                    allowed.add(box);
                }
                if (literals.isEmpty()) {
                    return one(allowed, rule);
                }
            } else {
                SquidBox narrowed = deny(left, rule, literals, kind);
                if (narrowed == null || narrowed.isEmpty()) {
                    return one(allowed, rule);
                }
                left = narrowed;
            }
        }
        if (last != null && last.word(0).equals("deny")) {
            findings.note(last.at(), "the last rule denies, so Squid allows what it does not match");
            allowed.add(left);
        }
        return last == null ? null : one(allowed, last);
    }

    /** Joins what joins, and takes the largest. */
    private @Nullable SquidBox one(List<SquidBox> allowed, Directive at) {
        List<SquidBox> boxes = new ArrayList<>(allowed);
        for (int i = 0; i < boxes.size(); i++) {
            for (int j = boxes.size() - 1; j > i; j--) {
                SquidBox both = boxes.get(i).or(boxes.get(j));
                if (both != null) {
                    boxes.set(i, both);
                    boxes.remove(j);
                    j = boxes.size();
                }
            }
        }
        narrow(boxes, at);
        SquidBox most = boxes.stream()
                .max(Comparator.comparingInt((SquidBox b) -> b.hosts() == null ? 1 : 0)
                        .thenComparingInt(b -> b.clients().equals(AddressSet.ALL) ? 0 : 1)
                        .thenComparingInt(b -> b.users() == null ? 0 : 1))
                .orElse(null);
        if (boxes.size() > 1) {
            findings.left(
                    at.at(),
                    "http_access",
                    "its rules allow " + boxes.size()
                            + " sets of requests that differ in more than clients; one is allowed, the others are refused");
        }
        return most;
    }

    /** Clients with different rights, where hosts and users are the same, get the rights of both. */
    private void narrow(List<SquidBox> boxes, Directive at) {
        for (int i = 0; i + 1 < boxes.size(); ) {
            SquidBox first = boxes.get(i);
            SquidBox second = boxes.get(i + 1);
            SquidBox both = first.narrowed(second);
            if (both == null) {
                i++;
                continue;
            }
            boxes.set(i, both);
            boxes.remove(i + 1);
            if (first.differs(second)) {
                findings.left(at.at(), "http_access", "clients have different rights; all get what each of them has");
            } else {
                findings.note(
                        at.at(),
                        "http_access: no client reaches what it refuses to some of them, but for this machine");
            }
        }
    }

    /** The words that decide for this kind; null: the rule never applies to it. */
    private @Nullable List<Literal> literals(Directive rule, Kind kind) {
        List<Literal> literals = new ArrayList<>();
        for (String word : rule.words().subList(1, rule.words().size())) {
            boolean not = word.startsWith("!");
            Acl acl = acls.named(not ? word.substring(1) : word);
            if (acl == null) {
                // reported before
                return null;
            }
            Boolean known = known(acl.test(), kind);
            if (known == null) {
                literals.add(new Literal(not, acl));
            } else if (known == not) {
                return null;
            }
        }
        return literals;
    }

    /** Whether all requests of the kind match, or none; null: some do. */
    private static @Nullable Boolean known(SquidAcls.Test test, Kind kind) {
        return switch (test) {
            case SquidAcls.Clients c when c.addresses().equals(AddressSet.ALL) -> true;
            case SquidAcls.Destinations d when d.addresses().equals(AddressSet.ALL) -> true;
            case SquidAcls.Methods m when kind == Kind.TUNNEL -> m.names().contains("CONNECT");
            case SquidAcls.Methods m when m.names().equals(Set.of("CONNECT")) -> false;
            case SquidAcls.Path _ when kind == Kind.TUNNEL -> false;
            case SquidAcls.Ports _ when kind == Kind.REVERSE -> true;
            // where they go is configured
            case SquidAcls.Destinations _ when kind == Kind.REVERSE -> false;
            case SquidAcls.Schemes s
            when !s.names().contains("http") && !s.names().contains("https") -> false;
            case SquidAcls.Schemes s when s.names().containsAll(Set.of("http", "https")) -> true;
            default -> null;
        };
    }

    private @Nullable SquidBox allow(SquidBox from, Directive rule, List<Literal> literals, Kind kind) {
        SquidBox box = from;
        for (Literal l : literals) {
            if (!l.not() && l.acl().name().equals("manager")) {
                findings.note(rule.at(), rule.text() + ": the admin listener has the statistics");
                return null;
            }
            SquidBox next = l.not() ? excluded(box, l.acl(), kind) : only(box, l.acl());
            if (next == null) {
                findings.left(
                        rule.at(), rule.text(), "no rule says " + l + why(l.acl()) + "; these requests are refused");
                return null;
            }
            box = next;
        }
        return box;
    }

    private static String why(Acl acl) {
        return acl.test() instanceof SquidAcls.Unknown u ? " (" + u.why() + ")" : "";
    }

    /** What a rule that refuses leaves; null: nothing. */
    private @Nullable SquidBox deny(SquidBox from, Directive rule, List<Literal> literals, Kind kind) {
        if (literals.isEmpty()) {
            return null;
        }
        SquidBox best = null;
        Literal by = null;
        int rank = Integer.MAX_VALUE;
        for (Literal l : literals) {
            SquidBox box = l.not() ? only(from, l.acl()) : excluded(from, l.acl(), kind);
            if (box != null && cost(l) < rank) {
                best = box;
                by = l;
                rank = cost(l);
            }
        }
        if (by == null) {
            findings.left(
                    rule.at(),
                    rule.text(),
                    "no rule says " + literals.getFirst()
                            + why(literals.getFirst().acl()) + "; everything that it may match is refused");
            return null;
        }
        if (literals.size() > 1) {
            findings.left(
                    rule.at(),
                    rule.text(),
                    "one rule cannot say all of it: " + by + " alone decides, so more is refused");
        }
        return best;
    }

    /** What is lost where one word stands for a whole rule: what names the destination loses least. */
    private static int cost(Literal l) {
        int kind = switch (l.acl().test()) {
            case SquidAcls.Url _, SquidAcls.Path _ -> 0;
            case SquidAcls.Hosts _ -> 1;
            case SquidAcls.Destinations _ -> 2;
            case SquidAcls.Methods _ -> 3;
            case SquidAcls.Ports _ -> 4;
            case SquidAcls.Clients _ -> 5;
            default -> 6;
        };
        return kind + (l.not() ? 10 : 0);
    }

    /** Those that match; null: this cannot be said. */
    private static @Nullable SquidBox only(SquidBox box, Acl acl) {
        return switch (acl.test()) {
            case SquidAcls.Clients c -> box.clients(box.clients().and(c.addresses()));
            case SquidAcls.Ports p -> box.ports(box.ports().and(p.ports()));
            case SquidAcls.Methods m -> box.methods(m.names().stream().sorted().toList());
            case SquidAcls.Hosts h -> onlyHosts(box, h.names());
            case SquidAcls.Users u -> onlyUsers(box, u.names());
            default -> null;
        };
    }

    private static @Nullable SquidBox onlyHosts(SquidBox box, List<String> names) {
        List<String> before = box.hosts();
        if (before == null) {
            return box.hosts(names);
        }
        List<String> both = before.stream().filter(names::contains).toList();
        return both.isEmpty() ? null : box.hosts(both);
    }

    private static @Nullable SquidBox onlyUsers(SquidBox box, List<String> names) {
        List<String> before = box.users();
        if (before == null || before.isEmpty()) {
            return box.users(names);
        }
        List<String> both = names.isEmpty()
                ? before
                : before.stream().filter(names::contains).toList();
        return both.isEmpty() ? null : box.users(both);
    }

    /** Those that do not match, or fewer; null: this cannot be said. */
    private static @Nullable SquidBox excluded(SquidBox box, Acl acl, Kind kind) {
        return switch (acl.test()) {
            case SquidAcls.Clients c -> box.clients(box.clients().without(c.addresses()));
            case SquidAcls.Ports p -> box.ports(box.ports().without(p.ports()));
            case SquidAcls.Methods m -> box.methods(Methods.without(List.copyOf(m.names())));
            case SquidAcls.Hosts h -> box.without(h.names(), h.byName());
            case SquidAcls.Destinations d -> box.networks(d.addresses());
            case SquidAcls.Url u -> expressions(box, u.expressions(), kind, false);
            case SquidAcls.Path p -> expressions(box, p.expressions(), kind, true);
            default -> null;
        };
    }

    private static @Nullable SquidBox expressions(SquidBox box, List<String> squid, Kind kind, boolean path) {
        List<String> ours = new ArrayList<>();
        for (String regex : squid) {
            boolean manager = regex.contains("squid-internal-mgr");
            String one =
                    manager ? SquidRegex.MANAGER : path ? SquidRegex.path(regex, kind) : SquidRegex.url(regex, kind);
            if (one == null) {
                return null;
            }
            ours.add(one);
            if (kind == Kind.FORWARD && !manager) {
                ours.add(path ? SquidRegex.NO_PATH : SquidRegex.UNUSUAL);
            }
        }
        return box.expressions(ours);
    }
}
