package io.weir.lab.bench.matrix;

import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.cell.Floor;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.program.FloorCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The floors, a JVM for each kind, with two ports for each size of an answer or each origin. Each is started when it is
 * first needed, and stopped by the bed. Lives for one run; confined to its thread.
 */
final class Floors {
    private final Bed bed;
    private final int echoPort;
    private final Map<Floor, Map<Integer, MeasuredServer>> started = new EnumMap<>(Floor.class);

    Floors(Bed bed, int echoPort) {
        this.bed = bed;
        this.echoPort = echoPort;
    }

    /** The floor of a cell. */
    MeasuredServer of(Floor floor, Cell cell) throws IOException, InterruptedException, BenchFailure {
        Map<Integer, MeasuredServer> servers = started.get(floor);
        if (servers == null) {
            servers = start(floor);
            started.put(floor, servers);
        }
        int what = floor == Floor.RELAY
                ? cell.work().echoes() ? echoPort : bed.originPort()
                : cell.size().bytes();
        return Objects.requireNonNull(servers.get(what));
    }

    private Map<Integer, MeasuredServer> start(Floor floor) throws IOException, InterruptedException, BenchFailure {
        List<Integer> whats = floor == Floor.RELAY
                ? List.of(echoPort, bed.originPort())
                : List.of(Size.values()).stream().map(Size::bytes).toList();
        List<String> words = new ArrayList<>(List.of(floor.key(), bed.keys().toString()));
        int last = 0;
        Map<Integer, int[]> ports = new LinkedHashMap<>();
        for (int what : whats) {
            int[] pair = {Child.freePort(), Child.freePort()};
            ports.put(what, pair);
            last = pair[0];
            words.add(what + ":" + pair[0] + ":" + pair[1]);
        }
        // the last one is opened last
        long pid = bed.program("the floor " + floor.key(), Bed.SERVER_CORE, FloorCommand.class, last, words)
                .pid();
        Map<Integer, MeasuredServer> servers = new LinkedHashMap<>();
        ports.forEach((what, pair) ->
                servers.put(what, new MeasuredServer(MatrixBench.FLOOR, pid, true, pair[0], pair[1], pair[0])));
        return servers;
    }
}
