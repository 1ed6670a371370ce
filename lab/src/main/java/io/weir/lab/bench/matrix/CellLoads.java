package io.weir.lab.bench.matrix;

import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.cell.CellWork;
import io.weir.lab.bench.cell.Generator;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.http.Counts;
import io.weir.lab.bench.http.Entrant;
import io.weir.lab.bench.http.H2loadTurns;
import io.weir.lab.bench.http.LoadRun;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.program.EchoLoadCommand;
import io.weir.lab.bench.program.EchoPlan;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The loads of the cells, each of which is made when it is first needed. Lives for one run; confined to its thread. */
final class CellLoads implements AutoCloseable {
    /** Connections of an echo load. */
    private static final int ECHOES = 32;

    private static final int H1_CONNECTIONS = 32;
    /** New connections of HTTP/2 a second: no server is saturated, so that none is measured while connections wait. */
    private static final int CONNECTION_RATE = 500;

    private final Bed bed;
    private final int echoPort;
    private @Nullable LineProcess echo;

    /** @param echoPort of the echo origin; 0: no cell needs it */
    CellLoads(Bed bed, int echoPort) {
        this.bed = bed;
        this.echoPort = echoPort;
    }

    /** The load that warms servers up for a cell. */
    LoadRun warm(Cell cell) throws IOException {
        // far more than the handshakes' clients can do, with the sessions that these do not resume
        return cell.generator() == Generator.HANDSHAKES ? (c, s) -> bed.wrk(c, s, List.of()) : load(cell, null);
    }

    /**
     * The load that is measured.
     *
     * @param manner of echoes, if not that of the cell
     */
    LoadRun load(Cell cell, EchoPlan.@Nullable Manner manner) throws IOException {
        return switch (cell.generator()) {
            case WRK -> {
                List<String> more = wrkOptions(cell);
                yield (c, s) -> bed.wrk(c, s, more);
            }
            case HANDSHAKES -> bed::handshakes;
            case H1LOAD, H2LOAD -> new H2loadTurns(bed, h2Options(cell));
            case H2_CONNECTIONS -> (c, s) -> bed.h2load(s, connections(s, c.url()));
            case ECHO -> echo(cell, manner != null ? manner : manner(cell));
        };
    }

    private static EchoPlan.Manner manner(Cell cell) {
        return cell.work() == CellWork.TUNNEL ? EchoPlan.Manner.CONNECT : EchoPlan.Manner.WEBSOCKET;
    }

    /** What counts the units at the origin. */
    Entrant.Origin origin(Cell cell) {
        return cell.generator() == Generator.ECHO
                ? () -> echoedBytes() / cell.size().bytes()
                : bed::originRequests;
    }

    private List<String> wrkOptions(Cell cell) throws IOException {
        List<String> options = new ArrayList<>();
        cell.fields().forEach((name, value) -> options.addAll(List.of("-H", name + ": " + value)));
        if (cell.work() == CellWork.UPLOAD) {
            options.addAll(
                    List.of("-s", bed.file(cell.name() + ".lua", script(cell)).toString()));
        }
        return options;
    }

    /** wrk's requests with a body. */
    static String script(Cell cell) {
        return "wrk.method = \"POST\"\nwrk.body = string.rep(\"x\", "
                + cell.size().bytes() + ")\n";
    }

    private List<String> h2Options(Cell cell) throws IOException {
        List<String> options = new ArrayList<>(
                cell.generator() == Generator.H1LOAD
                        ? List.of("--h1", "-t1", "-c" + H1_CONNECTIONS, "-m1")
                        : H2loadTurns.MANY);
        cell.fields().forEach((name, value) -> options.addAll(List.of("-H", name + ": " + value)));
        if (cell.work() == CellWork.UPLOAD) {
            Path body = bed.file(cell.name(), "x".repeat(cell.size().bytes()));
            options.addAll(List.of("-d", body.toString()));
        }
        return options;
    }

    /** The command line of new connections with a request on each. */
    static List<String> connections(int seconds, String url) {
        int all = CONNECTION_RATE * seconds;
        return List.of("-t1", "-m1", "-n" + all, "-c" + all, "-r" + CONNECTION_RATE, url);
    }

    private LoadRun echo(Cell cell, EchoPlan.Manner manner) {
        return (contender, seconds) -> {
            EchoPlan plan = new EchoPlan(
                    manner,
                    URI.create(contender.url()).getPort(),
                    cell.protocol().secure(),
                    echoPort,
                    cell.size().bytes(),
                    seconds,
                    ECHOES);
            return counts(echoProcess().order(plan.line()));
        };
    }

    static Counts counts(String line) throws BenchFailure {
        return Counts.found("the load of echoes", line);
    }

    private LineProcess echoProcess() throws IOException, BenchFailure {
        LineProcess process = echo;
        if (process == null) {
            process = LineProcess.start("the load of echoes", bed.onLoadCore(), EchoLoadCommand.class);
            echo = process;
        }
        return process;
    }

    private long echoedBytes() throws IOException {
        try (InputStream in =
                URI.create("http://127.0.0.1:" + echoPort + "/count").toURL().openStream()) {
            return Long.parseLong(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
        }
    }

    @Override
    public void close() {
        LineProcess process = echo;
        if (process != null) {
            process.close();
        }
    }
}
