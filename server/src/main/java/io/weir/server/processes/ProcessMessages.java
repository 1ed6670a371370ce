package io.weir.server.processes;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The messages of the supervisor. Immutable. */
public enum ProcessMessages implements DeclaredMessage {
    STARTED(170070, Severity.NOTICE, "Supervisor", "{} worker processes are ready after {} ms.", ""),
    READY(170071, Severity.NOTICE, "Supervisor", "Worker {} is ready: process {}.", ""),
    STATE_CHANGED(170072, Severity.INFO, "Supervisor", "Worker {} (process {}): {} after {}.", ""),
    DIED(
            170073,
            Severity.ERROR,
            "Supervisor",
            "Worker {} (process {}) ended unexpectedly with {}; another is started in {} ms. New connections of its"
                    + " sockets {} in the meantime.",
            "Its log, and the file errors beside it (workers/NUMBER in the data directory), show why."),
    NOT_STARTED(
            170074,
            Severity.ERROR,
            "Supervisor",
            "Worker {} could not be started: {}; tried again in {} ms.",
            "Look whether memory, processes or files are at their limit."),
    KILLED(
            170075,
            Severity.ERROR,
            "Supervisor",
            "Worker {} (process {}) did not end within the drain time-out and was killed.",
            "Its log says what it waited for."),
    STRANGER(
            170076,
            Severity.WARNING,
            "Supervisor",
            "Process {} requested the listening sockets but is not a worker: it got nothing.",
            "A process of the same user connected to workers/link in the data directory."),
    PID_FILE_FAILED(
            170080,
            Severity.ERROR,
            "Supervisor",
            "The pid file {} could not be written: {}",
            "Make room on the disk or set the folder's permissions; it names processes that are gone."),
    UPGRADE(170081, Severity.NOTICE, "Supervisor", "Upgrade requested: {} new worker processes are started.", ""),
    UPGRADED(170082, Severity.NOTICE, "Supervisor", "The new worker processes serve; the old ones drain.", ""),
    NOT_UPGRADED(
            170083,
            Severity.ERROR,
            "Supervisor",
            "The upgrade failed, the old workers continue: {}",
            "Correct what the message names, and repeat the upgrade."),
    HUNG(
            170077,
            Severity.ERROR,
            "Supervisor",
            "Worker {} (process {}) has not answered for {}: it hangs, and is killed.",
            "A long pause of the garbage collector, a muxer that a function blocks, or a machine that swaps; see"
                    + " server.hang-time-out, and take a thread dump of the next one before that time is over."),
    NOT_TURNED(
            170086,
            Severity.WARNING,
            "Supervisor",
            "The keys of TLS session tickets could not be rotated: {}",
            "Make room on the disk or set permissions; the old keys are used until then."),
    UNSERVED(
            170087,
            Severity.CRITICAL,
            "Supervisor",
            "No process with number {} has been ready for {}: the server has fewer processes than server.processes. New"
                    + " connections of its sockets {} until then.",
            "The messages before this one, its log, and the file errors beside it (workers/NUMBER in the data"
                    + " directory), show why."),
    UPGRADE_STATE(170088, Severity.INFO, "Supervisor", "The upgrade: {} after {}.", ""),
    UPGRADE_STOPPED(
            170089,
            Severity.NOTICE,
            "Supervisor",
            "The server was stopped before the upgrade was done: the new worker processes end with the others.",
            ""),
    CHANGED(170084, Severity.NOTICE, "Supervisor", "All processes have applied the configuration that {} changed.", ""),
    NOT_CHANGED(
            170085,
            Severity.ERROR,
            "Supervisor",
            "Worker {} did not apply the configuration that {} changed: {}. It is killed, and its replacement starts"
                    + " with it.",
            "Its log shows why."),
    NOT_RECORDED(
            170090,
            Severity.ERROR,
            "Supervisor",
            "The configuration of the new worker processes is not recorded in {}: {}. A process that replaces one of them"
                    + " reads the files as they are then.",
            "Make the data directory writable, and upgrade again."),
    STOPPING(170078, Severity.NOTICE, "Supervisor", "Shutdown requested; {} worker processes drain.", ""),
    STOPPED(170079, Severity.NOTICE, "Supervisor", "All worker processes have ended.", "");

    private final Declaration declaration;

    ProcessMessages(int id, Severity severity, String subsystem, String text, String remedy) {
        this.declaration = new Declaration(id, severity, subsystem, text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
