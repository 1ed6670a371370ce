package io.weir.proxy.program.functions;

import io.weir.proxy.program.match.HostPattern;
import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.origin.Origin;
import io.weir.proxy.program.run.FunctionContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the functions of NameTrans have in {@code from}: a path, or a URL, which is meant only for requests to its
 * scheme, host and port. Immutable.
 *
 * @param origin of the URL; null: a path, of any host
 * @param path begins with a slash
 */
record UrlFrom(@Nullable Origin origin, String path) {
    /** @throws IllegalArgumentException saying what was expected */
    static UrlFrom parse(String text) {
        if (text.startsWith("/")) {
            return new UrlFrom(null, text);
        }
        int scheme = text.indexOf("://");
        if (scheme < 0) {
            throw new IllegalArgumentException(
                    "\"from\" is a path that begins with a slash, or an URL, found \"" + text + "\"");
        }
        int slash = text.indexOf('/', scheme + 3);
        return new UrlFrom(
                Origin.parse(slash < 0 ? text : text.substring(0, slash)), slash < 0 ? "/" : text.substring(slash));
    }

    /** Whether a request is to this scheme and port; its host is a rule's condition. */
    boolean covers(FunctionContext run) {
        Origin o = origin;
        return o == null || (o.secure() == run.https() && o.port() == run.namedPort());
    }

    /** A condition narrowed to the host and path, unless a source has set a path already. */
    RuleCondition narrow(RuleCondition when, PathMatch match) {
        if (when.path() != null) {
            return when;
        }
        Origin o = origin;
        String host = o == null ? null : o.host().indexOf(':') < 0 ? o.host() : "[" + o.host() + "]";
        return new RuleCondition(
                host == null ? when.hosts() : List.of(HostPattern.of(host)),
                when.virtualServer(),
                new RuleCondition.PathRule(match, match == PathMatch.PREFIX ? LiteralPath.stripped(path) : path),
                when.methods(),
                when.forms());
    }
}
