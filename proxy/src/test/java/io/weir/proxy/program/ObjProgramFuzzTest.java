package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.objconf.ObjConfSource;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated programs run the directives that a slow evaluator runs, in its order. It knows the rules of stages and the
 * meaning of conditions and patterns, and has neither parser nor index: it is made with the text.
 */
class ObjProgramFuzzTest {
    private static final int PROGRAMS = 60;
    private static final int REQUESTS = 40;

    private static final List<Stage> STAGES = List.of(
            Stage.AUTH_TRANS,
            Stage.NAME_TRANS,
            Stage.NAME_TRANS,
            Stage.PATH_CHECK,
            Stage.OBJECT_TYPE,
            Stage.SERVICE,
            Stage.SERVICE,
            Stage.ERROR,
            Stage.ADD_LOG);

    private static final List<String> PATTERNS =
            List.of("*", "/a*", "*b", "/a/b", "/(a|b)/*", "/?/c", "/a/*~*b", "*/b/*", "/[ab]*", "/c");
    private static final List<String> REGEXES =
            List.of("^/a", "b$", "^/a|c$", "^/(a|b)/", "/./c$", "[(]|b", "^[(]a|b", "/b", "^/[^a]*$", "c|/a");
    private static final List<String> PATHS =
            List.of("/", "/a", "/a/b", "/b/c", "/c", "/a/c/b", "/b/b/b", "/c/c", "/ab", "/a/c");

    private record Request(String method, String path, boolean query) {
        String head() {
            return method + " " + path + (query ? "?q" : "") + " HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
        }
    }

    /** What is known of a request when a condition is looked at. */
    private record Seen(Request request, int status) {}

    private record Rule(
            Stage stage,
            Predicate<Seen> when,
            String mark,
            StepOutcome outcome,
            @Nullable String adds) {}

    private record Thing(String name, @Nullable String ppath, List<Rule> rules) {}

    /** A condition as text and as what it means. */
    private record Condition(String text, Predicate<Seen> holds) {}

    /** Writes a program, as text and as rules. */
    private static final class Writer {
        private final RandomGenerator random;
        private final StringBuilder text = new StringBuilder();
        private final List<Thing> things = new ArrayList<>();
        private List<Rule> rules = new ArrayList<>();
        private int marks;

