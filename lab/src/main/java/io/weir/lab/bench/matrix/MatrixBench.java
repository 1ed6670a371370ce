package io.weir.lab.bench.matrix;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.cell.CellChoice;
import io.weir.lab.bench.cell.CellWork;
import io.weir.lab.bench.cell.Floor;
import io.weir.lab.bench.cell.Generator;
import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.BenchRun;
import io.weir.lab.bench.http.Entrant;
import io.weir.lab.bench.http.LoadRun;
import io.weir.lab.bench.http.Turns;
import io.weir.lab.bench.peer.MatrixConfigs;
import io.weir.lab.bench.peer.MatrixPorts;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.ContenderFailure;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import io.weir.lab.bench.program.EchoOriginCommand;
import io.weir.lab.bench.program.EchoPlan;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All cells of the matrix in one run: one instance of each server, of the origin and of each floor, and one cell after
 * the other. Lives for one run; confined to its thread.
 */
public final class MatrixBench {
    static final String WEIR = "weir";
    /** The other build of {@code --against}. */
    static final String OTHER = "weir, other build";

    static final String FLOOR = "floor";

    private final BenchOptions options;
    private final CellChoice choice;
    private final WeirServer.Build build;
    private final WeirServer.@Nullable Build other;
    private final Clock clock;
    private final PrintStream out;
    private final Map<String, String> versions = new LinkedHashMap<>();
    private final List<CellResult> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * Compares a build of Weir with other servers.
     *
     * @param choice the cells
     * @throws BenchFailure if the other build of the options does not exist
     */
    public MatrixBench(BenchOptions options, CellChoice choice, WeirServer.Build build, Clock clock, PrintStream out)
            throws IOException, BenchFailure {
        this.options = options;
        this.choice = choice;
        this.build = options.against() == null ? build : build.withoutCache();
        this.other = options.against() == null ? null : this.build.of(options.against());
        this.clock = clock;
        this.out = out;
    }

    /**
     * Measures, prints the table and writes the page.
     *
     * @throws BenchFailure after that, if a cell could not be measured
     */
    public void run() throws Exception {
        Tools tools = Tools.find(
                programs(choice.cells(), options.peers()),
                String.valueOf(System.getenv("PATH")),
                options.install(),
                out);
        versions(tools);
        String title = "matrix of " + choice.cells().size() + " cells, " + options.rounds() + " rounds of "
                + options.seconds() + " s, seed " + options.seed()
                + "; servers on processor 0, loads and origins on processor 1";
        List<String> busy = new BenchRun(clock, out).run(title, () -> new Bed(tools, build, clock), this::measure);
        String warning = Findings.warning(busy);
        if (!warning.isEmpty()) {
            notes.addFirst(warning);
        }
        page();
        out.println("page: " + choice.html());
        List<String> failed = results.stream()
                .filter(r -> !r.problem().isEmpty())
                .map(r -> r.cell().name())
                .toList();
        if (!failed.isEmpty()) {
            throw new BenchFailure("not measured: " + String.join(", ", failed));
        }
    }

    /** The programs that some cells need. */
    static Set<PeerProgram> programs(List<Cell> cells, List<Peer> peers) {
        Set<PeerProgram> wanted = EnumSet.of(PeerProgram.TASKSET, PeerProgram.NGINX, PeerProgram.OPENSSL);
        for (Cell cell : cells) {
            switch (cell.generator()) {
                case WRK, HANDSHAKES -> wanted.add(PeerProgram.WRK);
                case H1LOAD, H2LOAD, H2_CONNECTIONS -> wanted.add(PeerProgram.H2LOAD);
                case ECHO -> {
                    // a program of this room
                }
            }
        }
        peers.forEach(p -> wanted.add(p.program()));
        return wanted;
    }

    private void versions(Tools tools) throws IOException, InterruptedException {
        versions.put(WEIR, build.version());
        if (other != null) {
            versions.put(OTHER, other.version());
        }
        for (Peer peer : options.peers()) {
            versions.put(peer.key(), tools.version(peer.program()));
        }
    }

