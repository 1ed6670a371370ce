package io.weir.cluster.state;

/** Commands about deployments, to bytes and back. */
final class DeploymentCodec {
    private DeploymentCodec() {}

    static void write(BytesOut out, int group, DeploymentCommand command) {
        switch (command) {
            case DeploymentCommand.Deploy c ->
                out.u8(group | 4)
                        .name(c.name())
                        .name(c.sha256())
                        .i64(c.size())
                        .name(c.source())
                        .list(c.singletons(), Limits.SINGLETONS, SingletonCodec::spec)
                        .text(c.reason(), Limits.REASON);
            case DeploymentCommand.Fetched c ->
                out.u8(group | 1).name(c.name()).i64(c.version()).name(c.member());
            case DeploymentCommand.Undeploy c ->
                out.u8(group | 3).name(c.name()).text(c.reason(), Limits.REASON);
        }
    }

    /** 0 and 2 are what was written before they had a reason. */
    static DeploymentCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 ->
                new DeploymentCommand.Deploy(
                        in.name(), in.name(), in.i64(), in.name(), in.list(Limits.SINGLETONS, SingletonCodec::spec));
            case 1 -> new DeploymentCommand.Fetched(in.name(), in.i64(), in.name());
            case 2 -> new DeploymentCommand.Undeploy(in.name());
            case 3 -> new DeploymentCommand.Undeploy(in.name(), in.text(Limits.REASON));
            case 4 ->
                new DeploymentCommand.Deploy(
                        in.name(),
                        in.name(),
                        in.i64(),
                        in.name(),
                        in.list(Limits.SINGLETONS, SingletonCodec::spec),
                        in.text(Limits.REASON));
            default -> throw CommandCodec.unknown(which);
        };
    }
}
