package io.weir.lab.scenario;

import io.weir.base.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs scenarios against servers that a launcher starts. Immutable; runs are independent of each other. */
public final class ScenarioRunner {
    private final Weir.Launcher launcher;
    private final Certificates certificates;
    private final Path work;
    private final Clock clock;
    private final int patienceMillis;

    /**
     * @param work a folder below which each run gets its own
     * @param patienceMillis how long an actor waits for its peer before it fails, in milliseconds
     */
    public ScenarioRunner(Weir.Launcher launcher, Path work, Clock clock, int patienceMillis) {
        this.launcher = launcher;
        this.work = work;
        this.clock = clock;
        this.patienceMillis = patienceMillis;
        this.certificates = Certificates.in(work.resolve("tls"));
    }

    /** All scenario files below a folder, in order of name. */
    public static List<Path> files(Path root) {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(p -> p.toString().endsWith(".scn")).sorted().toList();
        } catch (IOException e) {
            throw new ScenarioFailure("cannot list " + root, e);
        }
    }

    /**
     * Plays a scenario from start to end.
     *
     * @throws ScenarioFailure with the transcript when an expectation does not hold
     */
    public void run(Scenario scenario) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(work.resolve(scenario.name()));
        Path own = Files.createTempDirectory(folder, "run");
        new ScenarioRun(scenario, this, own).run();
    }

    Weir.Launcher launcher() {
        return launcher;
    }

    Certificates certificates() {
        return certificates;
    }

    Clock clock() {
        return clock;
    }

    int patienceMillis() {
        return patienceMillis;
    }
}
