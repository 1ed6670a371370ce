package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads an {@code obj.conf} for those who do not run it: what stands where, as written. Stateless. */
public final class ObjConfReader {
    private ObjConfReader() {}

    /**
     * A file as written.
     *
     * @param problems all mistakes, in order; what they concern is left out
     */
    public record Read(List<WrittenObject> objects, List<ConfigProblem> problems) {
        public Read {
            objects = List.copyOf(objects);
            problems = List.copyOf(problems);
        }
    }

    /**
     * A parameter.
     *
     * @param subscript the text in braces after the name; null: none
     * @param value null: it depends on the request
     */
    public record Value(
            String name,
            @Nullable String subscript,
            @Nullable String value,
            ConfigNode.Place at) {}

    /**
     * A directive.
     *
     * @param around the blocks that it stands in, the outermost first
     */
    public record Written(
            String stage, String function, List<Value> parameters, List<Around> around, ConfigNode.Place at) {
        public Written {
            parameters = List.copyOf(parameters);
            around = List.copyOf(around);
        }

        /** The first value of that parameter, or null; also null if it depends on the request. */
        public @Nullable String value(String name) {
            return parameters.stream()
                    .filter(p -> p.name().equals(name))
                    .findFirst()
                    .map(Value::value)
                    .orElse(null);
        }
    }

    /**
     * A block around directives.
     *
     * @param patterns of {@code <Client>}; null: a branch of {@code <If>}
     */
    public record Around(@Nullable List<Value> patterns, ConfigNode.Place at) {}

    /** An object; at least one of name and ppath is given. */
    public record WrittenObject(
            @Nullable String name, @Nullable String ppath, List<Written> directives, ConfigNode.Place at) {
        public WrittenObject {
            directives = List.copyOf(directives);
        }
    }

    /**
     * Reads a file.
     *
     * @param name of the file, for places
     */
    public static Read read(String name, String text) {
        ObjParser parser = new ObjParser(name, text);
        ObjText parsed = parser.parse();
        List<WrittenObject> objects = new ArrayList<>();
        for (ObjText.ObjectBlock o : parsed.objects()) {
            List<Written> into = new ArrayList<>();
            flatten(o.items(), List.of(), into);
            objects.add(new WrittenObject(o.name(), o.ppath(), into, o.at()));
        }
        return new Read(objects, parser.problems());
    }

    private static void flatten(List<ObjText.Item> items, List<Around> around, List<Written> into) {
        for (ObjText.Item item : items) {
            switch (item) {
                case ObjText.Line line -> into.add(written(line, around));
                case ObjText.ClientBlock client ->
                    flatten(client.items(), with(around, new Around(values(client.patterns()), client.at())), into);
                case ObjText.Branches branches ->
                    branches.branches().forEach(b -> flatten(b.items(), with(around, new Around(null, b.at())), into));
            }
        }
    }

    private static List<Around> with(List<Around> around, Around one) {
        List<Around> more = new ArrayList<>(around);
        more.add(one);
        return more;
    }

    private static Written written(ObjText.Line line, List<Around> around) {
        return new Written(line.stage(), line.function(), values(line.parameters()), around, line.at());
    }

    private static List<Value> values(List<ObjText.Parameter> parameters) {
        return parameters.stream()
                .map(p -> new Value(p.name(), p.subscript(), p.value().constant(), p.at()))
                .toList();
    }
}
