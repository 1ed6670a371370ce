package io.weir.proxy.program.objconf;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigProblem;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Reading obj.conf: what stands where, and what is reported. */
class ObjParserTest {
    private static ObjText parse(String text) {
        ObjParser parser = new ObjParser("obj.conf", text);
        ObjText read = parser.parse();
        assertThat(parser.problems()).isEmpty();
        return read;
    }

    private static List<String> problems(String text) {
        ObjParser parser = new ObjParser("obj.conf", text);
        parser.parse();
        return parser.problems().stream().map(ConfigProblem::toString).toList();
    }

    @Test
    void placesAndSubscriptsAreKept() {
        ObjText text = parse("""
                Init fn=flex-init
                     access="$accesslog"  # where
                     format.access="%Ses->client.ip% \\"x\\""
                <OBJECT NAME=default ppath='*'>
                </object>
                """.replace("NAME", "name").replace("'*'", "*"));
        ObjText.Line init = text.inits().getFirst();
        assertThat(init.parameters()).extracting(ObjText.Parameter::name).containsExactly("access", "format.access");
        assertThat(init.parameters().get(1).at().line()).isEqualTo(3);
        assertThat(init.parameters().get(1).value().constant()).isEqualTo("%Ses->client.ip% \"x\"");
        assertThat(text.objects().getFirst().ppath()).isEqualTo("*");
        ObjText.Line set = (ObjText.Line) parse("""
                <Object name="default">
                AuthTrans fn="set-variable" $headers{'x-a'}="b" vars{k}="v" remove-headers=c
                </Object>
                """.replace("$headers", "headers"))
                .objects()
                .getFirst()
                .items()
                .getFirst();
        assertThat(set.parameters()).extracting(ObjText.Parameter::subscript).containsExactly("'x-a'", "k", null);
    }

    /** Regular expressions of Proxy Server 4.0 keep their backslashes and dollar signs. */
    @Test
    void backslashesThatEscapeNothingStay() {
        ObjText.Line line =
                (ObjText.Line) parse("""
                <Object name="default">
                NameTrans fn="map" from="http://(.*)\\.example\\.com(/|$)" to="a\\\\b\\"c\\
                d"
                </Object>
                """).objects().getFirst().items().getFirst();
        assertThat(line.parameters().get(0).value().constant()).isEqualTo("http://(.*)\\.example\\.com(/|$)");
        assertThat(line.parameters().get(1).value().constant()).isEqualTo("a\\b\"cd");
    }

    /** A comparison with {@code >} outside parentheses ends the tag, which nobody sees who writes it. */
    @Test
    void aComparisonWithGreaterNeedsParentheses() {
        for (String expression : List.of("$x > 100", "$x >= 100", "$x > $y", "$x > 1 and $y > Service")) {
            assertThat(problems("<Object name=a>\n<If " + expression + ">\nPathCheck fn=x\n</If>\n</Object>"))
                    .containsExactly("obj.conf:2:8: > ends the tag: a comparison with > or >= stands in parentheses,"
                            + " <If (" + expression + ")>");
        }
        assertThat(problems("<Object name=a>\n<If 1>\n</If>\n<ElseIf $x > 1>\n</ElseIf>\n</Object>"))
                .containsExactly("obj.conf:4:12: > ends the tag: a comparison with > or >= stands in parentheses,"
                        + " <ElseIf ($x > 1)>");
        parse("<Object name=a>\n<If ($x > 100)>\nPathCheck fn=x\n</If>\n</Object>");
        parse("<Object name=a>\n<If $x>PathCheck fn=x a=\"<b>\"\n</If>\n<If $x> <If $y> # a > b\n</If></If></Object>");
        parse("<Object name=a>\n<If $x>PathCheck fn=x a=<b>\n</If></Object>");
        parse("<Object name=a>\n<If $x> # a >\nPathCheck fn=x\n</If>\n</Object>");
    }

