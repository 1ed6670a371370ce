package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.INTEGER;
import static io.weir.proxy.function.ParameterSpec.Type.REGEX;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;
import static io.weir.proxy.function.ParameterSpec.Type.WILDCARD;

import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions of PathCheck that can refuse with a page of their own. Stateless. */
final class FilterFunctions {
    private static final Set<Stage> PATH_CHECK = Set.of(Stage.PATH_CHECK);
    private static final ParameterSpec BONG_FILE = ParameterSpec.optional(
            "bong-file", TEXT, "a page to refuse with, text or HTML, read once, at most 64 KiB; absent: the usual one");

    private FilterFunctions() {}

    static List<ServerFunction> all() {
        return List.of(urlFilter(), sslCheck(), denyExistence(), uriClean("unix-uri-clean"), uriClean("nt-uri-clean"));
    }

    /** Refuses with the fault, or with a page and the fault's status. */
    private static ServerFunction.Step refusal(Parameters p, ProxyFault fault) {
        String file = p.text("bong-file");
        if (file == null) {
            return run -> run.abort(fault);
        }
        byte[] page = Pages.read("the page", file, Pages.MAX_PAGE);
        Action answer = new Action.Respond(fault.status(), Pages.type(page), page);
        return run -> run.abort(fault, answer);
    }

    private static ServerFunction urlFilter() {
        return SimpleFunction.of(
                        "url-filter",
                        PATH_CHECK,
                        "Refuses by the request's target, as it was sent or as an URL: allow wins over deny.",
                        List.of(
                                ParameterSpec.optional(
                                        "allow", REGEX, "targets that pass, or a name of init-url-filter"),
                                ParameterSpec.optional(
                                        "deny", REGEX, "targets that do not, or a name of init-url-filter"),
                                ParameterSpec.optional(
                                        "allow-file", TEXT, "a file with such expressions, one a line, at most 1 MiB"),
                                ParameterSpec.optional("deny-file", TEXT, "likewise"),
                                BONG_FILE),
                        p -> {
                            Filter allow = filter(p, "allow");
                            Filter deny = filter(p, "deny");
                            if (allow == null && deny == null) {
                                throw new IllegalArgumentException("give \"allow\", \"deny\" or both");
                            }
                            ServerFunction.Step refusal = refusal(p, ProxyFault.DENIED);
                            return run -> {
                                List<List<String>> spellings = spellings(run);
                                if (allow != null && allow.matchesAll(run, spellings)) {
                                    return StepOutcome.PROCEED;
                                }
                                return deny == null || deny.matchesAny(run, spellings)
                                        ? refusal.run(run)
                                        : StepOutcome.PROCEED;
                            };
                        })
                .reading("allow-file", "deny-file", "bong-file");
    }

    private static @Nullable Filter filter(Parameters p, String name) {
        PathPattern own = CheckFunctions.pattern(p, name);
        String file = p.text(name + "-file");
        if (file == null) {
            return own == null ? null : new Filter(List.of(own));
        }
        if (own != null) {
            throw new IllegalArgumentException("give \"" + name + "\" or \"" + name + "-file\"");
        }
        return new Filter(new String(Pages.read("the filter", file, Pages.MAX_FILE), StandardCharsets.ISO_8859_1)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> Patterns.parse(PathMatch.REGEX, line))
                .toList());
    }

    /** Expressions over targets. Immutable. */
    private record Filter(List<PathPattern> patterns) {
        /** Whether the target matches in any of its spellings and interpretations. */
        boolean matchesAny(FunctionContext run, List<List<String>> spellings) {
            return sent(run) || spellings.stream().anyMatch(s -> s.stream().anyMatch(this::matches));
        }

        /** Whether the target matches in each of its interpretations, as it was sent or in any spelling. */
        boolean matchesAll(FunctionContext run, List<List<String>> spellings) {
            return (spellings.size() == 1 && sent(run))
                    || spellings.stream().allMatch(s -> s.stream().anyMatch(this::matches));
        }

        private boolean sent(FunctionContext run) {
            RequestHead head = run.request().head();
            return patterns.stream().anyMatch(p -> p.matches(head.bytes(), head.targetStart(), head.targetEnd()));
        }

        private boolean matches(String text) {
            return patterns.stream().anyMatch(p -> Patterns.matches(p, text));
        }
    }

    /**
     * For each interpretation of the path its URL; for a tunnel, the forms in which its host and port are written. An
     * address is also written in its other forms.
     */
    private static List<List<String>> spellings(FunctionContext run) {
        if (run.input.form == TargetForm.AUTHORITY) {
            List<String> tunnel = new ArrayList<>();
            for (String each : with(run.publicHost(), run.otherHosts())) {
                String named = each + ":" + run.port();
                tunnel.addAll(List.of(named, "connect://" + named, "http://" + named + "/", "https://" + named + "/"));
                if (run.port() == 443) {
                    tunnel.add("https://" + each + "/");
                }
            }
            return List.of(tunnel);
        }
        List<String> origins = with(run.publicOrigin(), run.otherOrigins());
        String target = run.target();
        String rest = target.substring(run.path().length());
        List<List<String>> all = new ArrayList<>();
        all.add(origins.stream().map(o -> o + target).toList());
        for (String other : run.otherPaths()) {
            all.add(origins.stream().map(o -> o + other + rest).toList());
        }
        return all;
    }

    private static List<String> with(String first, List<String> others) {
        List<String> all = new ArrayList<>(others);
        all.addFirst(first);
        return all;
    }

    private static ServerFunction sslCheck() {
        return SimpleFunction.of(
                        "ssl-check",
                        PATH_CHECK,
                        "Refuses clients whose connection is not encrypted, or with shorter keys.",
                        List.of(
                                ParameterSpec.of(
                                        "secret-keysize", INTEGER, "128", "bits that the key must have at least"),
                                BONG_FILE),
                        p -> {
                            int least = p.integer("secret-keysize");
                            ServerFunction.Step refusal = refusal(p, ProxyFault.CIPHER_WEAK);
                            return run -> run.request().secretKeySize() >= Math.max(1, least)
                                    ? StepOutcome.PROCEED
                                    : refusal.run(run);
                        })
                .reading("bong-file");
    }

    private static ServerFunction denyExistence() {
        return SimpleFunction.of(
                        "deny-existence",
                        PATH_CHECK,
                        "Answers 404: what matches does not exist for clients.",
                        List.of(
                                ParameterSpec.optional("path", WILDCARD, "shell expression over the path; absent: all"),
                                BONG_FILE),
                        p -> {
                            PathPattern path =
                                    p.text("path") == null ? null : Patterns.parse(PathMatch.WILDCARD, p.need("path"));
                            ServerFunction.Step refusal = refusal(p, ProxyFault.NO_ROUTE);
                            return run -> path == null
                                            || path.matches(run.input.pathBytes, run.input.pathFrom, run.input.pathTo)
                                    ? refusal.run(run)
                                    : StepOutcome.NOACTION;
                        })
                .narrowedBy("path", PathMatch.WILDCARD)
                .reading("bong-file");
    }

    private static ServerFunction uriClean(String name) {
        return SimpleFunction.of(
                name,
                PATH_CHECK,
                "Accepted: paths are in their normal form, without dot segments, before anything is decided.",
                List.of(
                        ParameterSpec.of("dotdirok", FLAG, "0", "accepted; there are none"),
                        ParameterSpec.of("tildeok", FLAG, "0", "accepted; a tilde means nothing here")),
                _ -> _ -> StepOutcome.NOACTION);
    }
}
