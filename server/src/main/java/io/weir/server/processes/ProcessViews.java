package io.weir.server.processes;

import io.weir.base.Stats;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The supervisor's admin listener: what concerns one process is asked of the first worker, or of the one that {@code
 * ?process=} names; changes of the configuration are applied by the first and followed by the others. Shared.
 */
final class ProcessViews {
    private static final Pattern CONFIGURATION = Pattern.compile("\"configuration\":(\\d{1,9})");

    private final Workers workers;
    private final Stats stats;
    private final WorkerClient client = new WorkerClient();

    ProcessViews(Workers workers, Stats stats) {
        this.workers = workers;
        this.stats = stats;
    }

    AdminRouter router() {
        AdminRouter router = new AdminRouter();
        for (String method : new String[] {"GET", "POST", "PUT", "DELETE", "PATCH"}) {
            router.on(method, "/*", Where.THREAD, this::forward);
        }
        return router;
    }

    private AdminAnswer forward(AdminRequest request) throws IOException, InterruptedException {
        Map<Integer, String> admins = workers.admins();
        String asked = request.parameter("process");
        int process = asked != null && asked.matches("[1-9][0-9]?") ? Integer.parseInt(asked) : 1;
        String admin = admins.get(process);
        if (admin == null) {
            return AdminAnswer.problem(
                    503, "Service unavailable", "Process " + process + " is not ready; there are " + admins.keySet());
        }
        AdminAnswer answer = client.ask(admin, request);
        if (process == 1 && answer.status() == 200 && !request.method().equals("GET")) {
            Matcher m = CONFIGURATION.matcher(answer.body());
            if (m.find()) {
                workers.follow(Integer.parseInt(m.group(1)));
            }
        }
        return answer;
    }
}
