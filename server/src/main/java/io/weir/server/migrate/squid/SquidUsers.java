package io.weir.server.migrate.squid;

import io.weir.base.ConfigNode.Place;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import io.weir.server.migrate.draft.SourceFile;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * auth_param: who may log in.
 *
 * @param realm null: the default
 * @param names of the file of passwords; empty: it is not known
 */
record SquidUsers(
        @Nullable String realm,
        List<String> names,
        @Nullable Place at) {
    /** Reads auth_param. */
    static SquidUsers of(List<Directive> parameters, Findings findings) {
        String realm = null;
        List<String> names = List.of();
        Place at = null;
        for (Directive d : parameters) {
            if (!d.word(0).equals("basic")) {
                findings.left(d.at(), d.text(), "users log in with name and password (basic)");
            } else if (d.word(1).equals("realm")) {
                realm = d.rest(2).replace("\"", "");
            } else if (d.word(1).equals("program")) {
                at = d.at();
                String text = SourceFile.beside(d.at().source(), d.words().getLast(), 1 << 20);
                names = text == null || d.words().size() < 4 ? List.of() : users(text);
            } else if (!Set.of("children", "credentialsttl", "casesensitive", "utf8", "concurrency")
                    .contains(d.word(1))) {
                findings.left(d.at(), d.text(), "auth has no such setting");
            }
        }
        return new SquidUsers(realm, names, at);
    }

    private static List<String> users(String text) {
        return text.lines()
                .filter(l -> l.matches("[A-Za-z0-9_.@-]+:.*"))
                .map(l -> l.substring(0, l.indexOf(':')))
                .limit(1000)
                .toList();
    }

    /**
     * Adds the login of a route.
     *
     * @param allowed names; empty: all
     */
    void write(Section route, List<String> allowed, Findings findings) {
        Section auth = route.section("auth").put("basic", "on", at);
        if (realm != null && !realm.isEmpty()) {
            auth.put("realm", realm.length() > 256 ? realm.substring(0, 256) : realm);
        }
        if (!allowed.isEmpty()) {
            auth.put("users", allowed);
        } else if (names.isEmpty()) {
            auth.put("groups", List.of("squid"));
        } else {
            auth.put("users", names);
        }
        String whom = allowed.isEmpty() && names.isEmpty()
                ? "the users of group squid are admitted (./weir passwd NAME --group squid)"
                : "give the users their passwords with ./weir passwd";
        findings.note(at == null ? Place.of("squid.conf") : at, "auth_param: " + whom);
    }
}
