package io.weir.server.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.server.log.LogConfig;
import java.time.Duration;

/** The section {@code server}: what concerns the process as a whole. Immutable. */
public record ServerConfig(
        @Knob(
                doc = "Name of this server in its views (stats-xml, perfdump) and messages.",
                value = "weir",
                min = "1",
                max = "64",
                unwatched = Unwatched.NAME)
        String name,

        @Knob(
                doc =
                        "Folder of everything the server writes: pid file, logs, admin token, instance name, users, overrides,"
                                + " history. A relative name counts from the launcher's repository folder (the working directory"
                                + " without launcher). One server at a time.",
                value = "data",
                min = "1",
                unwatched = Unwatched.NAME)
        String dataDir,

        @Knob(
                doc = "Collects statistics. Off saves about one percent of the time of a hit; perfdump then says"
                        + " \"Statistics disabled\".",
                value = "on",
                dynamic = true,
                unwatched = Unwatched.SWITCH,
                knownAs = "stats-init")
        boolean statistics,

        @Knob(
                doc =
                        "Processes that serve the http listeners side by side; 1 is one process without a supervisor. With more,"
                                + " a crash costs one of them and ./weir upgrade replaces them one by one; each has its own"
                                + " memory cache, heap and limits (docs/processes.md). Linux with epoll only.",
                value = "1",
                unit = "processes",
                min = "1",
                max = "64",
                watch = "weir_process_restarts_total",
                knownAs = "MaxProcs")
        int processes,

        @Knob(
                doc =
                        "How long a worker process may give no sign of life, or one of its muxers have no turn, before it is"
                                + " killed and replaced. Shorter ends a hang sooner and takes a long pause for one; 0 never.",
                value = "30s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_process_hung_total")
        Duration hangTimeOut,

        @Knob(
                doc = "How many applied configurations data/history keeps; the oldest go first.",
                value = "500",
                unit = "configurations",
                min = "2",
                max = "100000",
                dynamic = true,
                watch = "weir_config_changes_total")
        int historyLimit,

        @Knob(doc = "The server log.") LogConfig log) {}
