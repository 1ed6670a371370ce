package io.weir.cluster.state;

import io.weir.cluster.state.entry.Command;

/**
 * A command and its proposer: an entry of the log. Immutable.
 *
 * @param by {@code member:NAME}, or the operator's name: for the history
 * @param atMillis the proposer's wall clock, milliseconds since 1970: shown, never compared
 */
public record Proposal(Command command, String by, long atMillis) {}
