package io.weir.server.history;

import io.weir.base.Clock;
import io.weir.base.StatSpec;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Recorded statistics on the admin listener: {@code GET /history} lists them, {@code GET
 * /history?metric=NAME&since=1h} returns the values of one. Shared.
 */
public final class HistoryViews {
    private final Report report;
    private final Clock clock;

    /** @param declared a statistic's declaration by its name */
    public HistoryViews(Path dataDir, Function<String, @Nullable StatSpec> declared, Clock clock) {
        this.report = new Report(dataDir, declared);
        this.clock = clock;
    }

    public void register(AdminRouter router) {
        router.on("GET", "/history", Where.THREAD, this::answer);
    }

    private AdminAnswer answer(AdminRequest request) throws IOException {
        Map<String, String> parameters = new HashMap<>();
        for (String name : new String[] {"metric", "labels", "since", "from", "to", "step", "format"}) {
            String value = request.parameter(name);
            if (value != null) {
                parameters.put(name, value);
            }
        }
        try {
            String text = report.answer(parameters, clock.millis());
            return AdminAnswer.of(200, Report.form(parameters.get("format")).type(), text);
        } catch (Report.Refused e) {
            return AdminAnswer.problem(400, "Bad request", String.valueOf(e.getMessage()));
        }
    }
}
