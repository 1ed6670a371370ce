package io.weir.proxy.program.functions;

import static io.weir.proxy.function.ParameterSpec.Type.FLAG;
import static io.weir.proxy.function.ParameterSpec.Type.INTEGER;
import static io.weir.proxy.function.ParameterSpec.Type.TEXT;

import io.weir.http.RequestHead;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.pool.OriginsConfig;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.MatchInput;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.origin.Origin;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.origin.ReverseMapping;
import io.weir.proxy.program.origin.UrlMapping;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The functions of NameTrans: they map the request's URL. Stateless. */
final class NameFunctions {
    private static final Set<Stage> NAME_TRANS = Set.of(Stage.NAME_TRANS);

    private static final String FROM = "path prefix, whole segments, or the same with the URL's scheme and host";

    private static final Pattern SCHEME_ONLY = Pattern.compile("(https?:)/(?!/)");

    private NameFunctions() {}

    static List<ServerFunction> all() {
        return List.of(assignName(), map(), reverseMap(), hostMap(), redirect());
    }

    private static ServerFunction assignName() {
        return SimpleFunction.of(
                        "assign-name",
                        NAME_TRANS,
                        "Adds an object for paths that match.",
                        List.of(
                                ParameterSpec.required("from", TEXT, "shell expression over the path"),
                                ParameterSpec.required("name", TEXT, "the object"),
                                ParameterSpec.optional("nostat", TEXT, "accepted; Weir never looks for a file here"),
                                ParameterSpec.optional(
                                        "find-pathinfo-forward", TEXT, "accepted; there is no path info")),
                        p -> {
                            String name = p.need("name");
                            return run -> added(run, name);
                        })
                .from(PathMatch.WILDCARD)
                .naming();
    }

    static StepOutcome added(FunctionContext run, @Nullable String name) {
        return name == null || run.add(name) ? StepOutcome.PROCEED : StepOutcome.ABORTED;
    }

    private static ServerFunction map() {
        return SimpleFunction.of(
                        "map",
                        NAME_TRANS,
                        "Replaces a path prefix; to with scheme and host also selects the origin.",
                        List.of(
                                ParameterSpec.required("from", TEXT, FROM),
                                ParameterSpec.required(
                                        "to",
                                        TEXT,
                                        "path prefix, or URL of an origin and path prefix, or http:/ and that"),
                                ParameterSpec.optional("name", TEXT, "an object to add"),
                                ParameterSpec.of("rewrite-host", FLAG, "true", "the origin sees its own name in Host"),
                                ParameterSpec.of("cont", FLAG, "false", "NameTrans continues with the next directive")),
                        NameFunctions::mapStep)
                .when((p, when) -> UrlFrom.parse(p.need("from")).narrow(when, PathMatch.PREFIX))
                .naming();
    }

    private static ServerFunction.Step mapStep(Parameters p) {
        UrlFrom covered = UrlFrom.parse(p.need("from"));
        String from = LiteralPath.of(covered.path());
        String to = p.need("to");
        String name = p.text("name");
        String url = urlOf(to);
        OriginRoute route = route(url, p.on("rewrite-host"));
        byte[] prefix = bytes(LiteralPath.withoutSlash(to.substring(url.length())));
        int length = LiteralPath.withoutSlash(from).length();
        boolean slash = from.length() > 1 && from.endsWith("/");
        StepOutcome done = p.on("cont") ? StepOutcome.NOACTION : StepOutcome.PROCEED;
        return run -> {
            if (!covered.covers(run)) {
                return StepOutcome.NOACTION;
            }
            if (slash && run.input.pathTo - run.input.pathFrom == length) {
                return redirectTo(run, from + query(run), 302);
            }
            run.map(length, prefix);
            mapped(run, url, route);
            StepOutcome added = added(run, name);
            return added == StepOutcome.PROCEED ? done : added;
        };
    }

    /**
     * What stands before the path in the target of a map: nothing, an origin, or a scheme only, {@code http:/path}. The
     * Web Server's administration writes the last for its reverse proxies, of which the route decides the host.
     */
    static String urlOf(String to) {
        Matcher schemeOnly = SCHEME_ONLY.matcher(to);
        if (schemeOnly.lookingAt()) {
            return schemeOnly.group(1);
        }
        return to.substring(0, to.startsWith("/") ? 0 : pathStart(to));
    }

    static void mapped(FunctionContext run, String url, @Nullable OriginRoute route) {
        if (!url.isEmpty()) {
            run.mappedUrl(url);
        }
        if (route != null) {
            run.route(route);
        }
    }

    /** The route to the origin of a URL, or null if it has none. */
    static @Nullable OriginRoute route(String origin, boolean rewriteHost) {
        return origin.isEmpty() || origin.endsWith(":")
                ? null
                : new OriginRoute(
                        List.of(Origin.parse(origin)),
                        null,
                        OriginsConfig.DEFAULT.sticky(),
                        new OriginRoute.Rewrites(rewriteHost, true, true, List.of()));
    }

    /** The start of the path in a URL: its length if it has none. */
    static int pathStart(String url) {
        int scheme = url.indexOf("://");
        if (scheme < 0) {
            throw new IllegalArgumentException(
                    "\"to\" is a path that begins with a slash, or an URL, found \"" + url + "\"");
        }
        int slash = url.indexOf('/', scheme + 3);
        return slash < 0 ? url.length() : slash;
    }

