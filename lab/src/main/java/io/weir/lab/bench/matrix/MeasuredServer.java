package io.weir.lab.bench.matrix;

import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.cell.CellProtocol;
import io.weir.lab.bench.cell.CellWork;
import io.weir.lab.bench.process.Contender;

/**
 * A server that was started for the whole matrix. Immutable.
 *
 * @param name its unique name
 * @param pid whose time counts, with all its descendants
 * @param jvm whether it needs long to warm up
 * @param plain its port
 * @param tls its port with TLS
 * @param tunnel its port for CONNECT without TLS
 */
record MeasuredServer(String name, long pid, boolean jvm, int plain, int tls, int tunnel) {
    /** As it takes part in a cell. */
    Contender contender(Cell cell) {
        Contender plainly = Contender.of(name, pid, port(cell), cell.path(), jvm);
        Contender asked = cell.protocol().secure() ? plainly.secure() : plainly;
        return cell.work() == CellWork.CONNECTION ? asked.closing(name) : asked;
    }

    private int port(Cell cell) {
        if (cell.protocol() != CellProtocol.H1) {
            return tls;
        }
        return cell.work() == CellWork.TUNNEL ? tunnel : plain;
    }
}
