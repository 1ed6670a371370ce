package io.weir.cluster.state.deployments;

import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.List;

/** Commands about deployments. */
public sealed interface DeploymentCommand extends Command {
    /**
     * Deploys, or deploys anew: its singletons are defined, those that it has no more are undefined, and active ones move to
     * the new version (where they are, if that is possible).
     *
     * @param sha256 of its contents
     * @param source a member that has them
     * @param singletons each with {@link SingletonSpec#deployment()} this one's name
     * @param reason of the operator
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

    /** A member has the contents of this version now. */
    record Fetched(String name, long version, String member) implements DeploymentCommand {}

    /** Takes it away with its singletons. */
    record Undeploy(String name, String reason) implements DeploymentCommand {
        public Undeploy(String name) {
            this(name, "");
        }
    }
}