        Writer(RandomGenerator random) {
            this.random = random;
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        void write() {
            object("default", null);
            for (String name : List.of("One", "two", "three")) {
                object(name, null);
            }
            for (String pattern : List.of("/a*", "/*b", "/b/c")) {
                if (random.nextBoolean()) {
                    object(pattern, pattern);
                }
            }
        }

        private void object(String name, @Nullable String ppath) {
            rules = new ArrayList<>();
            things.add(new Thing(name, ppath, rules));
            text.append(random.nextBoolean() ? "<Object " : "<OBJECT ")
                    .append(ppath == null ? "name" : "ppath")
                    .append("=\"")
                    .append(name)
                    .append("\">\n");
            items(_ -> true, 0, false);
            text.append("</Object>\n");
        }

        private void items(Predicate<Seen> around, int depth, boolean inClient) {
            int n = random.nextInt(depth == 0 ? 9 : 4);
            for (int i = 0; i < n; i++) {
                int kind = random.nextInt(depth < 3 ? 6 : 4);
                switch (kind) {
                    case 4 -> branches(around, depth, inClient);
                    case 5 -> {
                        if (!inClient) {
                            client(around, depth);
                        }
                    }
                    default -> directive(around);
                }
                if (random.nextInt(5) == 0) {
                    text.append("# a comment\n\n");
                }
            }
        }

        private void client(Predicate<Seen> around, int depth) {
            String match = one(List.of("all", "any", "none"));
            String pattern = one(PATTERNS);
            String method = one(List.of("GET", "PUT", "(GET|PUT)", "P*"));
            text.append("<Client match=")
                    .append(match)
                    .append(" uri=\"")
                    .append(pattern)
                    .append("\" method=")
                    .append(method)
                    .append(">\n");
            Predicate<Seen> path = s -> glob(pattern, s.request().path());
            Predicate<Seen> by = s -> glob(method, s.request().method());
            items(
                    around.and(
                            switch (match) {
                                case "all" -> path.and(by);
                                case "any" -> path.or(by);
                                default -> path.or(by).negate();
                            }),
                    depth + 1,
                    true);
            text.append("</Client>\n");
        }

        private void branches(Predicate<Seen> around, int depth, boolean inClient) {
            Predicate<Seen> rest = around;
            for (int i = 0; i == 0 || random.nextInt(3) == 0; i++) {
                String tag = i == 0 ? "If" : "ElseIf";
                Condition c = condition(2);
                text.append('<').append(tag).append(' ').append(c.text()).append(">\n");
                items(rest.and(c.holds()), depth + 1, inClient);
                text.append("</").append(tag).append(">\n");
                rest = rest.and(c.holds().negate());
            }
            if (random.nextBoolean()) {
                text.append("<Else>\n");
                items(rest, depth + 1, inClient);
                text.append("</Else>\n");
            }
        }

        private Condition condition(int depth) {
            return switch (random.nextInt(depth > 0 ? 7 : 4)) {
                case 0 -> {
                    String pattern = one(PATTERNS);
                    yield new Condition(
                            "$uri = '" + pattern + "'",
                            s -> glob(pattern, s.request().path()));
                }
                case 1 -> {
                    yield new Condition(
                            "$method eq \"GET\"", s -> s.request().method().equals("GET"));
                }
                case 2 -> {
                    yield new Condition("$query", s -> s.request().query());
                }
                case 3 -> {
                    String regex = one(REGEXES);
                    Predicate<String> found = Pattern.compile(regex).asPredicate();
                    yield new Condition(
                            "$uri =~ \"" + regex + "\"",
                            s -> found.test(s.request().path()));
                }
                case 4 -> {
                    Condition c = condition(depth - 1);
                    yield new Condition("!(" + c.text() + ")", c.holds().negate());
                }
                case 5 -> {
                    Condition a = condition(depth - 1);
                    Condition b = condition(depth - 1);
                    yield new Condition(
                            "((" + a.text() + ") and (" + b.text() + "))",
                            a.holds().and(b.holds()));
                }
                default -> {
                    Condition a = condition(depth - 1);
                    Condition b = condition(depth - 1);
                    yield new Condition(
                            "(" + a.text() + " || " + b.text() + ")", a.holds().or(b.holds()));
                }
            };
        }

        private void directive(Predicate<Seen> around) {
            Stage stage = one(STAGES);
            String word = stage.word();
            if (stage == Stage.NAME_TRANS && random.nextBoolean()) {
                String pattern = one(PATTERNS);
                String to = one(List.of("One", "two", "three"));
                text.append(word)
                        .append(" fn=assign-name from=\"")
                        .append(pattern)
                        .append("\" name=\"")
                        .append(random.nextBoolean() ? to : to.toLowerCase(java.util.Locale.ROOT))
                        .append("\"\n");
                rules.add(new Rule(
                        stage, around.and(s -> glob(pattern, s.request().path())), "", StepOutcome.PROCEED, to));
                return;
            }
            StepOutcome outcome = one(List.of(
                    StepOutcome.NOACTION,
                    StepOutcome.NOACTION,
                    StepOutcome.NOACTION,
                    StepOutcome.PROCEED,
                    random.nextInt(4) == 0 ? StepOutcome.ABORTED : StepOutcome.PROCEED));
            String mark = outcome + " " + marks++;
            text.append(word).append(random.nextBoolean() ? " fn=probe " : "\n  fn=\"probe\"\n  ");
            text.append("mark=\"").append(mark).append('"');
            Predicate<Seen> when = around;
            if (stage == Stage.SERVICE) {
                when = when.and(service());
            } else if (stage == Stage.ERROR && random.nextBoolean()) {
                text.append(" code=404");
                when = when.and(s -> s.status() == 404);
            }
            text.append('\n');
            rules.add(new Rule(stage, when, mark, outcome, null));
        }

        private Predicate<Seen> service() {
            if (random.nextBoolean()) {
                String methods = one(List.of("(GET|HEAD)", "PUT", "*"));
                text.append(" method=\"").append(methods).append('"');
                return s -> glob(methods, s.request().method());
            }
            return s -> !s.request().method().equals("OPTIONS");
        }
    }

    /** A shell expression, by trying everything. */
    private static boolean glob(String pattern, String text) {
        int but = pattern.indexOf('~');
        if (but >= 0) {
            return glob(pattern.substring(0, but), text) && !glob(pattern.substring(but + 1), text);
        }
        int open = pattern.indexOf('(');
        if (open >= 0) {
            int close = pattern.indexOf(')');
            return List.of(pattern.substring(open + 1, close).split("\\|", -1)).stream()
                    .anyMatch(p -> glob(pattern.substring(0, open) + p + pattern.substring(close + 1), text));
        }
        if (pattern.isEmpty()) {
            return text.isEmpty();
        }
        if (pattern.charAt(0) == '*') {
            return glob(pattern.substring(1), text) || (!text.isEmpty() && glob(pattern, text.substring(1)));
        }
        if (text.isEmpty()) {
            return false;
        }
        if (pattern.charAt(0) == '[') {
            int end = pattern.indexOf(']');
            return pattern.substring(1, end).indexOf(text.charAt(0)) >= 0
                    && glob(pattern.substring(end + 1), text.substring(1));
        }
        return (pattern.charAt(0) == '?' || pattern.charAt(0) == text.charAt(0))
                && glob(pattern.substring(1), text.substring(1));
    }

    /** The slow evaluator. Used for one request. */
    private static final class Slow {
        private final List<Thing> all;
        private final Request request;
        private final List<String> ran = new ArrayList<>();
        private final Set<Thing> set = new LinkedHashSet<>();

        Slow(List<Thing> all, Request request) {
            this.all = all;
            this.request = request;
        }

        List<String> run() {
            set.add(all.getFirst());
            int status = through();
            if (status != 0) {
                first(Stage.ERROR, status);
            }
            every(Stage.ADD_LOG, status);
            return ran;
        }

