package io.weir.server.migrate.nginx;

import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What no other part asked for: listed with its reason. Stateless. */
final class NginxUnsaid {
    /** Directives that only say how nginx works inside, or what Weir always does. */
    private static final Set<String> INSIDE = Set.of(
            "user",
            "pid",
            "worker_processes",
            "worker_rlimit_nofile",
            "worker_cpu_affinity",
            "daemon",
            "master_process",
            "error_log",
            "use",
            "multi_accept",
            "accept_mutex",
            "sendfile",
            "tcp_nopush",
            "tcp_nodelay",
            "aio",
            "directio",
            "output_buffers",
            "postpone_output",
            "types",
            "types_hash_max_size",
            "types_hash_bucket_size",
            "default_type",
            "server_names_hash_bucket_size",
            "server_names_hash_max_size",
            "server_tokens",
            "charset",
            "proxy_http_version",
            "proxy_buffering",
            "proxy_buffers",
            "proxy_buffer_size",
            "proxy_busy_buffers_size",
            "proxy_temp_path",
            "proxy_max_temp_file_size",
            "proxy_temp_file_write_size",
            "proxy_request_buffering",
            "proxy_headers_hash_max_size",
            "proxy_headers_hash_bucket_size",
            "proxy_cache_lock",
            "proxy_cache_lock_timeout",
            "proxy_cache_lock_age",
            "proxy_cache_revalidate",
            "proxy_cache_background_update",
            "proxy_socket_keepalive",
            "proxy_next_upstream",
            "proxy_next_upstream_timeout",
            "proxy_next_upstream_tries",
            "client_body_buffer_size",
            "client_body_temp_path",
            "client_body_in_file_only",
            "client_header_buffer_size",
            "large_client_header_buffers",
            "fastcgi_temp_path",
            "uwsgi_temp_path",
            "scgi_temp_path",
            "keepalive_requests",
            "keepalive_disable",
            "reset_timedout_connection",
            "lingering_close",
            "lingering_time",
            "lingering_timeout",
            "ssl_session_cache",
            "ssl_session_timeout",
            "ssl_session_tickets",
            "ssl_buffer_size",
            "ssl_prefer_server_ciphers",
            "ssl_early_data",
            "ssl_dhparam",
            "ssl_ecdh_curve",
            "ssl_stapling_verify",
            "ssl_trusted_certificate",
            "proxy_ssl_session_reuse",
            "proxy_ssl_server_name",
            "merge_slashes",
            "underscores_in_headers",
            "ignore_invalid_headers",
            "log_not_found",
            "open_file_cache",
            "open_file_cache_valid",
            "open_file_cache_min_uses",
            "open_file_cache_errors",
            "open_log_file_cache",
            "etag",
            "if_modified_since",
            "load_module",
            "pcre_jit",
            "variables_hash_max_size",
            "variables_hash_bucket_size",
            "map_hash_bucket_size",
            "map_hash_max_size",
            "http2_max_concurrent_streams",
            "absolute_redirect",
            "port_in_redirect",
            "server_name_in_redirect",
            "msie_padding",
            "limit_req_status",
            "limit_req_log_level",
            "limit_conn_status",
            "limit_conn_log_level",
            "gzip_vary",
            "gzip_min_length",
            "gzip_types",
            "gzip_comp_level",
            "gzip_proxied",
            "gzip_disable",
            "gzip_buffers",
            "gzip_http_version",
            "gzip_static",
            "recursive_error_pages",
            "set_real_ip_recursive",
            "max_ranges",
            "chunked_transfer_encoding");
    /** Reasons of others. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("gzip", "answers are passed on as the origin encodes them"),
            Map.entry("brotli", "answers are passed on as the origin encodes them"),
            Map.entry("map", "there are no variables"),
            Map.entry("geo", "there are no variables"),
            Map.entry("split_clients", "there are no variables"),
            Map.entry("set", "there are no variables"),
            Map.entry("error_page", "functions of a route send error pages: send-error in stage error"),
            Map.entry("ssl_ciphers", "tls.ciphers has the names of the TLS library, not OpenSSL's groups"),
            Map.entry("set_real_ip_from", "use the PROXY protocol, or proxy.trusted-proxies for forwarded fields"),
            Map.entry("real_ip_header", "use the PROXY protocol, or proxy.trusted-proxies for forwarded fields"),
            Map.entry("limit_rate", "limits.bandwidth of listeners and virtual servers, proxy.client-limits.bandwidth"),
            Map.entry("limit_conn", "kernel.max-connections-per-address, and limits.connections of virtual servers"),
            Map.entry("limit_conn_zone", "see limit_conn"),
            Map.entry("proxy_cache_min_uses", "what may be stored is stored at its first request"),
            Map.entry(
                    "proxy_cache_valid",
                    "responses without a freshness time of their own are fresh by cache.lm-factor"),
            Map.entry("proxy_ignore_headers", "a route's cache.ignore is the nearest: no-store, private"),
            Map.entry("expires", "use set-response-headers with Cache-Control"),
            Map.entry("proxy_cookie_path", "cookies are passed on as they are"),
            Map.entry("proxy_cookie_domain", "cookies are passed on as they are"),
            Map.entry("sub_filter", "bodies are passed on as they are"),
            Map.entry("stream", "only HTTP is translated"),
            Map.entry("mail", "only HTTP is translated"));

    private NginxUnsaid() {}

    /** Lists all directives that were not looked up. */
    static void list(NginxScope main, Findings findings) {
        list(main, main.directives(), findings);
    }

    private static void list(NginxScope main, List<Directive> directives, Findings findings) {
        for (Directive d : directives) {
            boolean inside = INSIDE.contains(d.name()) && !main.understood(d);
            if (!main.understood(d) && !inside) {
                findings.left(
                        d.at(), shortened(d), REASONS.getOrDefault(d.name(), "nothing in Weir corresponds to it"));
            }
            List<Directive> block = d.block();
            if (block != null && main.understood(d)) {
                list(main, block, findings);
            }
        }
    }

    private static String shortened(Directive d) {
        String text = d.text();
        return text.length() > 100 ? text.substring(0, 97) + "..." : text;
    }
}
