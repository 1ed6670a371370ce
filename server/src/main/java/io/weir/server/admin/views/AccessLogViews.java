package io.weir.server.admin.views;

import io.weir.proxy.accesslog.AccessLogs;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The access logs on the admin listener: {@code POST /access-log/rotate} rotates the files (all, or the one of {@code
 * ?log=NAME}), {@code POST /access-log/reopen} reopens them after they were moved. Shared.
 */
public final class AccessLogViews {
    private final AccessLogs logs;

    public AccessLogViews(AccessLogs logs) {
        this.logs = logs;
    }

    public void register(AdminRouter router) {
        router.change("POST", "/access-log/rotate", this::rotate, "log");
        router.change("POST", "/access-log/reopen", this::reopen, "log");
    }

    private AdminAnswer rotate(AdminRequest request) {
        String name = request.parameter("log");
        List<String> known = logs.names();
        if (known.isEmpty() || (name != null && !known.contains(name))) {
            return unknown(name);
        }
        return names("rotated", logs.rotate(name));
    }

    private AdminAnswer reopen(AdminRequest request) {
        List<String> reopened = logs.reopen();
        return reopened.isEmpty() ? unknown(null) : names("reopened", reopened);
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
        return AdminAnswer.json(200, j -> j.add(what, names));
    }
}
