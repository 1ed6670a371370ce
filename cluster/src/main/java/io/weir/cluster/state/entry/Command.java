package io.weir.cluster.state.entry;

/**
 * What a log's entry asks for. Every command is conditional or idempotent: applied twice, the second changes nothing, or is
 * refused. Each subject of the state has its own kind of commands, sealed in its package beside their rules and their bytes;
 * {@code io.weir.cluster.state.CommandKind} lists the kinds. Immutable.
 */
public interface Command {}
