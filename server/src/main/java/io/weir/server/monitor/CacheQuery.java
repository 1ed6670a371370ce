package io.weir.server.monitor;

import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a GET of {@code /nsc} asks for. Stateless. */
public final class CacheQuery {
    /** The changes of the Sun proxy's page. */
    public static final List<String> CHANGES = List.of("restart", "start", "stop");

    private CacheQuery() {}

    /** The answer to a GET that does not get the page; null if it does. */
    public static @Nullable AdminAnswer refused(AdminRequest request) {
        for (String change : CHANGES) {
            if (request.parameter(change) != null) {
                return AdminAnswer.of(405, "text/html; charset=utf-8", CachePage.change(request.path(), change))
                        .with("Allow", "POST");
            }
        }
        String list = request.parameter("list");
        return list == null || list.isEmpty() || MonitorViews.number(list, CachePage.MAX_LISTED) > 0
                ? null
                : AdminAnswer.problem(
                        400, "Bad request", "list takes a number from 1 to " + CachePage.MAX_LISTED + ".");
    }

    /** The number of entries to list; 0: none. */
    public static int listed(AdminRequest request) {
        String list = request.parameter("list");
        return list == null
                ? 0
                : list.isEmpty() ? CachePage.MAX_LISTED : Math.max(0, MonitorViews.number(list, CachePage.MAX_LISTED));
    }
}
