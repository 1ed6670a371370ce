package io.weir.cluster.state;

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
     */
    record Deploy(String name, String sha256, long size, String source, List<SingletonSpec> singletons)
            implements DeploymentCommand {
        public Deploy {
            singletons = List.copyOf(singletons);
        }
    }

    /** A member has the contents of this version now. */
    record Fetched(String name, long version, String member) implements DeploymentCommand {}

    /** Takes it away with its singletons. */
    record Undeploy(String name) implements DeploymentCommand {}
}
