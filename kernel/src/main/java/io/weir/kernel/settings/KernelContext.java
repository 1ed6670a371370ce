package io.weir.kernel.settings;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;

/**
 * What the parts of a kernel share. Immutable.
 *
 * @param name first part of thread names: {@code weir}, for a second kernel for example {@code weir.admin}
 * @param clock the time for all limits and statistics
 * @param stats where statistics are declared
 * @param log where messages go
 */
public record KernelContext(String name, Clock clock, Stats stats, Log log) {}
