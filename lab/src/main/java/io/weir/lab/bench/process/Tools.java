package io.weir.lab.bench.process;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The paths of a run's programs. Immutable. */
public final class Tools {
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+(\\.\\d+)*");
    private final Map<PeerProgram, Path> places;

    private Tools(Map<PeerProgram, Path> places) {
        this.places = new EnumMap<>(places);
    }

    /**
     * Finds the required tools, and installs missing ones if requested.
     *
     * @throws BenchFailure with the missing programs and their packages
     */
    public static Tools find(Collection<PeerProgram> wanted, String path, boolean install, PrintStream out)
            throws IOException, InterruptedException, BenchFailure {
        Map<PeerProgram, Path> places = new EnumMap<>(PeerProgram.class);
        List<PeerProgram> lacking = look(wanted, path, places);
        if (!lacking.isEmpty() && install) {
            install(lacking, out);
            lacking = look(wanted, path, places);
        }
        if (!lacking.isEmpty()) {
            throw new BenchFailure(PeerProgram.missing(lacking));
        }
        return new Tools(places);
    }

    private static List<PeerProgram> look(Collection<PeerProgram> wanted, String path, Map<PeerProgram, Path> places) {
        List<PeerProgram> lacking = new ArrayList<>();
        for (PeerProgram program : wanted) {
            Optional<Path> place = program.find(path);
            place.ifPresent(p -> places.put(program, p));
            if (place.isEmpty()) {
                lacking.add(program);
            }
        }
        return lacking;
    }

    private static void install(List<PeerProgram> lacking, PrintStream out)
            throws IOException, InterruptedException, BenchFailure {
        installPackages(
                lacking.stream().map(PeerProgram::debianPackage).distinct().toList(), out);
    }

    /** Installs Debian's packages, as root. */
    public static void installPackages(List<String> packages, PrintStream out)
            throws IOException, InterruptedException, BenchFailure {
        List<String> command = new ArrayList<>(List.of(
                "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q", "--no-install-recommends"));
        command.addAll(packages);
        for (List<String> step : List.of(List.of("apt-get", "update", "-q"), command)) {
            out.println("installing: " + String.join(" ", step));
            Ran ran = Ran.of(step);
            if (ran.exit() != 0) {
                throw new BenchFailure(
                        String.join(" ", step) + " failed:\n" + ran.printed().strip());
            }
        }
    }

    public String path(PeerProgram program) {
        Path place = places.get(program);
        if (place == null) {
            throw new IllegalStateException(program + " was not looked for");
        }
        return place.toString();
    }

    /** The version that the program reports. */
    public String version(PeerProgram program) throws IOException, InterruptedException {
        return versionIn(Ran.of(List.of(path(program), program.versionOption())).firstLine());
    }

    public static String versionIn(String line) {
        Matcher matcher = VERSION.matcher(line);
        return matcher.find() ? matcher.group() : "?";
    }
}
