package io.weir.cluster.stats;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** Messages of the cluster: each transition is one line with its reason. */
public enum ClusterMessages implements DeclaredMessage {
    JOINING(102, Severity.NOTICE, "This server is member {} of cluster {}, incarnation {}", ""),
    LEAVING(103, Severity.NOTICE, "Disconnecting from cluster {}: {}", ""),
    MEMBER_IN(111, Severity.NOTICE, "Member {} joined the cluster", ""),
    MEMBER_OUT(112, Severity.NOTICE, "Member {} left the cluster: {}", ""),
    SINGLETON(40700, Severity.NOTICE, "Singleton service {}: {} to {}, fence {}: {}", ""),
    JOIN_REFUSED(
            40717,
            Severity.WARNING,
            "The cluster {} refused member {}: {}",
            "The join is retried. Each member needs a unique name."),
    MEMBER_STEP(40718, Severity.FINE, "Member {}: {} to {}: {}", ""),
    HISTORY(40719, Severity.INFO, "{} {}: {} to {}, fence {}: {} (by {})", ""),
    SINGLETON_STEP(40716, Severity.FINE, "Singleton service {}: {} to {}, fence {}: {}", ""),
    ISOLATED(
            40701,
            Severity.ERROR,
            "Singleton service {} with fence {} can no longer use fenced resources: {}",
            "Its code still runs here although its lease is over: check its thread, and end the process if it writes to"
                    + " anything that is not fenced."),
    HALTING(
            40702,
            Severity.CATASTROPHE,
            "Singleton service {} with fence {} is not deactivated although its lease is over: the process is halted",
            "cluster.halt-on-hang requires it; the service's deactivate() hangs."),
    RENEWALS_FAIL(
            40703,
            Severity.WARNING,
            "The leases of member {} cannot be renewed, {} left of them: {}",
            "When no time is left its singleton services are deactivated. Check the member's connection to the others."),
    ACTIVATION_LATE(
            40704,
            Severity.WARNING,
            "Singleton service {} with fence {} completed its activation only after the time-out: {}",
            "Raise cluster.activation-time-out if it regularly takes this long."),
    FENCE_REFUSED(
            40705,
            Severity.WARNING,
            "Refused {} with fence {} of lease {}, whose fence is {}",
            "A former holder still runs: see ./weir cluster explain; raise cluster.lease.time-to-live if pauses of"
                    + " the process cause it."),
    ACTIVATION_FAILED(
            40706,
            Severity.ERROR,
            "Singleton service {} could not be activated here: {}",
            "Another candidate is tried."),
    DEACTIVATION_FAILED(
            40707,
            Severity.ERROR,
            "Singleton service {} failed to deactivate: {}",
            "Its activation on another member proceeds; check for resources that were not released."),
    NOT_BEGUN(
            40721,
            Severity.ERROR,
            "{} of singleton service {} could not be called: {}",
            "It is called as soon as possible; until then it counts as a hanging call. Raise the process's limit of"
                    + " threads."),
    LEASE_OVER(40708, Severity.NOTICE, "Lease {} of {} with fence {} is over: {}", ""),
    LEADING(40709, Severity.INFO, "This member leads the cluster's log, term {}", ""),
    FOLLOWING(40710, Severity.INFO, "This member does not lead the cluster's log, term {}", ""),
    NOT_PROPOSED(40711, Severity.FINE, "{} could not be proposed to the cluster's log: {}", ""),
    DEPLOYED(40712, Severity.NOTICE, "Deployment {} version {} has arrived, SHA-256 {}", ""),
    UNDEPLOYED(40713, Severity.NOTICE, "Deployment {} version {} is closed: {}", ""),
    DEPLOYMENT_MISSING(
            40714,
            Severity.ERROR,
            "The contents of deployment {} cannot be fetched: {}",
            "One of the members that hold it must run; or deploy it again."),
    SEEKING(40730, Severity.NOTICE, "Cluster {}: waiting for {}", ""),
    FORMED(40731, Severity.NOTICE, "Cluster {} was formed by {}, with the identifier {}", ""),
    KEEPS_THE_LOG(40732, Severity.NOTICE, "This member replicates the log of cluster {} with {}", ""),
    LOG_ENDED(
            40733,
            Severity.ERROR,
            "This member no longer keeps the log of cluster {}: {}",
            "Start the server again. A member that was removed needs ./weir cluster add to come back."),
    LOG_OPEN_TO_ALL(
            40734,
            Severity.NOTICE,
            "The members' log at {} accepts commands from every program on this machine",
            "Set cluster.secret-file on all members: then it accepts members only."),
    LOG_NOT_CLOSED(40735, Severity.NOTICE, "The members' log did not close in time: {}", ""),
    LOG_CALLER_REFUSED(
            40736,
            Severity.WARNING,
            "Refused at the port of the members' log or cache: {}; from {}",
            "Only members should connect there. If it is one: cluster.secret and cluster.tls must be the same on all"
                    + " members; compare them and restart that member."),
    LOG_PEER_REFUSED(
            40737,
            Severity.WARNING,
            "The server at {}, where another member's log or cache should be, is refused: {}",
            "cluster.secret and cluster.tls must be the same on all members: compare those of the two, and correct and"
                    + " restart the wrong one."),
    SECRET_SHORT(
            40738,
            Severity.WARNING,
            "cluster.secret has {} characters: anyone who reaches a member's ports can guess it by trying",
            "Use a long random one (openssl rand -base64 32), the same on all members; stop all members before."),
    ELECTIONS_LONGER(
            40739,
            Severity.NOTICE,
            "This process is scheduled up to {} ms late: it waits {} ms for the log's leader instead of {}",
            "If this lasts, the machine is overloaded. cluster.log.longest-election-time-out bounds the wait."),
    ELECTIONS_USUAL(
            40740, Severity.NOTICE, "This process is scheduled in time again: it waits {} ms for the log's leader", ""),
    PURGES_MISSED(
            40741,
            Severity.NOTICE,
            "The cache was emptied: it had followed the cluster's purges up to number {}, and not all from there to {} are"
                    + " known any more",
            "It fills again from the origins. It happens to a member that was away for more than a thousand purges, or"
                    + " comes from another cluster."),
    UNCAUGHT(
            40715,
            Severity.ERROR,
            "Uncaught error in the cluster's {}: {}",
            "This is a bug in Weir: please report it with this line.");

    private final Declaration declaration;

    ClusterMessages(int id, Severity severity, String text, String remedy) {
        this.declaration = new Declaration(id, severity, "Cluster", text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
