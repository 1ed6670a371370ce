package io.weir.lab.bench.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A program that a benchmark starts, and the Debian package it comes in. */
public enum PeerProgram {
    WRK("wrk", "wrk", "-v"),
    H2LOAD("h2load", "nghttp2-client", "--version"),
    TASKSET("taskset", "util-linux", "--version"),
    NGINX("nginx", "nginx", "-v"),
    HAPROXY("haproxy", "haproxy", "-v"),
    VARNISH("varnishd", "varnish", "-V"),
    SQUID("squid", "squid", "-v"),
    TRAFFIC_SERVER("traffic_server", "trafficserver", "--version"),
    OPENSSL("openssl", "openssl", "version");

    /** Where Debian installs servers, in addition to PATH: users' PATHs often lack these. */
    private static final List<String> SERVERS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

    private final String file;
    private final String debianPackage;
    private final String versionOption;

    PeerProgram(String file, String debianPackage, String versionOption) {
        this.file = file;
        this.debianPackage = debianPackage;
        this.versionOption = versionOption;
    }

    String file() {
        return file;
    }

    String debianPackage() {
        return debianPackage;
    }

    String versionOption() {
        return versionOption;
    }

    /** Its file in the folders of a PATH or of servers; empty if it is not installed. */
    public Optional<Path> find(String path) {
        return Stream.concat(Stream.of(path.split(":", -1)), SERVERS.stream())
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, file))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The message about missing programs. */
    public static String missing(Collection<PeerProgram> lacking) {
        List<String> files = lacking.stream().map(PeerProgram::file).toList();
        List<String> packages =
                lacking.stream().map(PeerProgram::debianPackage).distinct().toList();
        return "not installed: " + String.join(", ", files) + "\n  Debian, Ubuntu:  apt-get install "
                + String.join(" ", packages)
                + "\n  or add --install, which does it; or name fewer servers with --peers";
    }
}
