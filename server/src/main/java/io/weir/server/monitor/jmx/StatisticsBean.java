package io.weir.server.monitor.jmx;

import io.weir.base.Histogram;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.server.monitor.text.ReadOnlyBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.jspecify.annotations.Nullable;

/**
 * One subsystem of the registry as a bean: {@code weir_keepalive_hits_total} is the attribute {@code HitsTotal} of
 * {@code keepalive}. A statistic without labels is a number, a distribution is composite, one with labels is a table with
 * a row for each set of label values. Shared.
 */
public final class StatisticsBean extends ReadOnlyBean {
    private static final String PREFIX = "weir_";
    private static final String[] DISTRIBUTION = {"count", "total", "p50", "p99", "p999", "max"};

    private final Stats stats;
    private final String subsystem;

    public StatisticsBean(Stats stats, String subsystem) {
        super("Statistics of " + subsystem);
        this.stats = stats;
        this.subsystem = subsystem;
    }

    /** The subsystems of all statistics that have been counted or declared so far. */
    public static Set<String> subsystems(Stats stats) {
        Set<String> names = new TreeSet<>();
        stats.names().forEach(name -> names.add(subsystem(name)));
        return names;
    }

    private static String subsystem(String name) {
        String rest = bare(name);
        int end = rest.indexOf('_');
        return end < 0 ? rest : rest.substring(0, end);
    }

    private static String bare(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    /** {@code hits_total} becomes {@code HitsTotal}; a name of one word stays that word. */
    public static String attribute(StatSpec spec) {
        String rest = bare(spec.name());
        StringBuilder name = new StringBuilder();
        for (String word : rest.substring(rest.indexOf('_') + 1).split("_", -1)) {
            if (!word.isEmpty()) {
                name.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
            }
        }
        return name.toString();
    }

    @Override
    public List<OpenMBeanAttributeInfoSupport> attributes() throws OpenDataException {
        List<OpenMBeanAttributeInfoSupport> all = new ArrayList<>();
        for (Map.Entry<StatSpec, List<Stats.Sample>> e : samples().entrySet()) {
            StatSpec spec = e.getKey();
            all.add(new OpenMBeanAttributeInfoSupport(
                    attribute(spec), spec.doc() + " (" + spec.unit() + ")", type(spec), true, false, false));
        }
        return all;
    }

    @Override
    @Nullable
    public Object value(String attribute) throws OpenDataException {
        for (Map.Entry<StatSpec, List<Stats.Sample>> e : samples().entrySet()) {
            if (attribute(e.getKey()).equals(attribute)) {
                return value(e.getKey(), e.getValue());
            }
        }
        return null;
    }

    private Map<StatSpec, List<Stats.Sample>> samples() {
        Map<StatSpec, List<Stats.Sample>> bySpec = new LinkedHashMap<>();
        for (Stats.Sample sample : stats.samples(name -> subsystem(name).equals(subsystem))) {
            bySpec.computeIfAbsent(sample.spec(), _ -> new ArrayList<>()).add(sample);
        }
        return bySpec;
    }

    private static OpenType<?> type(StatSpec spec) throws OpenDataException {
        return spec.labels().isEmpty() ? plainType(spec) : tableType(spec);
    }

    private static OpenType<?> plainType(StatSpec spec) throws OpenDataException {
        return spec.kind() == StatSpec.Kind.HISTOGRAM ? distributionType(spec) : SimpleType.LONG;
    }

    private static CompositeType distributionType(StatSpec spec) throws OpenDataException {
        OpenType<?>[] types = new OpenType<?>[DISTRIBUTION.length];
        Arrays.fill(types, SimpleType.LONG);
        return new CompositeType(attribute(spec), spec.doc(), DISTRIBUTION, DISTRIBUTION, types);
    }

    private static TabularType tableType(StatSpec spec) throws OpenDataException {
        String[] labels = spec.labels().toArray(String[]::new);
        return new TabularType(attribute(spec), spec.doc(), rowType(spec), labels);
    }

    private static CompositeType rowType(StatSpec spec) throws OpenDataException {
        List<String> columns = new ArrayList<>(spec.labels());
        columns.add("value");
        OpenType<?>[] types = new OpenType<?>[columns.size()];
        Arrays.fill(types, SimpleType.STRING);
        types[types.length - 1] = plainType(spec);
        String[] names = columns.toArray(String[]::new);
        return new CompositeType(attribute(spec) + "Row", spec.doc(), names, names, types);
    }

    private static Object value(StatSpec spec, List<Stats.Sample> samples) throws OpenDataException {
        if (spec.labels().isEmpty()) {
            return plain(spec, samples.getFirst());
        }
        CompositeType row = rowType(spec);
        TabularDataSupport table = new TabularDataSupport(tableType(spec));
        for (Stats.Sample sample : samples) {
            Map<String, Object> columns = new LinkedHashMap<>();
            for (int i = 0; i < spec.labels().size(); i++) {
                columns.put(spec.labels().get(i), sample.labels().get(i));
            }
            columns.put("value", plain(spec, sample));
            table.put(new CompositeDataSupport(row, columns));
        }
        return table;
    }

    private static Object plain(StatSpec spec, Stats.Sample sample) throws OpenDataException {
        Histogram h = sample.histogram();
        if (h == null) {
            return sample.value();
        }
        Object[] values = {h.count(), h.total(), h.percentile(50), h.percentile(99), h.percentile(99.9), h.max()};
        return new CompositeDataSupport(distributionType(spec), DISTRIBUTION, values);
    }
}
