package io.weir.cluster.state.deployments;

import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.List;

/** Commands about deployments. */
public sealed interface DeploymentCommand extends Command {
    /**
     * Deploys or redeploys: its singletons are defined, those no longer contained are undefined, and active ones move
     * to the new version (on the same member if possible).
     *
     * @param sha256 digest of its contents
     * @param source a member that stores them
     * @param singletons its singletons, each with this deployment's name as {@link SingletonSpec#deployment()}
     * @param reason the operator's reason
     */
    record Deploy(String name, String sha256, long size, String source, List<SingletonSpec> singletons, String reason)
            implements DeploymentCommand {
        public Deploy {
            singletons = List.copyOf(singletons);
        }

        public Deploy(String name, String sha256, long size, String source, List<SingletonSpec> singletons) {
            this(name, sha256, size, source, singletons, "");
        }
    }

    /** A member now stores the contents of this version. */
    record Fetched(String name, long version, String member) implements DeploymentCommand {}

    /** Removes a deployment and its singletons. */
    record Undeploy(String name, String reason) implements DeploymentCommand {
        public Undeploy(String name) {
            this(name, "");
        }
    }
}
