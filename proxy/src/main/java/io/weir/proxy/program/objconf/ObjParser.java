package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Nearest;
import io.weir.proxy.function.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an {@code obj.conf}. A directive ends where a line begins with a word that no equals sign follows, so both the
 * classic rule (further lines begin with a blank) and that of Web Server 7.0 hold. After a mistake it goes on with the
 * next directive or tag: all mistakes are reported at once. Used once.
 */
final class ObjParser {
    /** Most problems that are reported. */
    static final int MAX_PROBLEMS = 100;

    /** Most objects of a file: each takes some kilobytes, in every program that is kept. */
    static final int MAX_OBJECTS = 20_000;

    /** How deeply containers may be nested. */
    private static final int MAX_DEPTH = 32;

    private static final String INIT = "Init";
    private static final List<String> TAGS = List.of("Object", "Client", "If", "ElseIf", "Else");
    private static final Set<String> STAGES = stages();

    /** What follows the comparison in {@code <If $a > 1>}; its first word, if it begins with one. */
    private static final Pattern COMPARED = Pattern.compile("\\s*(?![<#\\s])(\\w*).*>");

    private final ObjSource source;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<ObjText.Line> inits = new ArrayList<>();
    private final List<ObjText.ObjectBlock> objects = new ArrayList<>();
    private int depth;

    /** @param name the file's, for places */
    ObjParser(String name, String text) {
        source = new ObjSource(name, text);
    }

    private static Set<String> stages() {
        Set<String> words = new HashSet<>();
        Arrays.stream(Stage.values()).map(Stage::word).forEach(words::add);
        return Set.copyOf(words);
    }

    /** What is wrong, in the order of the file; the last one says when there is more. */
    List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    /** Reads the whole file. What is wrong is left out. */
    ObjText parse() {
        source.skipBlanks();
        while (!source.ended() && !full()) {
            int before = source.at();
            try {
                top();
            } catch (ObjSyntaxException e) {
                report(e);
                resume(before);
            }
            source.skipBlanks();
        }
        return new ObjText(inits, objects);
    }

    /** All variables that were read, each with its first place. */
    Map<String, ConfigNode.Place> variables() {
        return source.variables();
    }

    private boolean full() {
        return problems.size() >= MAX_PROBLEMS;
    }

    private void report(ObjSyntaxException e) {
        problem(e.at(), String.valueOf(e.getMessage()));
    }

    private void problem(ConfigNode.Place at, String what) {
        if (!full()) {
            boolean last = problems.size() == MAX_PROBLEMS - 1;
            problems.add(new ConfigProblem(at, "", last ? what + "; there may be more, reading ends here" : what));
        }
    }

    /** Goes on at the next line that begins with a tag, or with a word that is no further parameter. */
    private void resume(int before) {
        if (source.at() == before) {
            source.take();
        }
        do {
            source.skipLine();
            source.skipBlanks();
        } while (!source.ended() && source.peek() != '<' && isParameter());
    }

    private boolean isParameter() {
        int before = source.at();
        boolean named = !parameterName().isEmpty();
        source.skipBlanks();
        boolean is = !named || source.peek() == '=' || source.peek() == '{';
        source.back(before);
        return is;
    }

    private void top() throws ObjSyntaxException {
        if (source.peek() != '<') {
            int from = source.at();
            String word = word();
            if (word.equals(INIT)) {
                inits.add(line(INIT, from));
                return;
            }
            source.back(from);
            throw wrong(
                    STAGES.contains(word)
                            ? word + " must stand in an <Object>; outside there is only Init"
                            : "expected <Object> or Init, found " + source.found());
        }
        int from = source.at();
        String tag = tag();
        if (!tag.equals("Object")) {
            throw new ObjSyntaxException(source.place(from), "<" + tag + "> must stand in an <Object>");
        }
        object(source.place(from));
    }

    private void object(ConfigNode.Place at) throws ObjSyntaxException {
        String name = null;
        String ppath = null;
        for (ObjText.Parameter p : tagParameters()) {
            String value = p.value().constant();
            if (value == null) {
                problem(p.at(), p.name() + " of an object must be a constant text");
            } else if (p.name().equals("name")) {
                name = value;
            } else if (p.name().equals("ppath")) {
                ppath = value;
            } else {
                problem(p.at(), "an object has name and ppath, found \"" + p.name() + "\"");
            }
        }
        if (name == null && ppath == null) {
            problem(at, "an object needs name or ppath");
        }
        if (objects.size() == MAX_OBJECTS) {
            // a program of so many would take the memory of the one that runs
            problem(at, "there are more than " + MAX_OBJECTS + " objects, the most allowed; reading ends here");
            source.end();
            return;
        }
        List<ObjText.Item> items = items("Object", at);
        objects.add(new ObjText.ObjectBlock(name, ppath, items, at));
    }

