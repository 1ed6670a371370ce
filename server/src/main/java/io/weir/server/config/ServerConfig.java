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
                doc = "Directory for everything the server writes: pid file, logs, admin token, instance name, users,"
                        + " overrides, history. A relative path is resolved against the launcher's repository"
                        + " directory, or the working directory when started without the launcher. Only one"
                        + " server may use it at a time.",
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
                                + " memory cache, heap and limits (docs/processes.md). Linux with epoll only."
                                + " Rule of thumb: 1; 2 or more where a crash must not interrupt all connections, at most"
                                + " one for each two processors.",
                value = "1",
                unit = "processes",
                min = "1",
                max = "64",
                watch = "weir_process_restarts_total",
                knownAs = "MaxProcs")
        int processes,

        @Knob(
                doc = "How long a worker process may be unresponsive, or one of its muxers make no progress, before"
                        + " the process is killed and replaced. A shorter time ends a hang sooner but may"
                        + " mistake a long pause for one; 0 disables the check."
                        + " Rule of thumb: the default; three times the longest pause of the collector.",
                value = "30s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_process_hung_total")
        Duration hangTimeOut,

        @Knob(
                doc = "How many applied configurations data/history keeps; the oldest are deleted"
                        + " first. Raise it when roll-backs must reach further back; each costs a file of"
                        + " the configuration's size. Rule of thumb: the changes of the time that you may"
                        + " want to undo.",
                value = "500",
                unit = "configurations",
                min = "2",
                max = "100000",
                dynamic = true,
                watch = "weir_config_changes_total")
        int historyLimit,

        @Knob(doc = "The server log.") LogConfig log) {}
