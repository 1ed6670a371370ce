package io.weir.cluster.state.entry;

/**
 * A command of a log entry. Every command is conditional or idempotent: if applied twice, the second changes nothing,
 * or is refused. Each subject of the state has a kind of commands, sealed in its package with its rules and codec;
 * {@code io.weir.cluster.state.CommandKind} lists the kinds. Immutable.
 */
public interface Command {}
