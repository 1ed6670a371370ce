package io.weir.cluster.state;

/**
 * What a log's entry asks for. Every command is conditional or idempotent: applied twice, the second changes nothing, or is
 * refused. Immutable. To bytes and back by {@link CommandCodec}.
 */
public sealed interface Command
        permits MemberCommand,
                LeaseCommand,
                SingletonCommand,
                NamingCommand,
                TimerCommand,
                DeploymentCommand,
                CheckpointCommand {}
