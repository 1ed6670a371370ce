package io.weir.server.cluster;

import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.members.MembershipParts;
import io.weir.cluster.node.ClusterNode;
import io.weir.journal.disk.Disk;
import io.weir.journal.disk.FileDisk;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Opens the configured basis of a member's log and leases. Stateless. */
final class Bases {
    private Bases() {}

    /**
     * Opens the basis.
     *
     * @param address host:port at which others reach this member's weir listener
     * @param claimed where the log of a single member is, already locked; null to lock it now
     */
    static Basis open(MemberSetup setup, ClusterNode node, String address, @Nullable Disk claimed) throws IOException {
        ClusterConfig section = setup.section();
        if (section.leasing() == Leasing.DATABASE) {
            return DatabaseBasis.open(
                    section, node, setup.classes().loader(), setup.loop(), setup.stats(), setup.log());
        }
        if (section.alone()) {
            LeaseTimes times = LeaseTimes.of(section.lease());
            Disk disk = claimed == null ? new FileDisk(setup.folder().resolve(Clustering.LOG)) : claimed;
            return LocalBasis.open(disk, setup.self(), node.holder(), setup.loop(), times, setup.stats(), setup.log());
        }
        return ConsensusBasis.open(new MembershipParts(
                section,
                setup.secret(),
                setup.loginKey(),
                address,
                setup.folder(),
                node.holder(),
                setup.loop(),
                ToMembers.options(setup.config()),
                setup.stats(),
                setup.log()));
    }

    /** Ensures that fences are higher than all earlier ones, even if their source has changed. */
    static LeasingMark mark(MemberSetup setup, ClusterNode node) throws IOException {
        ClusterConfig section = setup.section();
        boolean rows = section.leasing() == Leasing.DATABASE;
        String basis = rows ? LeasingMark.DATABASE : section.alone() ? "alone" : "consensus";
        Executor writer =
                write -> Thread.ofPlatform().daemon().name("weir.cluster.mark").start(write);
        LeasingMark mark = LeasingMark.open(setup.folder(), basis, setup.loop(), node::proposer, writer, setup.log());
        if (rows && section.database().epoch() < mark.least()) {
            throw new IOException("cluster.database.epoch is "
                    + section.database().epoch()
                    + ", but services of this server had fences of epoch " + (mark.least() - 1)
                    + " before their leases were in a database: set it to " + mark.least() + " or more on all members");
        }
        return mark;
    }
}
