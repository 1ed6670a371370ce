package io.weir.server.processes;

import io.weir.base.Live;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.kernel.listen.BindFailure;
import io.weir.server.admin.AdminListener;
import io.weir.server.admin.AdminRouter;
import io.weir.server.config.KnobService;
import io.weir.server.config.WeirConfig;
import io.weir.server.history.HistoryViews;
import io.weir.server.log.ServerLog;
import io.weir.server.users.AdminToken;
import io.weir.server.users.Administrators;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The supervisor's admin listener with all its views and changes. Immutable.
 *
 * @param live the configuration of the supervisor itself
 */
record ProcessAdministration(SupervisorParts parts, Live<WeirConfig> live, Stats stats, ServerLog log) {
    /** @param looking the thread that assembles answers */
    AdminListener open(AdminToken token, Workers workers, WorkerQueries queries, Sums sums, Executor looking)
            throws IOException {
        AdminListener.Credentials credentials =
                new AdminListener.Credentials(token::matches, new Administrators(parts.dataDir(), log));
        try {
            KnobService knobs =
                    new KnobService(parts.loaded(), live, parts.dataDir(), false, parts.clock(), stats, log);
            LiveChange changes = new LiveChange(workers, queries, knobs, log);
            AdminRouter router =
                    new ProcessViews(workers, queries, sums, changes, looking, parts.clock(), stats).router();
            Map<String, StatSpec> declared =
                    parts.declared().stream().collect(Collectors.toMap(StatSpec::name, Function.identity()));
            new HistoryViews(parts.dataDir(), declared::get, parts.clock()).register(router);
            return AdminListener.open(live.get().admin(), router, credentials, parts.clock(), stats, log);
        } catch (BindFailure e) {
            // the kernel derives the key from the listener's name
            throw new IOException(String.valueOf(e.getMessage()).replace("listeners.admin.", "admin."), e);
        }
    }
}