    private void measure(Bed bed) throws Exception {
        int echoPort = Child.freePort();
        if (choice.cells().stream().anyMatch(c -> c.generator() == Generator.ECHO)) {
            bed.program("the echo origin", Bed.LOAD_CORE, EchoOriginCommand.class, echoPort, List.of("" + echoPort));
        }
        String config = MatrixConfigs.weir(bed.originPort(), echoPort, bed.keys());
        WeirServer weir = bed.weir(build, config);
        out.println("weir " + build.version() + ": " + weir.memory());
        List<MeasuredServer> builds = new ArrayList<>(List.of(server(WEIR, weir)));
        if (other != null) {
            builds.add(server(OTHER, bed.weir(other, config)));
        }
        Map<Peer, MeasuredServer> peers = new EnumMap<>(Peer.class);
        for (Peer peer : options.peers()) {
            MatrixPorts ports = MatrixPorts.free();
            long pid = bed.peer(peer, ports, echoPort).pid();
            int tunnel = peer == Peer.SQUID ? ports.tunnel() : ports.plain();
            peers.put(peer, new MeasuredServer(peer.key(), pid, false, ports.plain(), ports.tls(), tunnel));
        }
        Floors floors = new Floors(bed, echoPort);
        Turns turns = new Turns(options, out);
        try (CellLoads loads = new CellLoads(bed, echoPort);
                FirstLook look = new FirstLook(bed.keys())) {
            for (Cell cell : choice.cells()) {
                out.println(cell.name() + ", " + (results.size() + 1) + " of "
                        + choice.cells().size());
                try {
                    List<Entrant> entrants = entrants(cell, builds, peers, loads, look);
                    floor(cell, floors, loads, entrants);
                    results.add(CellResult.of(cell, turns(turns, cell, entrants), Chance.seeded(options.seed())));
                } catch (BenchFailure | IOException e) {
                    out.println("  " + e.getMessage());
                    results.add(CellResult.failed(cell, String.valueOf(e.getMessage())));
                }
                page();
            }
        }
        out.println();
        out.print(MatrixTable.text(results, versions));
        out.println();
        notes.forEach(out::println);
    }

    /** The turns, again without each peer that fails in them. */
    private List<Series> turns(Turns turns, Cell cell, List<Entrant> entrants) throws Exception {
        while (true) {
            try {
                return turns.run(entrants);
            } catch (ContenderFailure e) {
                boolean peer = options.peers().stream().anyMatch(p -> p.key().equals(e.contender()));
                if (!peer) {
                    throw e;
                }
                without(cell, e.contender(), e);
                entrants.removeIf(x -> x.contender().name().equals(e.contender()));
            }
        }
    }

    private void without(Cell cell, String peer, Exception e) {
        String note = cell.name() + " without " + peer + ": " + e.getMessage();
        out.println("  " + note);
        notes.add(note);
    }

    private static MeasuredServer server(String name, WeirServer weir) {
        return new MeasuredServer(name, weir.pid(), true, weir.port(), weir.port("https"), weir.port());
    }

    /** Those that answer as the cell expects; a peer that does not is left out. */
    private List<Entrant> entrants(
            Cell cell, List<MeasuredServer> builds, Map<Peer, MeasuredServer> peers, CellLoads loads, FirstLook look)
            throws Exception {
        List<MeasuredServer> servers = new ArrayList<>(builds);
        peers.forEach((peer, server) -> {
            if (cell.peers().contains(peer)) {
                servers.add(server);
            }
        });
        LoadRun warm = loads.warm(cell);
        LoadRun load = cell.generator() == Generator.HANDSHAKES ? loads.load(cell, null) : warm;
        List<Entrant> entrants = new ArrayList<>();
        for (MeasuredServer server : servers) {
            Contender contender = server.contender(cell);
            try {
                look.look(cell, contender);
                entrants.add(new Entrant(contender, cell.reaching(), warm, load, loads.origin(cell)));
            } catch (BenchFailure | IOException e) {
                if (server.jvm()) {
                    throw e;
                }
                without(cell, server.name(), e);
            }
        }
        return entrants;
    }

    /** Adds the floor's. */
    private static void floor(Cell cell, Floors floors, CellLoads loads, List<Entrant> to) throws Exception {
        if (cell.floor().isEmpty()) {
            return;
        }
        Floor kind = cell.floor().get();
        Contender contender = floors.of(kind, cell).contender(cell);
        // a tunnel's floor is told nothing, and a bare answer does not ask the origin
        LoadRun load = loads.load(cell, cell.work() == CellWork.TUNNEL ? EchoPlan.Manner.RAW : null);
        Reaching reaching = kind == Floor.RELAY ? Reaching.ALL : Reaching.NONE;
        to.add(new Entrant(contender, reaching, load, load, loads.origin(cell)));
    }

    private void page() throws IOException {
        Path file = choice.html().toAbsolutePath();
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, new MatrixPage(options, versions, notes).text(results));
    }
}
