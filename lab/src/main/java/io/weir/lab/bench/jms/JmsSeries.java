package io.weir.lab.bench.jms;

import io.weir.lab.bench.figures.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The results of one broker's turns, in order. Confined to its creator. */
final class JmsSeries {
    private final String name;
    private final List<JmsContender.Figures> turns = new ArrayList<>();

    JmsSeries(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void add(JmsContender.Figures figures) {
        turns.add(figures);
    }

    double[] each(ToDoubleFunction<JmsContender.Figures> of) {
        return turns.stream().mapToDouble(of).toArray();
    }

    double median(ToDoubleFunction<JmsContender.Figures> of) {
        return PairedRatio.median(each(of));
    }

    double[] rates() {
        return each(f -> f.measured().perSecond());
    }

    double[] brokerMicros() {
        return each(JmsContender.Figures::brokerMicros);
    }
}
