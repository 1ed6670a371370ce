package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.base.StatSpec;
import io.weir.server.config.LoadedConfig;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * What a supervisor is started with. Immutable.
 *
 * @param loaded a usable configuration of more than one process
 * @param dataDir absolute
 * @param clock the time of everything
 * @param stdout where notices are printed
 * @param words how this process was started, and so its workers
 * @param declared all statistics that there are
 */
public record SupervisorParts(
        LoadedConfig loaded,
        Path dataDir,
        Clock clock,
        PrintStream stdout,
        WorkerWords words,
        List<StatSpec> declared) {}