        /** The status of the fault with which it ends, or 0. */
        private int through() {
            if (apply(Stage.AUTH_TRANS, all.getFirst()) || nameTrans()) {
                return 500;
            }
            if (every(Stage.PATH_CHECK, 0) || every(Stage.OBJECT_TYPE, 0)) {
                return 500;
            }
            StepOutcome served = first(Stage.SERVICE, 0);
            return served == StepOutcome.ABORTED ? 500 : served == StepOutcome.NOACTION ? 404 : 0;
        }

        private boolean nameTrans() {
            Set<Thing> done = new LinkedHashSet<>();
            while (done.size() < set.size()) {
                for (Thing next : List.copyOf(set)) {
                    if (done.add(next) && apply(Stage.NAME_TRANS, next)) {
                        return true;
                    }
                }
                if (done.size() == set.size()) {
                    all.stream()
                            .filter(t -> t.ppath() != null
                                    && (glob(t.ppath(), request.path()) || glob(t.ppath(), request.path() + "/")))
                            .sorted(Comparator.comparingInt(t -> t.name().length()))
                            .forEach(set::add);
                }
            }
            return false;
        }

        /** Directives of one object until one does not decline; whether it aborted. */
        private boolean apply(Stage stage, Thing of) {
            for (Rule rule : of.rules()) {
                if (rule.stage() == stage && rule.when().test(new Seen(request, 0))) {
                    run(rule);
                    if (rule.outcome() != StepOutcome.NOACTION) {
                        return rule.outcome() == StepOutcome.ABORTED;
                    }
                }
            }
            return false;
        }

        private void run(Rule rule) {
            String adds = rule.adds();
            if (adds == null) {
                ran.add(rule.mark());
            } else {
                set.add(all.stream()
                        .filter(t -> t.name().equals(adds))
                        .findFirst()
                        .orElseThrow());
            }
        }

        private List<Thing> ordered(Stage stage) {
            boolean reverse = stage == Stage.OBJECT_TYPE
                    || stage == Stage.SERVICE
                    || stage == Stage.ERROR
                    || stage == Stage.ADD_LOG;
            List<Thing> things = new ArrayList<>(set);
            return reverse ? things.reversed() : things;
        }

        /** All directives, until one aborts where that counts. */
        private boolean every(Stage stage, int status) {
            for (Thing thing : ordered(stage)) {
                for (Rule rule : thing.rules()) {
                    if (rule.stage() == stage && rule.when().test(new Seen(request, status))) {
                        run(rule);
                        if (rule.outcome() == StepOutcome.ABORTED && stage != Stage.ADD_LOG) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        private StepOutcome first(Stage stage, int status) {
            for (Thing thing : ordered(stage)) {
                for (Rule rule : thing.rules()) {
                    if (rule.stage() == stage && rule.when().test(new Seen(request, status))) {
                        run(rule);
                        if (rule.outcome() != StepOutcome.NOACTION) {
                            return rule.outcome();
                        }
                    }
                }
            }
            return StepOutcome.NOACTION;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void runsTheDirectivesOfASlowEvaluator(long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        int ran = 0;
        for (int i = 0; i < PROGRAMS; i++) {
            Writer writer = new Writer(random);
            writer.write();
            Probe probe = new Probe("probe");
            writer.things.forEach(t -> t.rules().forEach(r -> probe.answers(r.mark(), r.outcome())));
            Program program = compiled(writer.text.toString(), probe);
            for (int k = 0; k < REQUESTS; k++) {
                Request request =
                        new Request(writer.one(List.of("GET", "PUT", "OPTIONS")), writer.one(PATHS), k % 2 == 0);
                List<String> expected = new Slow(writer.things, request).run();
                assertThat(marks(program, probe, request))
                        .as("%s of%n%s", request.head().lines().findFirst().orElse(""), writer.text)
                        .isEqualTo(expected);
                ran += expected.size();
            }
        }
        assertThat(ran).as("they are no empty programs").isGreaterThan(PROGRAMS * REQUESTS);
    }

    private static Program compiled(String text, Probe probe) {
        List<ServerFunction> functions =
                new ArrayList<>(FunctionCatalogue.builtin().all());
        functions.add(probe);
        ProgramBuilder builder =
                new ProgramBuilder(new FunctionCatalogue(functions), WorkPools.NONE, VirtualServers.DEFAULT);
        new ObjConfSource("obj.conf", text, Map.of(), Chance.seeded(1)).compile(builder);
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).as(text).isEmpty();
        return Objects.requireNonNull(program);
    }

    private static List<String> marks(Program program, Probe probe, Request request) {
        probe.marks.clear();
        ProgramRun run = new ProgramRun(new Bench().host, null);
        SyntheticRequest of = Bench.request(program, request.head(), "192.0.2.7");
        RunState state = run.start(of, program);
        state = state == RunState.READY ? run.service() : state;
        if (state == RunState.FAILED) {
            run.error(Objects.requireNonNullElse(run.fault(), ProxyFault.FUNCTION));
        }
        run.finish();
        return List.copyOf(probe.marks);
    }
}
