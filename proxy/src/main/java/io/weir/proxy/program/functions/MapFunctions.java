package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.weir.http.Method;
import io.weir.http.TargetForm;
import io.weir.http.semantics.NormalPath;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.RegexFault;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Further functions of NameTrans: by regular expressions, of files for clients, and of the path itself. Stateless. */
final class MapFunctions {
    private static final Set<Stage> NAME_TRANS = Set.of(Stage.NAME_TRANS);

    private MapFunctions() {}

    static List<ServerFunction> all() {
        return List.of(
                regexpMap(),
                file("pac-map", "application/x-ns-proxy-autoconfig", "a proxy auto-configuration for clients"),
                file("pat-map", "text/plain; charset=utf-8", "a table of proxies for other proxies"),
                homePage(),
                stripParams());
    }

    private static ServerFunction regexpMap() {
        return SimpleFunction.of(
                        "regexp-map",
                        NAME_TRANS,
                        "Replaces the beginning of a URL that a regular expression matches; as map otherwise.",
                        List.of(
                                ParameterSpec.required(
                                        "from",
                                        TEXT,
                                        "expression (RE2) over the path if it begins with a slash, else over the URL"),
                                ParameterSpec.required(
                                        "to",
                                        TEXT,
                                        "path, or URL of an origin and path; in the path $1 to $9 are groups of from,"
                                                + " $& is what matched; in obj.conf the dollar sign is doubled"),
                                ParameterSpec.optional("name", TEXT, "an object to add"),
                                ParameterSpec.of("rewrite-host", FLAG, "true", "the origin sees its own name in Host")),
                        MapFunctions::regexpStep)
                .when((p, when) -> narrowed(p.need("from"), when))
                .naming();
    }

    /** Most requests are sorted out by the index of all rules, if it can read the expression. */
    private static RuleCondition narrowed(String from, RuleCondition when) {
        if (when.path() != null || !from.startsWith("/")) {
            return when;
        }
        try {
            RuleCondition.PathRule rule = new RuleCondition.PathRule(PathMatch.REGEX, "(" + from + ").*");
            return new RuleCondition(when.hosts(), when.virtualServer(), rule, when.methods(), when.forms());
        } catch (IllegalArgumentException e) {
            return when;
        }
    }

    private static ServerFunction.Step regexpStep(Parameters p) {
        String from = p.need("from");
        String to = p.need("to");
        Pattern pattern = compiled(from);
        String origin = NameFunctions.urlOf(to);
        if (!GroupText.parse(origin, 9).isConstant()) {
            throw new IllegalArgumentException(
                    "the host in \"to\" cannot depend on the request: clients would choose where to fetch from");
        }
        OriginRoute route = NameFunctions.route(origin, p.on("rewrite-host"));
        GroupText replacement = GroupText.parse(to.substring(origin.length()), pattern.groupCount());
        String name = p.text("name");
        boolean wholeUrl = !from.startsWith("/");
        return run -> mapped(run, pattern, wholeUrl, replacement, origin, route, name);
    }

    private static Pattern compiled(String from) {
        try {
            return Pattern.compile(from);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("\"from\": " + RegexFault.reason(e, from), e);
        }
    }

    private static StepOutcome mapped(
            FunctionContext run,
            Pattern pattern,
            boolean wholeUrl,
            GroupText replacement,
            String origin,
            @Nullable OriginRoute route,
            @Nullable String name) {
        String before = wholeUrl ? run.publicOrigin() : "";
        Matcher match = pattern.matcher(before + run.path());
        if (!match.lookingAt()) {
            return StepOutcome.NOACTION;
        }
        byte[] to = NameFunctions.bytes(replacement.of(match));
        run.map(Math.max(0, match.end() - before.length()), to);
        NameFunctions.mapped(run, origin, route);
        return NameFunctions.added(run, name);
    }

    private static ServerFunction file(String function, String type, String what) {
        return SimpleFunction.of(
                        function,
                        NAME_TRANS,
                        "Answers GET and HEAD of one path with a file: " + what + ".",
                        List.of(
                                ParameterSpec.required("from", TEXT, "the path, or the URL"),
                                ParameterSpec.required("to", TEXT, "the file, read once, at most 1 MiB"),
                                ParameterSpec.optional("name", TEXT, "an object to add"),
                                ParameterSpec.of(
                                        "pauth", FLAG, "off", "accepted; PathCheck says which paths need a login")),
                        p -> {
                            UrlFrom from = UrlFrom.parse(p.need("from"));
                            String name = p.text("name");
                            Action answer =
                                    new Action.Respond(200, type, Pages.read("the file", p.need("to"), Pages.MAX_FILE));
                            return run -> {
                                Method method = run.input.method;
                                if (!from.covers(run) || (method != Method.GET && method != Method.HEAD)) {
                                    return StepOutcome.NOACTION;
                                }
                                run.action(answer);
                                return NameFunctions.added(run, name);
                            };
                        })
                .when((p, when) -> ofProxy(UrlFrom.parse(p.need("from")), when))
                .reading("to")
                .naming();
    }

    /** A path is one of the proxy itself, not of the hosts that requests to a forward proxy name. */
    private static RuleCondition ofProxy(UrlFrom from, RuleCondition when) {
        RuleCondition narrow = from.narrow(when, PathMatch.EXACT);
        return from.origin() != null || !narrow.forms().isEmpty()
                ? narrow
                : new RuleCondition(
                        narrow.hosts(),
                        narrow.virtualServer(),
                        narrow.path(),
                        narrow.methods(),
                        Set.of(TargetForm.ORIGIN));
    }

    private static ServerFunction homePage() {
        return SimpleFunction.of(
                        "home-page",
                        NAME_TRANS,
                        "Replaces the path / by that of a page; NameTrans continues with it.",
                        List.of(ParameterSpec.required("path", TEXT, "the page, without a slash at the beginning")),
                        p -> {
                            String page = p.need("path");
                            if (page.startsWith("/")) {
                                throw new IllegalArgumentException(
                                        "\"path\" begins with a slash, and names a file: files"
                                                + " are not served here. Without the slash it is a page of the origin");
                            }
                            byte[] path = NormalPath.of(
                                            "/" + new String(NameFunctions.bytes(page), StandardCharsets.ISO_8859_1))
                                    .getBytes(StandardCharsets.ISO_8859_1);
                            return run -> {
                                run.path(path);
                                return StepOutcome.NOACTION;
                            };
                        })
                .when((_, when) -> when.path() != null
                        ? when
                        : new RuleCondition(
                                when.hosts(),
                                when.virtualServer(),
                                new RuleCondition.PathRule(PathMatch.EXACT, "/"),
                                when.methods(),
                                when.forms()));
    }

    private static ServerFunction stripParams() {
        return SimpleFunction.of(
                "strip-params",
                NAME_TRANS,
                "Removes the parameters of the path's segments, from a semicolon to the next slash, for all that follows.",
                List.of(),
                _ -> run -> {
                    String path = run.path();
                    if (path.indexOf(';') >= 0) {
                        // a segment ..;x becomes one that goes up
                        String stripped = NormalPath.of(path.replaceAll(";[^/]*", ""));
                        run.path(stripped.getBytes(StandardCharsets.ISO_8859_1));
                    }
                    return StepOutcome.NOACTION;
                });
    }
}