    /** 100,000 directives in one object are no more than one object. */
    @Test
    void thereAreAtMost20000Objects() {
        String object = "<Object name=\"o\">\n</Object>\n";
        assertThat(parse(object.repeat(20_000)).objects()).hasSize(20_000);
        assertThat(problems(object.repeat(100_000)))
                .containsExactly(
                        "obj.conf:40001:1: there are more than 20000 objects, the most allowed; reading ends here");
        assertThat(parse("<Object name=\"o\">\n" + "Service fn=\"a\"\n".repeat(100_000) + "</Object>\n")
                        .objects()
                        .getFirst()
                        .items())
                .hasSize(100_000);
    }

    @Test
    void containersMustMatch() {
        assertThat(problems("<Object name=a>\n<If 1>\n</Client>\n</If>\nService fn=x\n<Else>\n</Else>\n</Object>"))
                .containsExactly(
                        "obj.conf:3:1: \"</Client>\" closes nothing that is open here",
                        "obj.conf:6:1: <Else> must directly follow </If> or </ElseIf>",
                        "obj.conf:7:1: \"</Else>\" closes nothing that is open here");
        assertThat(problems("<Object name=a>\n<If 1\n</If>\n<Client>\n<Client>\n</Client></Client>\n"))
                .contains("obj.conf:1:1: <Object> has no </Object>");
        assertThat(problems("<Object name=a>\n<Object name=b>\n</Object>"))
                .containsExactly("obj.conf:1:1: <Object> has no </Object> before the next object");
        assertThat(problems("<Objct name=a>\n</Object>").getFirst())
                .contains("found \"<Objct\"; did you mean <Object>?");
        assertThat(problems("< Object name=a>").getFirst()).contains("expected a tag");
    }

    @Test
    void nestingIsBounded() {
        String text = "<Object name=a>\n" + "<If 1>\n".repeat(1000) + "</If>\n".repeat(1000) + "</Object>\n";
        assertThat(problems(text).getFirst()).contains("nested too deeply");
    }

    @Test
    void problemsAreBounded() {
        List<String> problems = problems("<Object name=a>\n" + "Servce fn=x\n".repeat(10_000) + "</Object>\n");
        assertThat(problems).hasSize(ObjParser.MAX_PROBLEMS);
        assertThat(problems.getLast()).endsWith("there may be more, reading ends here");
    }

    /** A large file is read in time linear in its length. */
    @Test
    void largeFilesAreRead() {
        StringBuilder text = new StringBuilder("<Object name=default>\n");
        for (int i = 0; i < 100_000; i++) {
            text.append("NameTrans fn=\"assign-name\" from=\"/some/path/%d/*\" name=\"x\"\n".formatted(i));
        }
        assertThat(parse(text.append("</Object>").toString())
                        .objects()
                        .getFirst()
                        .items())
                .hasSize(100_000);
    }

    /** Whatever is read: it ends, and each problem has its place. */
    @Test
    void anyTextIsReadOrRefused() {
        RandomGenerator random = Chance.seeded(7).random();
        List<String> pieces = List.of(
                "<Object name=a>",
                "</Object>",
                "<If 1>",
                "</If>",
                "<ElseIf $uri>",
                "</ElseIf>",
                "<Else>",
                "</Else>",
                "<Client ip=1>",
                "</Client>",
                "\n",
                " ",
                "Service fn=x",
                "NameTrans",
                "fn=\"y\"",
                "\"",
                "'",
                "<",
                ">",
                "=",
                "{",
                "}",
                "$",
                "\\",
                "#",
                "Init fn=z",
                "a=b",
                "</",
                "x{y}=",
                "(",
                ")");
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(20); k >= 0; k--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            ObjParser parser = new ObjParser("obj.conf", text.toString());
            assertThat(parser.parse()).isNotNull();
            assertThat(parser.problems()).as(text.toString()).allMatch(p -> p.at().line() > 0);
        }
    }
}