    static byte[] bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f) {
                throw new IllegalArgumentException("\"" + text + "\" has characters that are not allowed in a path");
            }
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static ServerFunction reverseMap() {
        return SimpleFunction.of(
                        "reverse-map",
                        NAME_TRANS,
                        "Maps URLs in the origin's answers back: Location and Content-Location.",
                        List.of(
                                ParameterSpec.required("from", TEXT, "path prefix, or URL prefix, at the origin"),
                                ParameterSpec.required("to", TEXT, "path prefix here, or URL prefix"),
                                ParameterSpec.of("rewrite-location", FLAG, "true", "in Location"),
                                ParameterSpec.of("rewrite-content-location", FLAG, "true", "in Content-Location")),
                        NameFunctions::reverseStep)
                .further(Rewrites::declared);
    }

    private static ServerFunction.Step reverseStep(Parameters p) {
        String from = p.need("from");
        String to = p.need("to");
        boolean location = p.on("rewrite-location");
        boolean contentLocation = p.on("rewrite-content-location");
        List<String> fields = Rewrites.fields(p);
        if (!from.startsWith("/")) {
            UrlFrom.parse(from);
            bytes(to);
            UrlMapping urls = new UrlMapping(from, to, location, contentLocation, fields);
            return run -> {
                run.urlMapping(urls);
                return StepOutcome.NOACTION;
            };
        }
        if (!to.startsWith("/") || !fields.isEmpty()) {
            throw new IllegalArgumentException(
                    fields.isEmpty()
                            ? "\"to\" is a path that begins with a slash, as \"from\" is, found \"" + to + "\""
                            : "further fields are mapped if \"from\" is an URL, or by set-origin-server");
        }
        ReverseMapping mapping = new ReverseMapping(
                LiteralPath.withoutSlash(from), LiteralPath.withoutSlash(to), location, contentLocation);
        return run -> {
            run.reverseMapping(mapping);
            return StepOutcome.NOACTION;
        };
    }

    private static ServerFunction hostMap() {
        return SimpleFunction.of(
                "host-map",
                NAME_TRANS,
                "Builds the absolute URL from Host, for transparent proxying: the client chooses the host to fetch"
                        + " from, within proxy.destinations.",
                List.of(
                        ParameterSpec.of("url-prefix", TEXT, "http://", "scheme to prepend to the host"),
                        ParameterSpec.of("cont", FLAG, "true", "NameTrans continues with the next directive")),
                p -> {
                    String prefix = p.need("url-prefix");
                    if (!prefix.equals("http://") && !prefix.equals("https://")) {
                        throw new IllegalArgumentException("\"url-prefix\" is http:// or https://");
                    }
                    StepOutcome done = p.on("cont") ? StepOutcome.NOACTION : StepOutcome.PROCEED;
                    return run -> {
                        run.hostMapped(prefix.equals("https://"));
                        return done;
                    };
                });
    }

    private static ServerFunction redirect() {
        return SimpleFunction.of(
                        "redirect",
                        NAME_TRANS,
                        "Answers with a redirect.",
                        List.of(
                                ParameterSpec.required("from", TEXT, FROM),
                                ParameterSpec.optional("url", TEXT, "where to"),
                                ParameterSpec.optional(
                                        "url-prefix",
                                        TEXT,
                                        "where to, followed by the path after the prefix and the query"),
                                ParameterSpec.of(
                                        "escape", FLAG, "yes", "accepted; the escaping of paths is not changed"),
                                ParameterSpec.of("status", INTEGER, "302", "301, 302, 303, 307 or 308")),
                        NameFunctions::redirectStep)
                .when((p, when) -> UrlFrom.parse(p.need("from")).narrow(when, PathMatch.PREFIX));
    }

    private static ServerFunction.Step redirectStep(Parameters p) {
        String url = p.text("url");
        String prefix = p.text("url-prefix");
        int status = p.integer("status");
        if ((url == null) == (prefix == null)) {
            throw new IllegalArgumentException("give either \"url\" or \"url-prefix\"");
        }
        String to = url == null ? LiteralPath.withoutSlash(String.valueOf(prefix)) : url;
        redirectable(to, status);
        UrlFrom from = UrlFrom.parse(p.need("from"));
        int length = LiteralPath.withoutSlash(LiteralPath.of(from.path())).length();
        return run -> from.covers(run)
                ? redirectTo(run, url == null ? to + rest(run, length) : to, status)
                : StepOutcome.NOACTION;
    }

    /** Reports both a wrong status and a wrong target: a check of the configuration reports every problem. */
    private static void redirectable(String to, int status) {
        String wrong = Set.of(301, 302, 303, 307, 308).contains(status)
                ? ""
                : "\"status\" is 301, 302, 303, 307 or 308, found " + status;
        try {
            bytes(to);
        } catch (IllegalArgumentException e) {
            wrong += (wrong.isEmpty() ? "" : "; ") + e.getMessage();
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static String rest(FunctionContext run, int length) {
        MatchInput in = run.input;
        int from = Math.min(in.pathTo, in.pathFrom + length);
        return new String(in.pathBytes, from, in.pathTo - from, StandardCharsets.ISO_8859_1) + query(run);
    }

    private static String query(FunctionContext run) {
        RequestHead head = run.request().head();
        int from = head.queryStart();
        return new String(head.bytes(), from, head.targetEnd() - from, StandardCharsets.ISO_8859_1);
    }

    static StepOutcome redirectTo(FunctionContext run, String location, int status) {
        run.location(location);
        run.action(new Action.Redirect(status));
        return StepOutcome.PROCEED;
    }
}
