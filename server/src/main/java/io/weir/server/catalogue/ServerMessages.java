package io.weir.server.catalogue;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The messages of room {@code server}. Immutable. */
public enum ServerMessages implements DeclaredMessage {
    STARTED(360, Severity.NOTICE, "Server", "The server started in RUNNING mode: ready in {} ms.", ""),
    START_FAILED(
            362,
            Severity.CRITICAL,
            "Server",
            "The server did not start: {}",
            "Correct what the reason names and start again."),
    STATE_CHANGED(365, Severity.INFO, "Server", "The server's state changed to {}.", ""),
    SHUTDOWN_SIGNAL(388, Severity.NOTICE, "Server", "Shutdown requested; in-flight requests have {} to finish.", ""),
    STOPPED(389, Severity.NOTICE, "Server", "The server stopped after {}.", ""),
    MACHINE(170001, Severity.INFO, "Server", "Java {}, heap up to {} MiB, {} processors, process {}.", ""),
    CONFIGURATION_APPLIED(170002, Severity.NOTICE, "Configuration", "Configuration {} was applied by {}: {}", ""),
    OVERRIDE_SHADOWED(
            170003,
            Severity.WARNING,
            "Configuration",
            "The persisted change of {} has no effect: --set gives another value.",
            "Drop the --set option, or persist a new value."),
    SETTING_WITHOUT_EFFECT(
            170023,
            Severity.NOTICE,
            "Configuration",
            "{}",
            "Nothing: the setting may stay for the server that it is for. docs/obj-conf.md lists them all."),
    OVERRIDE_DROPPED(170010, Severity.NOTICE, "Configuration", "The persisted change of {} was dropped by {}.", ""),
    RELOAD_REFUSED(
            170016,
            Severity.ERROR,
            "Configuration",
            "{} requested a reload, but the configuration is wrong and nothing was changed: {} ({} in all)",
            "Correct it (weir check names every problem) and reload again."),
    RELOAD_WAITS(
            170017,
            Severity.NOTICE,
            "Configuration",
            "The configuration was reloaded; these changes take effect only at the next start: {}",
            ""),
    ADDRESSES_NOT_PUBLISHED(
            170018,
            Severity.ERROR,
            "Server",
            "Listeners have changed, but their addresses could not be written to the data directory: {}",
            "Make room on the disk or set the folder's permissions; the pid file (weir.pid in the data directory) shows"
                    + " the old addresses until then."),
    DATA_DIR_OPEN(
            170019,
            Severity.WARNING,
            "Server",
            "The data directory {} is open to others: {}",
            "Files in it are the server's own (0600), but anyone who can write to the folder can replace them: chmod"
                    + " go-w it, or start the server as its owner."),
    OBSERVER_FAILED(
            170004,
            Severity.ERROR,
            "Configuration",
            "A part of the server could not apply a live change: {}",
            "Look at the cause; restart the server if the part keeps its old value."),
    HISTORY_FAILED(
            170005,
            Severity.ERROR,
            "Configuration",
            "The configuration's history could not be written to {}: {}",
            "Make room on the disk or set the folder's permissions; the change itself is in force."),
    STATISTICS_FAILED(
            170011,
            Severity.ERROR,
            "Server",
            "The history of the statistics could not be written to {}: {}",
            "Make room on the disk or set the folder's permissions; values until then are missing in ./weir history."),
    HISTORY_RESUMED(170012, Severity.NOTICE, "Server", "The history of the statistics is written to {} again.", ""),
    TOKEN_CREATED(
            170006,
            Severity.NOTICE,
            "Security",
            "A new admin token was written to {} (readable by its owner only).",
            ""),
    REALM_UNREADABLE(
            170007,
            Severity.ERROR,
            "Security",
            "The users cannot be read, so all password logins are refused: {}",
            "Repair the file, or delete it and set the passwords again with weir passwd."),
    MUXER(170009, Severity.NOTICE, "Server", "Muxer {} with {} socket readers.", ""),
    STOP_FAILED(
            170008,
            Severity.ERROR,
            "Server",
            "A part of the server could not be stopped cleanly: {}",
            "No action is needed; the process still ends."),
    LOG_FILE_FAILED(
            170020,
            Severity.ERROR,
            "Log",
            "The server log {} cannot be written: {}",
            "Make room on the disk or set the folder's permissions; notices still reach standard output."),
    LOG_DROPPED(
            170021,
            Severity.WARNING,
            "Log",
            "{} messages were dropped because {} waited for the writer.",
            "Write less (server.log.level), or raise server.log.queue; look for a slow disk."),
    LOG_REPEATED(170022, Severity.INFO, "Log", "The message {} was repeated {} times in {}: {}", ""),
    CLUSTER_CHANGE(170040, Severity.NOTICE, "Audit", "{} from {} requested {} of {} in the cluster ({}): {}", ""),
    EPOCH_RAISED(
            170042,
            Severity.NOTICE,
            "Cluster",
            "The basis of leasing changed: fences have epoch {} from now on, issued by {}",
            ""),
    HELD_BACK(
            170044,
            Severity.CRITICAL,
            "Cluster",
            "This server does not join: its services had fences of epoch {} before, the running cluster's epoch is {} and cannot"
                    + " rise now: {}",
            "Stop all members, this one too, and start them together: the epoch rises before anything is placed. If"
                    + " nothing outside remembers the fences of its former services, stop this one and remove the file"
                    + " cluster/leasing of its data directory instead."),
    NOT_MARKED(
            170043,
            Severity.WARNING,
            "Cluster",
            "The source of the fences could not be recorded in {}: {}",
            "Make the data directory writable; otherwise fences may repeat when cluster.leasing is changed."),
    NOT_DEFINED(
            170041,
            Severity.ERROR,
            "Cluster",
            "The cluster refused an entry of this server's configuration: {}",
            "Correct the entry on all members, or undeploy what has the same name."),
    REDEFINES(
            170045,
            Severity.WARNING,
            "Cluster",
            "Member {} redefines {} for the whole cluster: its file differs from what the cluster had in {}",
            "The last member to start wins. Give all members the same entry; ./weir cluster history shows who defined"
                    + " it."),
    NO_CLASS(
            170046,
            Severity.NOTICE,
            "Cluster",
            "The entry singletons.{} waits for a deployment: it has no class-name, and no deployed archive has a singleton of"
                    + " that name yet.",
            "Deploy the archive (./weir deploy). An entry for a class in lib needs class-name, and one for a deployed"
                    + " singleton its name."),
    NOT_FOLLOWED(
            170013,
            Severity.ERROR,
            "Configuration",
            "This process could not apply configuration {}, which the first process applied: {}",
            "It continues with the previous configuration; end it, and the supervisor starts one with the new"
                    + " configuration."),
    MUXER_HANGS(
            170026,
            Severity.ERROR,
            "Server",
            "Muxer {} hangs: it has made no progress for seconds, and its connections stall",
            "GET /threads on the admin listener shows its thread's stack: a function that blocks where it must not, or"
                    + " a bug. /health is down until it runs again."),
    MUXER_RECOVERED(170027, Severity.NOTICE, "Server", "Muxer {} runs again.", ""),
    NOT_SHARED(
            170028,
            Severity.ERROR,
            "Cache",
            "This process does not share its cache with the others: {}",
            "Each process fetches from the origins itself. It is a fault of this Java installation's TLS."),
    PURGES_LOST(
            170029,
            Severity.NOTICE,
            "Cache",
            "The cache of this process was emptied: it had applied the server's purges up to number {}, and not all from"
                    + " there to {} are known any more",
            "It fills again. It happens when more than a thousand purges are made while a process hangs or starts."),
    LIBRARY_WARNING(170030, Severity.WARNING, "Netty", "{}", ""),
    LIBRARY_ERROR(170031, Severity.ERROR, "Netty", "{}", ""),
    JAVA_WARNING(
            170032,
            Severity.WARNING,
            "Java",
            "{}: {}",
            "The JDK or a library logged this with java.util.logging; see its documentation."),
    JAVA_ERROR(
            170033,
            Severity.ERROR,
            "Java",
            "{}: {}",
            "The JDK or a library logged this with java.util.logging; see its documentation."),
    SHARES_LATER(
            170034,
            Severity.NOTICE,
            "Cache",
            "This process serves without the caches of the others, which were not ready within {} s",
            "It fetches from the origins itself until they are ready. They start slowly, or have much to recover.");

    private final Declaration declaration;

    ServerMessages(int id, Severity severity, String subsystem, String text, String remedy) {
        this.declaration = new Declaration(id, severity, subsystem, text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
