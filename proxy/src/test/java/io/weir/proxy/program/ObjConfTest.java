package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigProblem;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.objconf.ObjConfSource;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs written in obj.conf. */
class ObjConfTest {
    private final Probe probe = new Probe("probe");
    private final Bench bench = new Bench();
    private final ProgramBuilder builder =
            new ProgramBuilder(new FunctionCatalogue(functions()), WorkPools.NONE, VirtualServers.DEFAULT);

    private List<ServerFunction> functions() {
        List<ServerFunction> all = new ArrayList<>(FunctionCatalogue.builtin().all());
        all.add(probe);
        return all;
    }

    Program program(String text) {
        new ObjConfSource("obj.conf", text, Map.of("docroot", "/srv/www"), Chance.seeded(1)).compile(builder);
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    List<String> problems(String text) {
        new ObjConfSource("obj.conf", text, Map.of(), Chance.seeded(1)).compile(builder);
        return builder.problems().stream()
                .sorted(ConfigProblem.IN_ORDER)
                .map(ConfigProblem::toString)
                .toList();
    }

    List<String> marks(Program program, String head) {
        probe.marks.clear();
        run(program, head);
        return List.copyOf(probe.marks);
    }

    ProgramRun run(Program program, String head) {
        return bench.run(program, head, "192.0.2.7");
    }

    /** The example of the tuning guide's chapter on thread pools: an object that a prefix names. */
    @Test
    void objectsAreNamedByAssignName() {
        Program program = program("""
                Init fn="stats-init" profiling="on"
                # comment
                <Object name="default">
                NameTrans fn="assign-name" from="/testmod" name="testmod"
                ObjectType fn="probe" mark="default"
                Service fn="probe" mark="served by default"
                </Object>

                <Object name="testmod">
                ObjectType fn="probe" mark="of testmod"
                Service
                   fn="probe"
                   mark="served by testmod"
                </Object>
                """);
        assertThat(marks(program, "GET /testmod"))
                .containsExactly("of testmod", "default", "served by testmod", "served by default");
        assertThat(marks(program, "GET /other")).containsExactly("default", "served by default");
    }

    @Test
    void parametersMayStandOnFurtherLinesWithoutBlanks() {
        Program program = program("""
                <Object name=default>
                Service method="(GET|HEAD|POST)" type="~magnus-internal/*"
                fn="probe" mark="continued"
                Service fn=probe mark=next
                </Object>
                """);
        assertThat(marks(program, "GET /")).containsExactly("continued", "next");
        assertThat(marks(program, "PUT /")).containsExactly("next");
        assertThat(marks(program, "OPTIONS /")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET /, root msie, 'Mozilla/4.0 (compatible; MSIE 6.0)'",
        "GET /, root other, curl/8",
        "GET /a.gif, picture /a, curl/8",
        "GET /x, rest, curl/8"
    })
    void oneBranchApplies(String line, String marks, String browser) {
        Program program = program("""
                <Object name="default">
                <If $uri eq "/">
                  <If $browser =~ "MSIE">
                  PathCheck fn="probe" mark="root msie"
                  </If>
                  <Else>
                  PathCheck fn="probe" mark="root other"
                  </Else>
                </If>
                <ElseIf $uri =~ "^(.*)\\.(gif|jpg)$" and not $internal>
                PathCheck fn="probe" mark="picture $1"
                </ElseIf>
                <Else>
                PathCheck fn="probe" mark="rest"
                </Else>
                </Object>
                """);
        assertThat(marks(program, line + " HTTP/1.1\r\nHost: a\r\nUser-Agent: " + browser + "\r\n\r\n"))
                .containsExactly(marks);
    }

    @Test
    void atMost100ProblemsOfDirectivesAreListed() {
        List<String> found = problems(
                "<Object name=\"default\">\n" + "Service fn=\"no-such-function\"\n".repeat(300) + "</Object>\n");
        assertThat(found)
                .hasSize(101)
                .contains("obj.conf:1:1: there may be more problems, reading ends in this object");
    }

    @Test
    void aMessageQuotesOnlyTheEndsOfWhatIsLong() {
        List<String> found = problems("<Object name=\"default\">\nService fn=\"send-answer\" " + "x".repeat(1_000_000)
                + "=\"1\"\n</Object>\n");
        assertThat(found).hasSize(1);
        assertThat(found.getFirst()).hasSizeLessThan(4_100).contains("xxx ... ").contains("unknown parameter");
    }

    /** The last of them is reached on a small stack. */
    @Test
    void thereMayBeThousandsOfBranches() throws Exception {
        Program program = program("<Object name=\"default\">\n<If $uri eq \"/\"></If>\n"
                + "<ElseIf $uri eq \"/x\">\n</ElseIf>\n".repeat(5_000)
                + "<Else>\nPathCheck fn=\"probe\" mark=\"last\"\n</Else>\n</Object>\n");
        List<String> marks = new ArrayList<>();
        Thread small = new Thread(null, () -> marks.addAll(marks(program, "GET /y")), "small stack", 256 << 10);
        small.start();
        small.join();
        assertThat(marks).containsExactly("last");
    }

    @Test
    void conditionsHoldForEachStageAndMayUseMoreThan() {
        Program program = program("""
                <Object name="default">
                <If ($restarted or length($uri) > 3) and $headers{'x-a'} eq 'b>c'>
                PathCheck fn="probe" mark="check"
                ObjectType fn="probe" mark="type"
                </If>
                </Object>
                """);
        assertThat(marks(program, "GET /long HTTP/1.1\r\nHost: a\r\nX-A: b>c\r\n\r\n"))
                .containsExactly("check", "type");
        assertThat(marks(program, "GET /lo HTTP/1.1\r\nHost: a\r\nX-A: b>c\r\n\r\n"))
                .isEmpty();
        assertThat(marks(program, "GET /long")).isEmpty();
    }

    @Test
    void clientsAreMatchedByPatterns() {
        Program program = program("""
                <Object name="default">
                <Client ip="192.0.2.*" browser="*bot*">
                PathCheck fn="probe" mark="both"
                </Client>
                <Client match="any" ip="10.*" browser="*bot*">
                PathCheck fn="probe" mark="any"
                </Client>
                <Client match="none" method="GET" browser="*fox*">
                PathCheck fn="probe" mark="none"
                </Client>
                <Client security="on">
                PathCheck fn="probe" mark="secure"
                </Client>
                <Client odds="100%" uri="*.html">
                PathCheck fn="probe" mark="odds"
                </Client>
                <Client odds="0/1">
                PathCheck fn="probe" mark="never"
                </Client>
                </Object>
                """);
        assertThat(marks(program, "GET /a.html HTTP/1.1\r\nHost: a\r\nUser-Agent: a bot\r\n\r\n"))
                .containsExactly("both", "any", "odds");
        assertThat(marks(program, "POST /b HTTP/1.1\r\nHost: a\r\nUser-Agent: opera\r\n\r\n"))
                .containsExactly("none");
    }

    /** The Proxy Server's objects: regular expressions over URLs. */
    @Test
    void objectsAreFoundByUrl() {
        Program program = program("""
                <Object name="default">
                </Object>
                <Object ppath="http://.*\\.example\\.com(:[0-9]+)?/.*">
                PathCheck fn="probe" mark="example.com"
                </Object>
                <Object ppath="connect://.*:443">
                PathCheck fn="probe" mark="tunnel"
                </Object>
                <Object ppath="*.cgi">
                PathCheck fn="probe" mark="cgi"
                </Object>
                """);
        assertThat(marks(program, "GET http://www.example.com/a.cgi HTTP/1.1\r\nHost: www.example.com\r\n\r\n"))
                .containsExactly("cgi", "example.com");
        assertThat(marks(program, "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n"))
                .isEmpty();
        assertThat(marks(program, "CONNECT a.org:443 HTTP/1.1\r\nHost: a.org:443\r\n\r\n"))
                .containsExactly("tunnel");
    }

    @Test
    void parametersAreEvaluatedForEachRequest() {
        Program program = program("""
                <Object name="DEFAULT">
                <If $uri =~ "^/private/(.*)$">
                Service fn="send-answer" status="200" body="$1 of $headers{'host'} in $docroot costs $$5, $(uc($method))$"
                </If>
                </Object>
                """);
        ProgramRun first = run(program, "GET /private/a");
        assertThat(bench.log.entries()).isEmpty();
        assertThat(body(first)).isEqualTo("a of www.example.com in /srv/www costs $5, GET$");
        assertThat(body(run(program, "HEAD /private/b"))).isEqualTo("b of www.example.com in /srv/www costs $5, HEAD$");
    }

    /** As the log's token of that name. */
    @Test
    void theWholeRequestLineIsKnown() {
        Program program = program("""
                <Object name="default">
                <If $reqpb{'proxy-request'} =~ "^GET http://">
                Service fn="send-answer" body="$reqpb{'clf-request'}, $protocol"
                </If>
                </Object>
                """);
        assertThat(body(run(program, "GET http://www.example.com/a")))
                .isEqualTo("GET http://www.example.com/a HTTP/1.1, HTTP/1.1");
        assertThat(run(program, "GET /a").fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void explainShowsWhatIsEvaluatedAsItIsWritten() {
        Program program = program("""
                <Object name="default">
                <If $uri =~ "^/private/(.*)$">
                Service fn="send-answer" status="200" body="$1 of ${method}"
                </If>
                </Object>
                """);
        assertThat(Explain.explain(program, Explain.Question.get("/private/a")))
                .contains("default: fn=send-answer status=\"200\" body=\"$1 of ${method}\"  [obj.conf:3:1] -> PROCEED");
    }

    /** What conditions demand of the path is a rule of the index, so that thousands of them cost no more than one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "<If $uri = '/a*'>; WILDCARD /a*",
                "<If $uri =~ '^/a/(.*)x$'>; REGEX (/a/(.*)x)",
                "<If $uri =~ 'a|b'>; REGEX .*(a|b).*",
                "<If $uri eq '/a/b'>; EXACT /a/b",
                "<If $method eq 'GET' and $uri = '*.gif'>; WILDCARD *.gif",
                "<If $uri =~ '^/a|b$'>; none",
                "<If $browser =~ '(a)' and $uri = '*.gif'>; none",
                "<If not $uri = '/a*'>; none",
                "<If $uri = '/a*' or $query>; none",
                "<If $uri !~ '^/a'>; none",
                "<If $uri =~ '(?i)^/A'>; none",
                "<If $ppath = '/a*'>; none",
                "<Client uri=\"/a/*\" method=\"GET\">; WILDCARD /a/*",
                "<Client match=\"any\" uri=\"/a/*\" method=\"GET\">; none"
            })
    void conditionsOnPathsAreIndexed(String open, String rule) {
        String close = open.startsWith("<If") ? "</If>" : "</Client>";
        Program program = program("<Object name=\"default\">\n" + open + "\nPathCheck fn=\"probe\" mark=\"x\"\n" + close
                + "\nNameTrans fn=\"assign-name\" from=\"/b\" name=\"default\"\n</Object>\n");
        RuleCondition.PathRule path = Objects.requireNonNull(program.object("default"))
                .directives(Stage.PATH_CHECK)
                .getFirst()
                .when()
                .path();
        assertThat(path == null ? "none" : path.match() + " " + path.text()).isEqualTo(rule);
    }

    /** Containers nest: all their patterns must hold. */
    @Test
    void clientsStandInClients() {
        Program program = program("""
                <Object name="default">
                <Client method="GET">
                PathCheck fn="probe" mark="outer"
                <Client uri="/a/*">
                PathCheck fn="probe" mark="inner"
                </Client>
                </Client>
                </Object>
                """);
        assertThat(marks(program, "GET /a/b")).containsExactly("outer", "inner");
        assertThat(marks(program, "GET /b")).containsExactly("outer");
        assertThat(marks(program, "PUT /a/b")).isEmpty();
    }

    private static String body(ProgramRun run) {
        return new String(
                ((Action.Respond) Objects.requireNonNull(run.action())).body(),
                java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    @Test
    void chanceIsShared() {
        Program program = program("""
                <Object name="default">
                <Client odds="1/2">
                PathCheck fn="probe" mark="half"
                </Client>
                Service fn="send-answer" body="$(choose('a|b')) $(uuid())"
                </Object>
                """);
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            bodies.add(body(run(program, "GET /")));
        }
        assertThat(probe.marks).hasSizeBetween(60, 140);
        assertThat(bodies).doesNotHaveDuplicates().allMatch(b -> b.matches("[ab] [0-9a-f-]{14}4[0-9a-f-]{21}"));
        assertThat(bodies).anyMatch(b -> b.startsWith("a")).anyMatch(b -> b.startsWith("b"));
    }

    @Test
    void aFunctionsDecisionIsKeptToItsCondition() {
        Program program = program("""
                <Object name="default">
                <If $query eq "x">
                PathCheck fn="probe" mark="deny"
                </If>
                PathCheck fn="probe" mark="after"
                </Object>
                """);
        probe.answers("deny", StepOutcome.ABORTED);
        assertThat(marks(program, "GET /?x")).containsExactly("deny");
        assertThat(marks(program, "GET /?y")).containsExactly("after");
    }

    @Test
    void allMistakesAreReportedAtOnce() {
        assertThat(problems("""
                NameTrans fn="map" from="/" to="/"
                <Object name="a">
                NameTrans fn="asign-name" from="/a" name="b"
                PathChek fn="deny-service"
                PathCheck fn="deny-service" path
                PathCheck path="x"
                <If $uri ==>
                Service fn="probe" mark="$nope{'a'}"
                </If>
                <ElseIf $uri></ElseIf>
                <Client ips="1.*" match="some">
                Service fn="assign-name" from="/" name="a"
                </Client>
                ObjectType fn="probe" mark="unclosed
                ObjectType fn="probe" marks="x" bucket="$uri"
                </Object>
                <Object>
                Error fn="probe" pool="no"
                """))
                .containsExactly(
                        "obj.conf:1:1: NameTrans must stand in an <Object>; outside there is only Init",
                        "obj.conf:3:1: unknown function \"asign-name\"; did you mean \"assign-name\"?",
                        "obj.conf:4:1: expected a directive such as NameTrans or Service, found \"PathChek\";"
                                + " did you mean PathCheck?",
                        "obj.conf:5:29: expected \"=\" after \"path\"",
                        "obj.conf:6:1: PathCheck needs fn=, the name of a function",
                        "obj.conf:7:12: expected a text, a number, a variable or a function, found the end of the"
                                + " expression",
                        "obj.conf:8:26: there is no map \"nope\". Known: client, cookie, env, headers, reqpb, srvhdrs,"
                                + " vars",
                        "obj.conf:11:9: <Client> has no \"ips\"; did you mean \"ip\"? Known: browser, chunked, code,"
                                + " dns, internal, ip, keep-alive, keysize, match, method, name, odds, path, ppath,"
                                + " query, reason, restarted, secret-keysize, security, type, uri, urlhost",
                        "obj.conf:11:19: match is all, any or none, found \"some\"",
                        "obj.conf:12:1: function \"assign-name\" cannot stand in Service, only in NameTrans",
                        "obj.conf:14:28: a text that begins with \" must end with \" on the same line",
                        "obj.conf:15:23: probe: unknown parameter \"marks\"; did you mean \"mark\"? Known here: mark",
                        "obj.conf:15:33: \"bucket\" must be a constant",
                        "obj.conf:17:1: an object needs name or ppath",
                        "obj.conf:17:1: <Object> has no </Object>",
                        "obj.conf:18:1: there is no work manager \"no\". There are none.");
    }

    /** A ppath at a later part would be lost, with what its directives protect. */
    @Test
    void objectsOfOneNameAreOneObjectWhosePpathStandsAtTheFirst() {
        String start = "<Object name=default>\nService fn=send-answer\n</Object>\n";
        assertThat(problems(start + "<Object name=a ppath=\"/a/*\">\n</Object>\n<Object name=A>\n</Object>"))
                .isEmpty();
        assertThat(problems(start + "<Object name=a>\n</Object>\n<Object name=A ppath=\"/a/*\">\n</Object>"))
                .containsExactly("obj.conf:6:1: object \"A\" begins at line 4, where its ppath must stand, or give this"
                        + " one another name");
    }

    @Test
    void stagesAreThoseOfTheLanguage() {
        for (Stage stage : Stage.values()) {
            assertThat(problems("<Object name=\"default\">\n" + stage.word() + " fn=probe\n</Object>\n"))
                    .as(stage.word())
                    .isEmpty();
        }
    }
}
