package io.weir.lab.scenario;

import io.weir.base.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs scenarios against servers that a launcher starts. Immutable; runs are independent of each other. */
public final class ScenarioRunner {
    private final Weir.Launcher launcher;
    private final Certificates certificates;
    private final Path work;
    private final Clock clock;
    private final int patienceMillis;
    private final Map<String, String> places;

    /**
     * @param work a folder in which each run gets its own
     * @param patienceMillis time-out of an actor waiting for its peer, in milliseconds
     */
    public ScenarioRunner(Weir.Launcher launcher, Path work, Clock clock, int patienceMillis) {
        this(launcher, work, clock, patienceMillis, Map.of());
    }

    private ScenarioRunner(
            Weir.Launcher launcher, Path work, Clock clock, int patienceMillis, Map<String, String> places) {
        this.launcher = launcher;
        this.work = work;
        this.clock = clock;
        this.patienceMillis = patienceMillis;
        this.places = Map.copyOf(places);
        this.certificates = Certificates.in(work.resolve("tls"));
    }

    /** The same with one more placeholder for scenarios, written {@code ${name}}. */
    public ScenarioRunner withPlace(String name, Path place) {
        Map<String, String> more = new HashMap<>(places);
        more.put(name, place.toString());
        return new ScenarioRunner(launcher, work, clock, patienceMillis, more);
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
     * @throws ScenarioFailure with the transcript if an expectation does not hold
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

    Map<String, String> places() {
        return places;
    }

    Clock clock() {
        return clock;
    }

    int patienceMillis() {
        return patienceMillis;
    }
}
