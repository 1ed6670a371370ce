package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an {@code obj.conf} for those who do not run it: what stands where, as written. Used once. */
public final class ObjConfReader {
    /** Of more branches in a row nothing is told but that they depend on something. */
    private static final int MAX_BRANCHES = 200;

    /** Functions that set variables of a request. */
    private static final Set<String> SETTING = Set.of("set-variable", "match-browser");

    private final Map<String, String> variables;

    private ObjConfReader(Map<String, String> variables) {
        this.variables = variables;
    }

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
     * @param when what the blocks around it demand
     */
    public record Written(
            String stage, String function, List<Value> parameters, WrittenCondition when, ConfigNode.Place at) {
        public Written {
            parameters = List.copyOf(parameters);
        }

        /** The first value of that parameter, or null; also null if it depends on the request. */
        public @Nullable String value(String name) {
            for (Value parameter : parameters) {
                if (parameter.name().equals(name)) {
                    return parameter.value();
                }
            }
            return null;
        }
    }

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
     * @param variables those of the configuration, whose values stand where they are named, unless the file sets some
     */
    public static Read read(String name, String text, Map<String, String> variables) {
        ObjParser parser = new ObjParser(name, text);
        return new ObjConfReader(variables).read(parser.parse(), parser);
    }

    private Read read(ObjText parsed, ObjParser parser) {
        List<WrittenObject> objects = new ArrayList<>();
        for (ObjText.ObjectBlock o : parsed.objects()) {
            List<Written> into = new ArrayList<>();
            flatten(o.items(), WrittenCondition.ALWAYS, into);
            objects.add(new WrittenObject(o.name(), o.ppath(), into, o.at()));
        }
        boolean sets = objects.stream()
                .flatMap(o -> o.directives().stream())
                .anyMatch(w -> SETTING.contains(w.function().replace('_', '-')));
        return !sets || variables.isEmpty()
                ? new Read(objects, parser.problems())
                : new ObjConfReader(Map.of()).read(parsed, parser);
    }

    private void flatten(List<ObjText.Item> items, WrittenCondition when, List<Written> into) {
        for (ObjText.Item item : items) {
            switch (item) {
                case ObjText.Line line -> into.add(written(line, when));
                case ObjText.ClientBlock client ->
                    flatten(
                            client.items(),
                            ConditionReader.both(when, ConditionReader.client(client.patterns())),
                            into);
                case ObjText.Branches branches -> flatten(branches, when, into);
            }
        }
    }

    /** A branch applies where its condition holds and those before it do not. */
    private void flatten(ObjText.Branches branches, WrittenCondition when, List<Written> into) {
        WrittenCondition rest = when;
        int n = 0;
        for (ObjText.Branch branch : branches.branches()) {
            if (n++ == MAX_BRANCHES) {
                rest = new WrittenCondition.Other();
            }
            Expression expression = branch.condition();
            WrittenCondition holds = expression == null ? WrittenCondition.ALWAYS : ConditionReader.of(expression);
            flatten(branch.items(), ConditionReader.both(rest, holds), into);
            rest = ConditionReader.both(rest, new WrittenCondition.Not(holds));
        }
    }

    private Written written(ObjText.Line line, WrittenCondition when) {
        return new Written(line.stage(), line.function(), values(line.parameters()), when, line.at());
    }

    private List<Value> values(List<ObjText.Parameter> parameters) {
        return parameters.stream()
                .map(p -> new Value(p.name(), p.subscript(), text(p.value()), p.at()))
                .toList();
    }

    private @Nullable String text(Template value) {
        StringBuilder text = new StringBuilder();
        for (Expression part : value.parts()) {
            String known = part instanceof Expression.Variable v && !Names.VARIABLES.contains(v.name())
                    ? variables.get(v.name())
                    : part instanceof Expression.Literal l ? Values.text(l.value()) : null;
            if (known == null) {
                return null;
            }
            text.append(known);
        }
        return text.toString();
    }
}
