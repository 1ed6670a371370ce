package io.weir.lab.bench.cell;

import java.nio.file.Path;
import java.util.List;

/**
 * The part of the matrix that is measured. Immutable.
 *
 * @param cells in the order of the matrix
 * @param html the file that gets the page
 */
public record CellChoice(List<Cell> cells, Path html) {
    public CellChoice {
        cells = List.copyOf(cells);
    }
}
