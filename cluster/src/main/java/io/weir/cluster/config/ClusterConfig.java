package io.weir.cluster.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code cluster}: this member and the others. Without {@code members} the server is a cluster of one.
 * Immutable; replaced as a whole by a live change.
 */
public record ClusterConfig(
        @Knob(
                doc = "Name of the cluster. A member with another cluster name is refused.",
                value = "weir",
                min = "1",
                max = "64",
                unwatched = Unwatched.NAME)
        String name,

        @Knob(
                doc = "Name of this member, different from the others'. Required with members; a single server uses"
                        + " server.name.",
                max = "64",
                knownAs = "Name",
                unwatched = Unwatched.NAME)
        String member,

        @Knob(
                doc = "Addresses (host:port) of the weir listeners of all members, including this one and a"
                        + " witness. Empty: a cluster of one.",
                unwatched = Unwatched.NAME)
        List<String> members,

        @Knob(
                doc = "Where leases are kept: consensus among the members, or a database. Must be the same on all"
                        + " members. To change it, stop all members and raise database.epoch.",
                value = "consensus",
                knownAs = "MigrationBasis",
                watch = "weir_cluster_submit_time_seconds")
        Leasing leasing,

        @Knob(
                doc = "A witness votes but runs no singletons: the third vote beside two members.",
                value = "member",
                unwatched = Unwatched.MEANING)
        MemberRole role,

        @Knob(
                doc = "Address (host:port) at which the other members reach this one's weir listener, where that"
                        + " differs from the listener's; must be one of members.",
                knownAs = "ExternalDNSName",
                unwatched = Unwatched.NAME)
        @Nullable
        String advertise,

        @Knob(
                doc = "Port of the members' log, on this member's advertised address. 0 picks a free port at the"
                        + " first start and keeps it.",
                value = "0",
                min = "0",
                max = "65535",
                unwatched = Unwatched.NAME)
        int raftPort,

        @Knob(
                doc = "Shared secret by which members authenticate each other, at their weir listeners and at the"
                        + " ports of their logs, which are encrypted with it; the same on all members, and never"
                        + " sent. Required where one is not on loopback.",
                secret = true,
                unwatched = Unwatched.SECRET)
        @Nullable
        String secret,

        @Knob(doc = "File that holds the secret, instead of secret.", unwatched = Unwatched.NAME) @Nullable
        String secretFile,

        @Knob(
                doc = "Folder of jars with the classes of singletons and timers, and JDBC drivers. A relative path is"
                        + " resolved against the data directory.",
                value = "lib",
                min = "1",
                unwatched = Unwatched.NAME)
        String libDir,

        @Knob(doc = "Certificates for connections between members.")
        ClusterTlsConfig tls,

        @Knob(doc = "How long leases last and how often they are renewed.")
        LeaseConfig lease,

        @Knob(doc = "The members' log of decisions.") ConsensusLogConfig log,
        @Knob(doc = "The database for leasing: database.") DatabaseConfig database,

        @Knob(
                doc = "How long a singleton's activate() may take before it counts as failed and"
                        + " another member is tried. Raise it when services that load much fail to"
                        + " activate; lower it to go on to another member sooner. Rule of thumb: twice the"
                        + " longest usual activation.",
                value = "30s",
                min = "10ms",
                max = "1h",
                watch = {"weir_singleton_activation_time_seconds", "weir_singleton_activation_failures_total"},
                knownAs = "SingletonServiceRequestTimeout")
        Duration activationTimeOut,

        @Knob(
                doc = "How long a singleton's deactivate() may take. Then its fence is invalid on this member, its"
                        + " thread is interrupted, and another member takes over at most lease.grace later, with"
                        + " halt-on-hang once the process has ended. If its lease cannot be renewed, it has no"
                        + " longer than the lease lasts."
                        + " Rule of thumb: twice the slowest regular deactivation.",
                value = "10s",
                min = "10ms",
                max = "1h",
                watch = "weir_singleton_deactivation_time_seconds")
        Duration deactivationTimeOut,

        @Knob(
                doc = "Maximum number of concurrent activations on this member; deactivations never"
                        + " wait, each has a thread of its own. Raise it when many singletons wait after a"
                        + " member failed and activate() mostly waits; lower it when activations overload"
                        + " this member. Each costs a thread. Rule of thumb: the number of processors.",
                value = "4",
                unit = "singletons",
                min = "1",
                max = "256",
                watch = {"weir_singleton_activations_waiting", "weir_singleton_activation_time_seconds"})
        int maxConcurrentActivations,

        @Knob(
                doc = "How long a new cluster waits for its members before it activates singletons, so that preferred"
                        + " servers have time to join; it ends when all have joined. A single server does not wait."
                        + " Rule of thumb: the difference between the starts of the first and the last member.",
                value = "10s",
                max = "1h",
                watch = "weir_singleton_transitions_total",
                knownAs = "InitialBootDelaySeconds")
        Duration initialBootDelay,

        @Knob(
                doc = "Halts the process when a singleton whose lease expired cannot be deactivated, before another"
                        + " member activates it; in a planned migration after twice deactivation-time-out, until"
                        + " when its lease is kept. The surest exclusion, at the price of everything else that"
                        + " runs in the process.",
                value = "off",
                knownAs = "PanicAction",
                unwatched = Unwatched.SWITCH)
        boolean haltOnHang,

        @Knob(doc = "Calls of bound services.") InvokeConfig invoke,
        @Knob(doc = "Hot deployments.") DeployConfig deploy) {
    public ClusterConfig {
        // not given: empty
        member = Objects.requireNonNullElse(member, "");
    }

    /** Whether this is a cluster of one, in which nothing waits for other members. */
    public boolean alone() {
        return leasing == Leasing.CONSENSUS && members.size() < 2;
    }

    /**
     * The name of this member.
     *
     * @param serverName {@code server.name}, the name of a single server
     */
    public String memberName(String serverName) {
        return member.isEmpty() ? serverName : member;
    }
}
