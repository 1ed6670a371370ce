package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.TEXT;
import static io.weir.proxy.function.ParameterSpec.Type.WILDCARD;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions of all stages: set-variable, and match-browser, which sets variables for some clients. Stateless. */
final class VariableFunctions {
    /** The variable that says that a match-browser matched: the first that does is the only one. */
    private static final String MATCHED = "matched-browser";

    private static final Set<Stage> ANY = EnumSet.allOf(Stage.class);

    private VariableFunctions() {}

    static List<ServerFunction> all() {
        return List.of(setVariable(), matchBrowser());
    }

    private static List<ParameterSpec> parameters(List<ParameterSpec> own) {
        List<ParameterSpec> all = new ArrayList<>(own);
        for (String change : List.of("insert", "set", "remove")) {
            all.add(several(change, "block.name=value: the block is one of the following"));
            all.add(several(change + "-vars", "a variable, name=value; of remove: a name"));
            all.add(several(change + "-headers", "a field of the request to the origin, name=value or Name: value"));
            all.add(several(change + "-srvhdrs", "a field of the answer to this client, likewise"));
            all.add(several(change + "-client", "refused: what is known about the client is not changed"));
            all.add(several(change + "-reqpb", "refused: the request line is not changed"));
        }
        all.add(ParameterSpec.optional("name", TEXT, "an object to add"));
        all.add(ParameterSpec.optional("abort", TEXT, "true: the request fails, 500 unless error says otherwise"));
        all.add(ParameterSpec.optional("error", TEXT, "a status and a reason, 403 Forbidden: it is refused with them"));
        all.add(ParameterSpec.optional("exit", TEXT, "true: the connection is closed"));
        all.add(ParameterSpec.optional("noaction", TEXT, "true: the stage continues, as without it"));
        all.add(ParameterSpec.optional("stop", TEXT, "true: in stages of which one directive applies, this was it"));
        all.add(ParameterSpec.optional("url", TEXT, "the request is redirected there, 302"));
        all.add(ParameterSpec.optional("escape", TEXT, "accepted; the escaping of url is not changed"));
        all.add(ParameterSpec.optional("keep-alive", TEXT, "off: the client's connection ends with this answer"));
        all.add(ParameterSpec.optional(
                "ssl-unclean-shutdown", TEXT, "accepted; connections always end with close_notify"));
        all.add(ParameterSpec.optional("http-downgrade", TEXT, "refused: answers are in the client's version"));
        all.add(ParameterSpec.optional("http-upgrade", TEXT, "refused likewise"));
        all.add(ParameterSpec.optional("find-pathinfo-forward", TEXT, "accepted; there is no path info"));
        all.add(ParameterSpec.optional("nostat", TEXT, "accepted; Weir never looks for a file"));
        return all;
    }

    private static ParameterSpec several(String name, String doc) {
        return new ParameterSpec(name, TEXT, null, false, true, List.of(), doc);
    }

    /** {@code $name="value"}, or {@code $map{'key'}="value"}. */
    private static @Nullable ParameterSpec variable(String name) {
        return name.startsWith("$") && name.length() > 1
                ? ParameterSpec.optional(name, TEXT, "the value of this variable")
                : null;
    }

    private static ServerFunction setVariable() {
        return SimpleFunction.of(
                        "set-variable",
                        ANY,
                        "Sets variables and fields, or ends the stage or the request.",
                        parameters(List.of()),
                        VariableFunctions::changes)
                .further(VariableFunctions::variable)
                .naming();
    }

    private static ServerFunction matchBrowser() {
        return SimpleFunction.of(
                        "match-browser",
                        ANY,
                        "As set-variable for clients whose User-Agent matches; the first that matches is the only one.",
                        parameters(List.of(
                                ParameterSpec.required("browser", WILDCARD, "shell expression over User-Agent"))),
                        p -> {
                            PathPattern browser = Patterns.parse(PathMatch.WILDCARD, p.need("browser"));
                            ServerFunction.Step changes = changes(p);
                            return run -> {
                                Fields fields = run.request().head().fields();
                                int i = fields.indexOf(FieldName.USER_AGENT, 0);
                                boolean matches = i < 0
                                        ? browser.matches(fields.bytes(), 0, 0)
                                        : browser.matches(fields.bytes(), fields.valueStart(i), fields.valueEnd(i));
                                if (!matches || run.variable(MATCHED) != null || !run.variable(MATCHED, "1")) {
                                    return StepOutcome.NOACTION;
                                }
                                return changes.run(run);
                            };
                        })
                .further(VariableFunctions::variable)
                .naming();
    }

    /** @throws IllegalArgumentException saying which parameter cannot be meant */
    private static ServerFunction.Step changes(Parameters p) {
        return new VariableChanges(p);
    }
}
