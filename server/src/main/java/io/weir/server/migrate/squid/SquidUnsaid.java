package io.weir.server.migrate.squid;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.squid.SquidParser.Directive;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Directives that no other part asked for: each is listed, with its line and the reason. Stateless. */
final class SquidUnsaid {
    /** What only says how Squid works inside, or what Weir always does: nothing is lost. */
    private static final Map<String, String> INSIDE = inside();
    /** What requests or answers could depend on. */
    private static final Map<String, String> LOST = lost();

    private SquidUnsaid() {}

    private static Map<String, String> inside() {
        Map<String, String> to = new HashMap<>();
        all(
                to,
                "it is about Squid's process: the service manager runs Weir, server.data-dir has its files",
                "coredump_dir",
                "cache_effective_user",
                "cache_effective_group",
                "pid_filename",
                "unlinkd_program",
                "pinger_enable",
                "memory_pools",
                "memory_pools_limit",
                "max_filedescriptors",
                "max_filedesc",
                "windows_ipaddrchangemonitor");
        all(
                to,
                "Weir has logs of its own: server.log, proxy.access-log (docs/access-logs.md)",
                "cache_log",
                "cache_store_log",
                "debug_options",
                "logfile_rotate",
                "log_icp_queries",
                "buffered_logs",
                "strip_query_terms");
        all(
                to,
                "error answers are Weir's; send-error in functions of a route replaces them",
                "icon_directory",
                "error_directory",
                "err_page_stylesheet",
                "error_default_language",
                "cache_mgr",
                "httpd_suppress_version_string");
        all(to, "FTP is not spoken", "ftp_user", "ftp_passive", "ftp_epsv", "mime_table");
        all(
                to,
                "requests go to origins directly",
                "nonhierarchical_direct",
                "prefer_direct",
                "hierarchy_stoplist",
                "dead_peer_timeout",
                "peer_connect_timeout",
                "netdb_filename");
        all(
                to,
                "names are looked up as proxy.dns says",
                "hosts_file",
                "dns_v4_first",
                "dns_defnames",
                "balance_on_multiple_ip",
                "ipcache_size",
                "ipcache_low",
                "ipcache_high",
                "fqdncache_size");
        all(
                to,
                "the index grows with what is stored: cache.disk.max-objects limits it",
                "store_avg_object_size",
                "store_objects_per_bucket");
        all(to, "an answer's key decides on which partition it lies", "store_dir_select_algorithm");
        all(to, "requests for one URL always wait for one fetch", "collapsed_forwarding");
        all(to, "the program is not run", "url_rewrite_children", "icap_service_failure_limit");
        all(to, "users are looked up for each request", "authenticate_ttl", "authenticate_ip_ttl");
        all(to, "clients are counted while they have connections", "client_db");
        all(to, "the admin listener has the statistics", "cachemgr_passwd");
        all(to, "see server.processes", "workers");
        return Map.copyOf(to);
    }

    private static Map<String, String> lost() {
        Map<String, String> to = new HashMap<>();
        all(
                to,
                "what is evicted depends on use and size, on a disk on age and use (docs/memory-cache.md,"
                        + " docs/disk-cache.md)",
                "cache_replacement_policy",
                "memory_replacement_policy");
        all(to, "memory and disk keep what is stored, both", "memory_cache_mode");
        all(to, "a Range of what is not stored goes to the origin as it is, and is not stored", "range_offset_limit");
        all(
                to,
                "kernel.keep-alive.timeout and proxy.origin-pool.max-idle say how long connections stay open; 0: not at all",
                "client_persistent_connections",
                "server_persistent_connections",
                "detect_broken_pconn");
        all(to, "a client that closes its side of a connection still gets its answer", "half_closed_clients");
        all(to, "see proxy.retries", "retry_on_error", "forward_max_tries", "forward_timeout");
        all(to, "connections have no longest life; see kernel.time-outs", "client_lifetime");
        all(to, "a target with blanks is ambiguous, and refused", "uri_whitespace");
        all(to, "Vary is followed (RFC 9111 4.1)", "vary_ignore_expire");
        all(to, "origins are verified as proxy.origin-tls says", "tls_outgoing_options", "sslproxy_cert_error");
        all(to, "neither ICP nor HTCP nor SNMP is spoken", "icp_port", "htcp_port", "snmp_port");
        return Map.copyOf(to);
    }

    private static void all(Map<String, String> into, String reason, String... names) {
        for (String name : names) {
            into.put(name, reason);
        }
    }

    /** Lists all that is left. */
    static void list(Map<String, List<Directive>> directives, Findings findings) {
        directives.forEach((name, all) -> all.forEach(d -> {
            String inside = INSIDE.get(name);
            if (inside != null) {
                findings.note(d.at(), name + ": " + inside);
            } else {
                findings.left(d.at(), shortened(d), LOST.getOrDefault(name, "nothing in Weir corresponds to it"));
            }
        }));
    }

    private static String shortened(Directive d) {
        return d.text().length() > 100 ? d.text().substring(0, 97) + "..." : d.text();
    }
}
