package io.weir.cluster.state.members;

/**
 * Whether placement waits for members to arrive after the whole cluster started. Immutable.
 *
 * @param pending nothing is placed until {@link MemberCommand.BootDelayOver} with this version
 * @param version index at which it began
 */
public record BootDelay(boolean pending, long version) {}
