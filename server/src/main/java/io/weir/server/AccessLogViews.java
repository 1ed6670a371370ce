package io.weir.server;

import io.weir.proxy.accesslog.AccessLogs;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.admin.Json;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The access logs on the admin listener: {@code POST /access-log/rotate} puts files aside (all, or the one of {@code
 * ?log=NAME}), {@code POST /access-log/reopen} opens them anew after somebody moved them. Shared.
 */
final class AccessLogViews {
    private final @Nullable AccessLogs logs;

    /** @param logs null where all are off */
    AccessLogViews(@Nullable AccessLogs logs) {
        this.logs = logs;
    }

    void register(AdminRouter router) {
        router.on("POST", "/access-log/rotate", Where.THREAD, this::rotate);
        router.on("POST", "/access-log/reopen", Where.THREAD, this::reopen);
    }

    private AdminAnswer rotate(AdminRequest request) {
        AccessLogs open = logs;
        String name = request.parameter("log");
        if (open == null || (name != null && !open.names().contains(name))) {
            return unknown(name);
        }
        return names("rotated", open.rotate(name));
    }

    private AdminAnswer reopen(AdminRequest request) {
        AccessLogs open = logs;
        return open == null ? unknown(null) : names("reopened", open.reopen());
    }

    private static AdminAnswer unknown(@Nullable String name) {
        return AdminAnswer.problem(
                404,
                "Not found",
                name == null
                        ? "no access log is on: see proxy.access-log.format"
                        : "there is no access log " + name + " that is on");
    }

    private static AdminAnswer names(String what, List<String> names) {
        String list = names.stream().map(Json::quote).collect(Collectors.joining(","));
        return AdminAnswer.json(200, "{\"" + what + "\":[" + list + "]}\n");
    }
}