    /** The items of a container, to its closing tag. */
    private List<ObjText.Item> items(String container, ConfigNode.Place at) throws ObjSyntaxException {
        if (depth == MAX_DEPTH) {
            throw new ObjSyntaxException(at, "containers are nested too deeply: at most " + MAX_DEPTH + " levels");
        }
        depth++;
        List<ObjText.Item> items = new ArrayList<>();
        source.skipBlanks();
        while (!closes(container)) {
            if (source.ended() || full()) {
                problem(at, "<" + container + "> has no </" + container + ">");
                break;
            }
            if (opensObject()) {
                problem(at, "<" + container + "> has no </" + container + "> before the next object");
                break;
            }
            int before = source.at();
            try {
                item(items);
            } catch (ObjSyntaxException e) {
                report(e);
                resume(before);
            }
            source.skipBlanks();
        }
        depth--;
        return items;
    }

    private boolean opensObject() {
        int before = source.at();
        boolean opens = source.take("<") && word().equalsIgnoreCase("Object");
        source.back(before);
        return opens;
    }

    /** Takes the closing tag if it comes next. */
    private boolean closes(String container) {
        int before = source.at();
        if (source.take("</") && word().equalsIgnoreCase(container)) {
            source.skipBlanks();
            if (source.take(">")) {
                return true;
            }
        }
        source.back(before);
        return false;
    }

    private void item(List<ObjText.Item> into) throws ObjSyntaxException {
        int from = source.at();
        ConfigNode.Place at = source.place();
        if (source.peek() != '<') {
            into.add(directive(from));
            return;
        }
        if (source.peek(1) == '/') {
            String found = source.found();
            source.take("</");
            throw new ObjSyntaxException(at, found + " closes nothing that is open here");
        }
        String tag = tag();
        switch (tag) {
            case "Client" -> {
                List<ObjText.Parameter> patterns = tagParameters();
                into.add(new ObjText.ClientBlock(patterns, items(tag, at), at));
            }
            case "If" -> into.add(branches(at));
            case "ElseIf", "Else" ->
                throw new ObjSyntaxException(at, "<" + tag + "> must directly follow </If> or </ElseIf>");
            default -> throw new ObjSyntaxException(at, "<" + tag + "> must not stand in an <Object>");
        }
    }

    private ObjText.Branches branches(ConfigNode.Place at) throws ObjSyntaxException {
        List<ObjText.Branch> branches = new ArrayList<>();
        String tag = "If";
        ConfigNode.Place place = at;
        while (true) {
            Expression condition = null;
            if (tag.equals("Else")) {
                endOfTag();
            } else {
                condition = condition(place, tag);
            }
            branches.add(new ObjText.Branch(condition, items(tag, place), place));
            int before = source.at();
            source.skipBlanks();
            place = source.place();
            String next = tag.equals("Else") || source.peek() != '<' || source.peek(1) == '/' ? "" : tag();
            if (!next.equals("ElseIf") && !next.equals("Else")) {
                source.back(before);
                return new ObjText.Branches(branches);
            }
            tag = next;
        }
    }

    /** The expression ends at the first {@code >} that stands neither in quotes nor in brackets. */
    private Expression condition(ConfigNode.Place at, String tag) throws ObjSyntaxException {
        int from = source.at();
        int to = endOfCondition(at, tag);
        int real = endOfComparison(to);
        if (real > to) {
            String written = source.between(from, real).strip();
            problem(
                    source.place(to),
                    "> ends the tag: a comparison with > or >= stands in parentheses, <" + tag + " (" + written + ")>");
            source.back(real + 1);
            return new Expression.Literal(false);
        }
        source.back(from);
        int before = source.limit(to);
        try {
            source.skipBlanks();
            if (source.ended()) {
                throw new ObjSyntaxException(at, "<" + tag + "> needs an expression");
            }
            return new ExpressionParser(source).whole();
        } catch (ObjSyntaxException e) {
            // the directives in it are still read, for their own mistakes
            report(e);
            return new Expression.Literal(false);
        } finally {
            source.limit(before);
            source.back(to + 1);
        }
    }

