package io.weir.proxy.program.objconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions: precedence, values, patterns, mistakes. */
class ExpressionTest {
    private final Map<String, Object> variables = new HashMap<>(
            Map.of("uri", "/private/a.html", "query", "0", "method", "GET", "restarted", true, "internal", false));
    private final Input input = new Input();

    private final class Input implements ExpressionInput {
        private @Nullable String[] groups = new @Nullable String[0];

        @Override
        public @Nullable Object variable(String name) {
            return variables.get(name);
        }

        @Override
        public @Nullable Object entry(String map, String key) {
            return variables.get(map + "." + key);
        }

        @Override
        public @Nullable String group(int number) {
            return number < groups.length ? groups[number] : null;
        }

        @Override
        public void groups(@Nullable String[] matched) {
            groups = matched;
        }

        @Override
        public @Nullable Object call(Expression.Function function, Object[] arguments) {
            return function.word() + arguments.length;
        }

        @Override
        public @Nullable Object test(char what, String path) {
            return what + ":" + path;
        }
    }

    private @Nullable Object value(String text) throws ObjSyntaxException {
        return new ExpressionParser(new ObjSource("obj.conf", text)).whole().evaluate(input);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1 + 2 * 3; 7",
                "(1 + 2) * 3; 9",
                "7 - 2 - 1; 4",
                "7 % 4 . 'x'; 3x",
                "'a' . 1 + 1; 1",
                "-2 + 3; 1",
                "!1 + 3; 3",
                "0x1F; 31",
                "1 / 0; ",
                "'12 apples' + 1; 13",
                "'-4' + 1; -3",
                "2 < 10; true",
                "2 lt 10; false",
                "'a' lt 'b' && 'b' le 'b' && 'c' gt 'b' && 'b' ge 'b'; true",
                "1 == 1 ^ 1 == 2; true",
                "1 xor 1; false",
                "0 || '0'; false",
                "'00' && 1; true",
                "'' or 'x'; true",
                "not 1 == 2; true",
                "not 0 and 0; false",
                "not (1 and 0) or 0; true",
                "1 ? 2 ? 3 : 4 : 5; 3",
                "0 ? 2 : 0 ? 4 : 5; 5",
                "1 or 0 ? 0 : 0; true",
                "$uri eq '/private/a.html'; true",
                "uri = '*.html'; true",
                "uri = '*.(gif|html)'; true",
                "uri = '*.gif'; false",
                "$uri =~ '^/priv'; true",
                "$uri !~ '^/priv'; false",
                "$nothing = '*'; false",
                "$nothing !~ 'x'; true",
                "defined $nothing; false",
                "defined $uri and $uri; true",
                "$nothing eq ''; true",
                "-e $uri . 'x'; e:/private/a.htmlx",
                "-e '/x' eq 'e:/x'; true",
                "lc('AbC') . uc('x') . length('four'); abcX4",
                "abs(-3); 3",
                "escape('a b'); a%20b",
                "unescape('a%20b%2'); a b%2",
                "mtime('/x'); mtime1",
                "uuid(); uuid0",
                "lc($nothing); ",
                "$headers{'host'}; ",
                "restarted && !internal; true",
                "true . false; 10",
                "\"a${uri}b$$c$\"; a/private/a.htmlb$c$",
                "\"$(1 + 1)\\\"\"; 2\"",
                "'it\\'s'; it's",
                "$uri =~ '([a-z]+)\\.(h)' ? \"$2-$1-$&\" : 0; h-a-a.h"
            })
    void expressionsHaveTheValuesOfTheLanguage(String text, @Nullable String expected) throws Exception {
        Object value = value(text);
        if (value instanceof Boolean b) {
            assertThat(String.valueOf(b)).as(text).isEqualTo(expected);
        } else {
            assertThat(value == null ? null : Values.text(value)).as(text).isEqualTo(expected);
        }
    }

    /** The right side of and, or and a choice is evaluated only if it counts: it may match a pattern. */
    @Test
    void groupsAreThoseOfThePatternThatWasEvaluated() throws Exception {
        assertThat(value("$uri =~ '(html)' or $uri =~ '(private)'")).isEqualTo(true);
        assertThat(input.group(1)).isEqualTo("html");
        assertThat(value("$uri =~ '(gif)' or $uri =~ '(private)'")).isEqualTo(true);
        assertThat(input.group(1)).isEqualTo("private");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1 +; 1:4: expected a text, a number, a variable or a function, found the end of the file",
                "1 == 2 == 3; 1:8: \"==\" cannot follow an operator of its kind: use parentheses",
                "1 < 2 < 3; 1:7: \"<\" cannot follow an operator of its kind: use parentheses",
                "(1; 1:3: expected \")\", found the end of the file",
                "1 ? 2; 1:6: expected \":\" of \"? :\", found the end of the file",
                "$uri = $method; 1:8: the pattern after \"=\" must be a constant text",
                "$uri =~ '('; 1:9: missing closing ) in the regular expression \"(\"",
                "$uri = '(a'; 1:8: a parenthesis is not closed (character 2 of the pattern \"(a\")",
                "nothing; 1:1: there is no variable \"nothing\". Known: ",
                "methd; 1:1: there is no variable \"methd\"; did you mean \"method\"?",
                "lcc('a'); 1:1: there is no function \"lcc\"; did you mean \"lc\"?",
                "lc(); 1:1: lc takes 1 arguments, found 0",
                "external('/bin/x', 'y'); 1:1: \"external\" is not supported",
                "$header{'a'}; 1:1: there is no map \"header\"; did you mean \"headers\"?",
                "and 1; 1:1: \"and\" is an operator: an expression is missing before it",
                "'abc; 1:1: a text that begins with ' must end with ' on the same line",
                "$10; 1:1: groups are $1 to $9, and $& for the whole match",
                "99999999999999999999; 1:1: \"99999999999999999999\" is not a number of 64 bits",
                "1 2; 1:3: expected an operator or the end of the expression, found \"2\""
            })
    void mistakesAreFoundWhereTheyAre(String text, String problem) {
        try {
            value(text);
            assertThat(text).as("has no mistake").isEmpty();
        } catch (ObjSyntaxException e) {
            assertThat(e.at().line() + ":" + e.at().column() + ": " + e.getMessage())
                    .startsWith(problem);
        }
    }

    @Test
    void nestingIsBounded() {
        for (String text :
                new String[] {"(".repeat(10_000) + "1", "!".repeat(10_000) + "1", "not ".repeat(10_000) + "1"}) {
            try {
                value(text);
                assertThat(text).as("is too deep").isEmpty();
            } catch (ObjSyntaxException e) {
                assertThat(e.getMessage()).contains("nested too deeply");
            }
        }
    }

    /** An expression of 500 operators is evaluated on a small stack; one more is refused where it stands. */
    @ParameterizedTest
    @CsvSource({"or,0", "and,1", ".,1", "+,1", "xor,1"})
    void thereAreAtMost500OperatorsInAnExpression(String operator, String operand) throws Exception {
        String most = operand + (" " + operator + " " + operand).repeat(500);
        Expression read = new ExpressionParser(new ObjSource("obj.conf", most)).whole();
        List<Object> values = new ArrayList<>();
        Thread small =
                new Thread(null, () -> values.add(String.valueOf(read.evaluate(input))), "small stack", 256 << 10);
        small.start();
        small.join();
        assertThat(values).hasSize(1);
        assertThatThrownBy(() -> value(most + " " + operator + " " + operand))
                .isInstanceOf(ObjSyntaxException.class)
                .hasMessage("the expression is too long: at most 500 operators");
        assertThatThrownBy(() -> value(operand + (" " + operator + " " + operand).repeat(100_000)))
                .isInstanceOf(ObjSyntaxException.class);
    }

    /** Parentheses, texts and choices within an expression do not begin to count anew. */
    @Test
    void operatorsOfTheWholeExpressionAreCounted() throws Exception {
        String part = "(\"$(1" + " . 1".repeat(99) + ")\")";
        assertThat(Values.text(value(part + (" . " + part).repeat(4)))).hasSize(500);
        assertThatThrownBy(() -> value(part + (" . " + part).repeat(5)))
                .hasMessage("the expression is too long: at most 500 operators");
        assertThatThrownBy(() -> value("1 ? 2 : ".repeat(501) + "3")).isInstanceOf(ObjSyntaxException.class);
        assertThatThrownBy(() -> value("\"$(".repeat(5_000) + "1" + ")\"".repeat(5_000)))
                .hasMessage("the expression is nested too deeply: at most 64 levels");
    }
}
