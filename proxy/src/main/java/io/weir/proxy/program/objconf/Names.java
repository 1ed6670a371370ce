package io.weir.proxy.program.objconf;

import java.util.Set;

/** The variables and maps that expressions know (Web Server 7.0, appendix on expressions). Stateless. */
final class Names {
    /** Predefined variables: these may be written without the dollar sign. */
    static final Set<String> VARIABLES = Set.of(
            "auth_group",
            "auth_type",
            "auth_user",
            "browser",
            "chunked",
            "code",
            "dns",
            "id",
            "internal",
            "ip",
            "keep_alive",
            "keysize",
            "method",
            "name",
            "path",
            "path_info",
            "ppath",
            "protocol",
            "query",
            "reason",
            "referer",
            "restarted",
            "secret_keysize",
            "security",
            "senthdrs",
            "server_url",
            "time",
            "time_day",
            "time_hour",
            "time_min",
            "time_mon",
            "time_sec",
            "time_wday",
            "time_year",
            "type",
            "uri",
            "url",
            "urlhost");

    /** Maps. */
    static final Set<String> MAPS = Set.of("client", "vars", "reqpb", "headers", "srvhdrs", "env", "cookie");

    private Names() {}
}