    private int endOfCondition(ConfigNode.Place at, String tag) throws ObjSyntaxException {
        int open = 0;
        char quote = 0;
        while (!source.ended()) {
            int here = source.at();
            char c = source.take();
            if (quote != 0) {
                if (c == '\\') {
                    source.take();
                } else if (c == quote) {
                    quote = 0;
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '(' || c == '{') {
                open++;
            } else if (c == ')' || c == '}') {
                open--;
            } else if (c == '>' && open <= 0) {
                return here;
            }
        }
        throw new ObjSyntaxException(at, "<" + tag + " has no \">\"");
    }

    /** Where a tag ends whose first {@code >} was meant as a comparison: something follows it that can be no item. */
    private int endOfComparison(int to) {
        source.back(to + 1);
        int from = source.at();
        while (!source.ended() && source.peek() != '\n') {
            source.take();
        }
        String rest = source.between(from, source.at()).stripTrailing();
        Matcher word = COMPARED.matcher(rest);
        return word.matches() && !STAGES.contains(word.group(1)) ? from + rest.length() - 1 : to;
    }

    private void endOfTag() throws ObjSyntaxException {
        source.skipBlanks();
        if (!source.take(">")) {
            throw wrong("expected \">\", found " + source.found());
        }
    }

    /** The name of the opening tag that comes next, in its usual case. */
    private String tag() throws ObjSyntaxException {
        int from = source.at();
        source.take();
        String word = word();
        for (String tag : TAGS) {
            if (tag.equalsIgnoreCase(word)) {
                return tag;
            }
        }
        source.back(from);
        String nearest = word.isEmpty() ? null : Nearest.of(word, TAGS);
        throw wrong("expected a tag: <" + String.join(">, <", TAGS) + ">, found " + source.found()
                + (nearest == null ? "" : "; did you mean <" + nearest + ">?"));
    }

    private List<ObjText.Parameter> tagParameters() throws ObjSyntaxException {
        List<ObjText.Parameter> parameters = new ArrayList<>();
        source.skipBlanks();
        while (!source.take(">")) {
            int from = source.at();
            String name = parameterName();
            if (name.isEmpty()) {
                throw wrong("expected a parameter or \">\", found " + source.found());
            }
            parameters.add(parameter(name, null, from, TemplateParser.Use.TAG));
            source.skipBlanks();
        }
        return parameters;
    }

    private ObjText.Line directive(int from) throws ObjSyntaxException {
        String word = word();
        if (STAGES.contains(word)) {
            return line(word, from);
        }
        source.back(from);
        if (word.equals(INIT)) {
            throw wrong("Init stands outside objects");
        }
        String nearest = word.isEmpty() ? null : Nearest.of(word, STAGES);
        throw wrong("expected a directive such as " + Stage.NAME_TRANS.word() + " or " + Stage.SERVICE.word()
                + ", found " + source.found() + (nearest == null ? "" : "; did you mean " + nearest + "?"));
    }

    /** The rest of a directive, whose first word was read. */
    private ObjText.Line line(String stage, int from) throws ObjSyntaxException {
        ConfigNode.Place at = source.place(from);
        List<ObjText.Parameter> parameters = new ArrayList<>();
        String function = null;
        while (true) {
            int before = source.at();
            boolean crossed = source.skipBlanks();
            int here = source.at();
            String name = source.ended() ? "" : parameterName();
            String subscript = name.isEmpty() ? null : subscript();
            int after = source.at();
            source.skipBlanks();
            if (name.isEmpty() || source.peek() != '=') {
                source.back(here);
                if (!crossed) {
                    throw wrong(
                            name.isEmpty()
                                    ? "expected a parameter, found " + source.found()
                                    : "expected \"=\" after \"" + name + "\"");
                }
                source.back(before);
                break;
            }
            source.back(after);
            ObjText.Parameter p = parameter(name, subscript, here, TemplateParser.Use.VALUE);
            if (!name.equals("fn")) {
                parameters.add(p);
            } else if (function != null) {
                throw new ObjSyntaxException(p.at(), "fn is given twice");
            } else {
                function = constant(p);
            }
        }
        if (function == null) {
            throw new ObjSyntaxException(at, stage + " needs fn=, the name of a function");
        }
        return new ObjText.Line(stage, function, parameters, at);
    }

    private static String constant(ObjText.Parameter p) throws ObjSyntaxException {
        String value = p.value().constant();
        if (value == null || value.isEmpty()) {
            throw new ObjSyntaxException(p.at(), "fn must be the name of a function");
        }
        return value;
    }

    /** The value of a parameter, whose name was read. */
    private ObjText.Parameter parameter(String name, @Nullable String subscript, int from, TemplateParser.Use use)
            throws ObjSyntaxException {
        source.skipBlanks();
        if (!source.take("=")) {
            throw wrong("expected \"=\" after \"" + name + "\", found " + source.found());
        }
        if (source.skipBlanks() || source.ended()) {
            throw new ObjSyntaxException(source.place(from), "\"" + name + "\" has no value");
        }
        TemplateParser parser = new TemplateParser(source, use, new ExpressionSize());
        Template value = source.peek() == '"' ? parser.quoted() : parser.bare();
        return new ObjText.Parameter(name, subscript, value, source.place(from));
    }

    private @Nullable String subscript() throws ObjSyntaxException {
        if (source.peek() != '{') {
            return null;
        }
        source.take();
        int from = source.at();
        while (source.peek() != '}') {
            if (source.ended() || source.peek() == '\n') {
                throw wrong("expected \"}\", found " + source.found());
            }
            source.take();
        }
        String subscript = source.between(from, source.at());
        source.take();
        return subscript;
    }

    private String word() {
        int from = source.at();
        while (ExpressionParser.isPartOfName(source.peek())) {
            source.take();
        }
        return source.between(from, source.at());
    }

    private String parameterName() {
        int from = source.at();
        source.take("$");
        char c = source.peek();
        while (ExpressionParser.isPartOfName(c) || c == '-' || c == '.') {
            source.take();
            c = source.peek();
        }
        return source.between(from, source.at());
    }

    private ObjSyntaxException wrong(String what) {
        return new ObjSyntaxException(source.place(), what);
    }

    /** The stage of a directive. */
    static Stage stage(String word) {
        return Arrays.stream(Stage.values())
                .filter(s -> s.word().equals(word))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(word.toLowerCase(Locale.ROOT)));
    }
}
