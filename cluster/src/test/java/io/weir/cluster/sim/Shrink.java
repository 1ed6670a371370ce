package io.weir.cluster.sim;

import java.util.ArrayList;
import java.util.List;

/** Finds a smaller plan that fails in the same way: faults are dropped, half of them at first, then one by one. Stateless. */
final class Shrink {
    private static final int RUNS = 200;

    private Shrink() {}

    /** The smallest failing run found; the given one where none is smaller. */
    static Run.Result of(Run.Result failed, Mutation mutation) {
        Run.Result smallest = failed;
        int runs = 0;
        int size = Math.max(1, smallest.plan().faults().size() / 2);
        while (size >= 1 && runs < RUNS) {
            boolean smaller = false;
            for (int at = 0; at < smallest.plan().faults().size() && runs < RUNS; ) {
                List<Fault> fewer = new ArrayList<>(smallest.plan().faults());
                fewer.subList(at, Math.min(at + size, fewer.size())).clear();
                Run.Result r = Run.of(smallest.plan().with(fewer), mutation);
                runs++;
                if (same(r, failed)) {
                    smallest = r;
                    smaller = true;
                } else {
                    at += size;
                }
            }
            size = smaller && size == 1 ? 1 : size / 2;
        }
        return smallest;
    }

    private static boolean same(Run.Result a, Run.Result b) {
        Violation va = a.violation();
        Violation vb = b.violation();
        return va != null && vb != null && va.rule().equals(vb.rule());
    }
}
