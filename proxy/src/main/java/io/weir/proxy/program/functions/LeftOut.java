package io.weir.proxy.program.functions;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The predefined functions of the Sun servers that Weir does not have, each with its reason, which stops the start where
 * a directive names it. Stateless.
 */
public final class LeftOut {
    private static final String ACL =
            "there are no ACL files yet: require-auth, require-proxy-auth, get-client-cert and"
                    + " proxy.destinations restrict access";
    private static final String PARENTS =
            "there are no proxy arrays yet: set-proxy-server names the proxies behind this one";
    private static final String SOCKS = "there is no SOCKS client yet: requests go to origins directly";
    private static final String ICP =
            "there is no Internet Cache Protocol: caches are not asked for each other's answers";
    private static final String FILES =
            "it is for files that the server itself serves, and Weir serves those of origins";
    private static final String WRITES = "it changes files of the server, and Weir serves none";
    private static final String BODIES = "contents of answers are not changed yet: there are no content filters";
    private static final String CGI = "programs are not started for requests: have an origin run them";
    private static final String JAVA_EE = "there is no Java EE container: have an origin run the application";
    private static final String NATIVE =
            "it belongs to native plug-ins (NSAPI); write a function in Java instead, see proxy.function-jars";
    private static final String INIT =
            "it is a function of Init: it stands at the top of obj.conf or in magnus.conf, outside objects";
    private static final String FTP = "there is no FTP: only HTTP and tunnels";
    private static final String HITS =
            "origins are not told of hits in the cache; figures of them are in the statistics";
    private static final String UM = "it belongs to the server's own user interface";
    private static final String URI = "a request keeps its URI: use map or regexp-map, redirect or set-variable url=";

    private static final Map<String, String> REASONS = reasons();

    private LeftOut() {}

    private static Map<String, String> reasons() {
        Map<String, String> all = new TreeMap<>();
        put(all, ACL, "check-acl");
        put(all, PARENTS, "pa-set-parent-route", "pa-enforce-internal-routing");
        put(all, PARENTS, "pa-init-proxy-array", "pa-init-parent-array", "pa-set-member-status");
        put(all, SOCKS, "set-socks-server");
        put(all, ICP, "icp-init", "icp-route");
        put(all, FILES, "document-root", "pfx2dir", "unix-home", "init-uhome", "find-compressed", "find-index");
        put(all, FILES, "find-links", "find-pathinfo", "set-virtual-index", "load-config", "set-default-type");
        put(all, FILES, "image-switch", "shtml-hacktype", "change-type", "send-file", "send-range");
        put(all, FILES, "index-common", "index-simple", "imagemap", "parse-html", "send-preencrypted");
        put(all, FILES, "set-cache-control", "list-dir", "add-header", "add-footer", "append-trailer");
        put(all, WRITES, "make-dir", "remove-dir", "remove-file", "rename-file", "upload-file");
        put(all, BODIES, "filter-ct", "filter-html", "content-rewrite", "pre-filter", "insert-filter", "remove-filter");
        put(all, BODIES, "init-filter-order", "sed-request", "sed-response", "http-compression");
        put(all, CGI, "send-cgi", "send-wincgi", "ntcgicheck", "init-cgi", "nt-console-init", "responder-fastcgi");
        put(all, CGI, "auth-fastcgi", "filter-fastcgi", "error-fastcgi", "query-handler");
        put(all, JAVA_EE, "init-j2ee", "ntrans-j2ee", "service-j2ee", "error-j2ee", "type-j2ee");
        put(all, NATIVE, "load-modules", "register-http-method");
        put(all, FTP, "ftp-config");
        put(all, HITS, "forward-cache-info");
        put(all, UM, "um-init", "um-ntrans", "um-define-junction", "um-load-parser-config");
        put(all, URI, "rewrite", "restart");
        all.put("ssl-logout", "a client's TLS session ends with its ticket (RFC 8446 section 4.6.1), not on request");
        all.put("service-pool-dump", "there are no such pools of memory; perfdump shows pools of threads");
        all.put("qos-handler", "limits are those of proxy.limits and of routes: check-request-limits");
        all.put("qos-error", "limits are those of proxy.limits and of routes: check-request-limits");
        all.put("digest-auth", "passwords are stored as hashes that digest authentication cannot use");
        put(
                all,
                INIT,
                "define-perf-bucket",
                "perf-init",
                "pool-init",
                "thread-pool-init",
                "flex-init",
                "flex-rotate-init",
                "init-clf");
        put(all, INIT, "host-dns-cache-init", "ip-dns-cache-init", "dns-cache-init", "init-proxy", "init-url-filter");
        put(all, INIT, "stats-init", "tune-cache", "tune-proxy", "load-types", "init-cache");
        return all;
    }

    private static void put(Map<String, String> all, String reason, String... names) {
        for (String name : names) {
            all.put(name, reason);
        }
    }

    /** Why Weir does not have a function of this name; null: the Sun servers have none either. */
    public static @Nullable String reason(String name) {
        return REASONS.get(name.replace('_', '-'));
    }

    /** Reasons by name, in the names' order. */
    public static Map<String, String> all() {
        return new TreeMap<>(REASONS);
    }
}
