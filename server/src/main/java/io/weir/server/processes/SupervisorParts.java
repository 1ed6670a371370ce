package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.base.StatSpec;
import io.weir.server.config.LoadedConfig;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * The parameters of a supervisor's start. Immutable.
 *
 * @param loaded a usable configuration of more than one process
 * @param dataDir absolute
 * @param clock the source of time
 * @param stdout where notices are printed
 * @param words how this process, and so its workers, are started
 * @param declared all declared statistics
 */
public record SupervisorParts(
        LoadedConfig loaded,
        Path dataDir,
        Clock clock,
        PrintStream stdout,
        WorkerWords words,
        List<StatSpec> declared) {}
