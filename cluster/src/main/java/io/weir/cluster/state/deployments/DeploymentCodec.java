package io.weir.cluster.state.deployments;

import io.weir.cluster.state.bytes.BytesIn;
import io.weir.cluster.state.bytes.BytesOut;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.singletons.SingletonCodec;
import java.util.TreeSet;

/** Encodes and decodes commands about deployments. */
public final class DeploymentCodec {
    private DeploymentCodec() {}

    public static void write(BytesOut out, int group, DeploymentCommand command) {
        switch (command) {
            case DeploymentCommand.Deploy c ->
                out.u8(group | 4)
                        .name(c.name())
                        .name(c.sha256())
                        .i64(c.size())
                        .name(c.source())
                        .list(c.singletons(), StateLimits.SINGLETONS, SingletonCodec::spec)
                        .text(c.reason(), StateLimits.REASON);
            case DeploymentCommand.Fetched c ->
                out.u8(group | 1).name(c.name()).i64(c.version()).name(c.member());
            case DeploymentCommand.Undeploy c ->
                out.u8(group | 3).name(c.name()).text(c.reason(), StateLimits.REASON);
        }
    }

    /** 0 and 2 are the former encodings without a reason. */
    public static DeploymentCommand read(BytesIn in, int which) {
        return switch (which) {
            case 0 ->
                new DeploymentCommand.Deploy(
                        in.name(),
                        in.name(),
                        in.i64(),
                        in.name(),
                        in.list(StateLimits.SINGLETONS, SingletonCodec::spec));
            case 1 -> new DeploymentCommand.Fetched(in.name(), in.i64(), in.name());
            case 2 -> new DeploymentCommand.Undeploy(in.name());
            case 3 -> new DeploymentCommand.Undeploy(in.name(), in.text(StateLimits.REASON));
            case 4 ->
                new DeploymentCommand.Deploy(
                        in.name(),
                        in.name(),
                        in.i64(),
                        in.name(),
                        in.list(StateLimits.SINGLETONS, SingletonCodec::spec),
                        in.text(StateLimits.REASON));
            default -> throw BytesIn.unknown(which);
        };
    }

    public static void deployment(BytesOut out, Deployment d) {
        out.name(d.name()).name(d.sha256()).i64(d.size()).i64(d.version()).names(d.sources(), StateLimits.MEMBERS);
    }

    public static Deployment deployment(BytesIn in) {
        return new Deployment(in.name(), in.name(), in.i64(), in.i64(), new TreeSet<>(in.names(StateLimits.MEMBERS)));
    }
}
