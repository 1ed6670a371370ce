package io.weir.proxy.program;

import static io.weir.proxy.program.ObjConfBench.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Fields;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** set-variable and match-browser as the references of Web Server 7.0 and Proxy Server 4.0 document them. */
class VariableFunctionsTest {
    private final ObjConfBench bench = new ObjConfBench();

    private ProgramRun run(String lines, String... fields) {
        return bench.run(bench.directives(lines), "GET /a", fields);
    }

    @Test
    void variablesAreSetInsertedAndRemoved() {
        ProgramRun run = run("""
                AuthTrans fn=set-variable $docroot="/srv$uri" set-vars="a=1" insert-vars="b=2" set="vars.c=3"
                NameTrans fn=set-variable remove-vars="b" remove-vars="c=4*" $a="x$a"
                """);
        assertThat(run.variables())
                .containsOnly(Map.entry("docroot", "/srv/a"), Map.entry("a", "x1"), Map.entry("c", "3"));
    }

    @Test
    void fieldsOfTheRequestAreChangedForTheOrigin() {
        ProgramRun run = run("""
                ObjectType fn=set-variable set-headers="X-A=1" insert-headers="X-B: 2" remove-headers="x-c" remove-headers="x-d=old*"
                ObjectType fn=set-variable set-headers="X-A=3"
                """, "X-D: older", "X-E: e");
        HeaderEdits edits = Objects.requireNonNull(run.requestEdits());
        assertThat(sent(run, "X-A")).isEqualTo("3");
        assertThat(edits.add()).containsExactly(new HeaderEdits.Added("X-B", "2"));
        assertThat(edits.remove()).containsExactlyInAnyOrder("x-c", "x-d");
    }

    @Test
    void fieldsOfTheAnswerAreChangedForThisClient() {
        ProgramRun run = run("Output fn=set-variable insert-srvhdrs=\"Set-Cookie: a=b\"\n"
                + "ObjectType fn=set-variable $srvhdrs{'x-frame'}=\"DENY\" remove-srvhdrs=server");
        HeaderEdits edits = Objects.requireNonNull(run.outputEdits());
        assertThat(edits.set()).containsEntry("x-frame", "DENY");
        assertThat(edits.remove()).containsExactly("server");
    }

    @Test
    void addedFieldsStandBesideThoseOfTheOrigin() {
        Fields fields = new Fields();
        fields.add("Set-Cookie", "x=y");
        new HeaderEdits(List.of(), Map.of(), List.of(new HeaderEdits.Added("Set-Cookie", "a=b"))).apply(fields);
        assertThat(fields.size()).isEqualTo(2);
    }

    @Test
    void errorRefusesWithItsStatusAndReason() {
        ProgramRun run = run("PathCheck fn=set-variable error=\"410 Gone for good\"");
        assertThat(run.fault()).isEqualTo(ProxyFault.DENIED);
        assertThat(run.faultStatus()).isEqualTo(410);
        assertThat(run.faultTitle()).isEqualTo("Gone for good");
        assertThat(run.action()).isNull();
    }

    @Test
    void errorDirectivesSeeTheStatus() {
        Program program = bench.directives("PathCheck fn=set-variable error=\"410 Gone\"\n"
                + "Error fn=set-variable code=403 url=/wrong\nError fn=set-variable code=410 url=/gone");
        ProgramRun run = bench.run(program, "GET /");
        assertThat(run.error(Objects.requireNonNull(run.fault()))).isEqualTo(RunState.READY);
        assertThat(run.location()).isEqualTo("/gone");
    }

    @ParameterizedTest
    @CsvSource({"abort=true, FAILED", "exit=true, CLOSE", "stop=true, READY", "noaction=true, READY"})
    void theOutcomeIsChosen(String parameter, RunState state) {
        Program program = bench.directives(
                "NameTrans fn=set-variable " + parameter + "\nNameTrans fn=set-variable set-vars=next=1");
        ProgramRun run = new ProgramRun(bench.bench.host, null);
        assertThat(run.start(Bench.request(program, "GET /", "127.0.0.1"), program))
                .isEqualTo(state);
        // stop ends the stage, noaction does not
        assertThat(run.variable("next") != null).isEqualTo(parameter.startsWith("noaction"));
        assertThat(run.fault()).isEqualTo(state == RunState.FAILED ? ProxyFault.FUNCTION : null);
    }

    @Test
    void urlRedirects() {
        ProgramRun run = run("PathCheck fn=set-variable url=\"http://new$uri\"");
        assertThat(run.action()).isEqualTo(new Action.Redirect(302));
        assertThat(run.location()).isEqualTo("http://new/a");
    }

    @Test
    void nameAddsAnObject() {
        Program program = bench.program("""
                <Object name="default">
                NameTrans fn="set-variable" name="Other"
                </Object>
                <Object name="other">
                Service fn="send-answer" body="other"
                </Object>
                """);
        assertThat(ObjConfBench.body(bench.run(program, "GET /").action())).isEqualTo("other");
    }

    /** The reference's example. */
    @Test
    void matchBrowserIsForTheClientsThatMatch() {
        String lines = "AuthTrans fn=\"match-browser\" browser=\"*[Bb]roken*\" ssl-unclean-shutdown=\"true\""
                + " keep-alive=\"disabled\"\nAuthTrans fn=match-browser browser=\"*\" $late=\"1\"";
        ProgramRun broken = run(lines, "User-Agent: Very broken/1");
        assertThat(broken.closes()).isTrue();
        assertThat(broken.variable("late")).isNull();
        ProgramRun other = run(lines, "User-Agent: Mozilla/5.0");
        assertThat(other.closes()).isFalse();
        assertThat(other.variable("late")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http-downgrade=\"1.0\" | RFC 9110 section 2.5",
                "set-reqpb=\"uri=/x\" | the request line",
                "set-client=\"ip=1.2.3.4\" | what is known about the client",
                "set=\"nothing.a=b\" | block.name=value",
                "set-vars=\"=x\" | name=value",
                "error=\"302 Found\" | 400 to 599",
                "error=\"404\" noaction=true | stays as it is",
                "abort=maybe | on or off",
                "set-headers=\"Transfer-Encoding=x\" | frames the message",
                "set-headers=\"a b=x\" | field",
                "remove-srvhdrs=\"a=b\" | removed by their name",
                "$security=on | cannot be set",
                "set-nothing=a | unknown parameter",
                "url=\"a b\" | not allowed"
            })
    void whatCannotBeMeantStopsTheStart(String parameters, String problem) {
        assertThat(bench.problems("PathCheck fn=set-variable " + parameters))
                .singleElement()
                .asString()
                .contains("obj.conf:2")
                .contains(problem);
    }
}
