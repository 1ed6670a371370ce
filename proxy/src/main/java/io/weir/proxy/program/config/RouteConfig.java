package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.kernel.listen.RequestRate;
import io.weir.proxy.program.match.PathMatch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rule of {@code proxy.routes}: what it matches and one action. Among routes that match, the one with the most
 * specific host wins (name, then longest {@code *.suffix}, then any), then the most specific path (exact, then wildcard
 * and regular expressions in order, then the longest prefix), then the one that names methods, then the first. Immutable.
 */
public record RouteConfig(
        @Knob(
                doc = "Hosts that it matches: name, *.name, without port; empty: every host.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        List<String> hosts,

        @Knob(doc = "Virtual server that it matches; empty: every one.", dynamic = true, unwatched = Unwatched.NAME)
        @Nullable
        String virtualServer,

        @Knob(
                doc = "Path that it matches. A prefix matches where the next character is a slash or the path ends:"
                        + " /shop matches /shop and /shop/cart, not /shopping.",
                value = "/",
                min = "1",
                max = "1024",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "map from")
        String path,

        @Knob(doc = "How path is matched.", value = "prefix", dynamic = true, unwatched = Unwatched.MEANING)
        PathMatch pathMatch,

        @Knob(doc = "Methods that it matches; empty: every one.", dynamic = true, unwatched = Unwatched.MEANING)
        List<String> methods,

        @Knob(
                doc = "Methods that it answers, GET including HEAD; others get 405 with Allow. Empty: every one. In"
                        + " contrast, methods leaves the others to another route.",
                dynamic = true,
                watch = "weir_proxy_faults_total")
        List<String> allowedMethods,

        @Knob(
                doc = "Reverse proxy: URLs (scheme, host, port) of origins that have the same content, used in turn,"
                        + " with the defaults of proxy.origins.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "set-origin-server server")
        List<String> origins,

        @Knob(
                doc = "Reverse proxy: the pool of proxy.origins that serves the content, instead of origins.",
                dynamic = true,
                unwatched = Unwatched.NAME)
        @Nullable
        String pool,

        @Knob(
                doc = "Sends the origin its own name in Host instead of the one that the client requested.",
                value = "off",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "set-origin-server rewrite-host")
        boolean rewriteHost,

        @Knob(
                doc = "Replacement for the matched path prefix in requests to the origin: path /shop with / turns"
                        + " /shop/cart into /cart.",
                dynamic = true,
                unwatched = Unwatched.NAME,
                knownAs = "map to")
        @Nullable
        String rewritePath,

        @Knob(
                doc = "Rewrites redirects of the origin to itself, so that they name the host and path that the client"
                        + " requested.",
                value = "on",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "reverse-map rewrite-location")
        boolean rewriteLocation,

        @Knob(
                doc = "Further answer fields whose URL is rewritten as in redirects: Refresh-To, X-Next.",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "set-origin-server rewrite-<header>")
        List<String> rewriteFields,

        @Knob(
                doc = "Forward proxy: fetches any URL that the client requests, within proxy.destinations.",
                value = "off",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total",
                knownAs = "proxy-retrieve")
        boolean forward,

        @Knob(doc = "CONNECT tunnels, within proxy.destinations.", dynamic = true)
        ConnectRoute connect,

        @Knob(doc = "A fixed answer.", dynamic = true) RespondRoute respond,
        @Knob(doc = "A redirect.", dynamic = true) RedirectRoute redirect,

        @Knob(
                doc = "Refuses requests with 403.",
                value = "off",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "deny-service")
        boolean deny,

        @Knob(
                doc = "Answers from the built-in demo origin.",
                value = "off",
                dynamic = true,
                unwatched = Unwatched.SWITCH)
        boolean demo,

        @Knob(
                doc = "Functions that run for its requests, within a stage in this order and before the route's other"
                        + " settings. One that answers (stage service) may replace the action.",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "fn")
        List<FunctionRoute> functions,

        @Knob(
                doc = "Work manager of its requests: its class, capacity and shut-down apply to them, its threads run"
                        + " functions that block. Without one, that of the virtual server, else default.",
                dynamic = true,
                watch = {"weir_work_refused_total", "weir_work_capacity_refused_total"},
                knownAs = "wl-dispatch-policy")
        @Nullable
        String workManager,

        @Knob(
                doc = "Request class of its requests and functions: the order in which they get slots and threads"
                        + " when there are too few. Without one, that of the virtual server, else that of the"
                        + " work manager.",
                dynamic = true,
                watch = {"weir_request_class_waiting", "weir_request_class_completed_total"})
        @Nullable
        String requestClass,

        @Knob(doc = "Requests.", inline = true, dynamic = true)
        RequestRate requests,

        @Knob(doc = "Which clients may use the route.", dynamic = true)
        AuthRoute auth,

        @Knob(doc = "Whether and how answers are cached.", dynamic = true)
        CacheRoute cache,

        @Knob(
                doc = "Fields set in requests to the origin; the name is the key.",
                dynamic = true,
                unwatched = Unwatched.MEANING)
        Map<String, String> setRequestHeaders,

        @Knob(doc = "Fields removed from requests to the origin.", dynamic = true, unwatched = Unwatched.MEANING)
        List<String> removeRequestHeaders,

        @Knob(
                doc = "Fields set in answers to clients; the name is the key.",
                dynamic = true,
                unwatched = Unwatched.MEANING,
                knownAs = "add-header")
        Map<String, String> setResponseHeaders,

        @Knob(doc = "Fields removed from answers to clients.", dynamic = true, unwatched = Unwatched.MEANING)
        List<String> removeResponseHeaders,

        @Knob(doc = "Time-outs of this route that differ from proxy.time-outs.", dynamic = true)
        RouteTimeOuts timeOuts) {}
