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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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

    /** Each line doubles the text: 17 of them would make 128 KiB of one character. */
    @Test
    void aTextThatGrowsBeyond64KiBFailsItsRequestOnly() {
        StringBuilder lines = new StringBuilder("AuthTrans fn=set-variable $v0=\"a\"\n");
        for (int i = 0; i < 16; i++) {
            lines.append("AuthTrans fn=set-variable $v")
                    .append(i + 1)
                    .append("=\"$v")
                    .append(i)
                    .append("$v")
                    .append(i)
                    .append("\"\n");
        }
        ProgramRun most = run(lines.toString());
        assertThat(most.fault()).isNull();
        assertThat(most.variable("v16")).hasSize(65_536);
        for (String more :
                List.of("\"$v16$v0\"", "\"$($v16 . $v0)\"", "\"$(length($v16 . $v0))\"", "\"$(escape($v16 . ' '))\"")) {
            ProgramRun run = run(lines + "AuthTrans fn=set-variable $more=" + more);
            assertThat(run.fault()).as(more).isEqualTo(ProxyFault.FUNCTION);
            assertThat(run.variable("more")).isNull();
        }
        ProgramRun condition = run(lines + "<If $v16 . $v16 eq \"a\">\nAuthTrans fn=set-variable $more=\"1\"\n</If>");
        assertThat(condition.fault()).isEqualTo(ProxyFault.FUNCTION);
    }

    @Test
    @Timeout(60)
    void lookupReadsOnlyRegularFiles(@TempDir Path files) throws Exception {
        Path table = Files.writeString(files.resolve("table"), "# comment\na one\n");
        String fifo = files.resolve("fifo").toString();
        assertThat(new ProcessBuilder("mkfifo", fifo).start().waitFor()).isZero();
        ProgramRun run = run("AuthTrans fn=set-variable $table=\"$(lookup('" + table + "', 'a', 'none'))\""
                + " $zero=\"$(lookup('/dev/zero', 'a', 'none'))\" $fifo=\"$(lookup('" + fifo + "', 'a', 'none'))\"");
        assertThat(run.variables())
                .containsOnly(Map.entry("table", "one"), Map.entry("zero", "none"), Map.entry("fifo", "none"));
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
