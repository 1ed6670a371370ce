package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.run.Program;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What directives of obj.conf apply to by path and URL, and that no spelling of them gets around a check. */
class ObjConfPathsTest {
    private final ObjConfTest conf = new ObjConfTest();

    /** Origins that decode slashes, or treat dots before a semicolon as a step, see a path that conditions do not. */
    @ParameterizedTest
    @CsvSource({
        "/admin/x, DENIED",
        "/pub/../admin/x, DENIED",
        "/pub/..;/admin/x, PATH_AMBIGUOUS",
        "//admin/x, PATH_AMBIGUOUS",
        "/admin;a=b/x, PATH_AMBIGUOUS",
        "/pub//x, null",
        "/pub;a=b/x, null"
    })
    void noSpellingBypassesAConditionOnThePath(String path, String fault) {
        for (String check : List.of(
                "<If $uri = '/admin/*'>\nPathCheck fn=deny-service\n</If>\n</Object>",
                "<Client uri=\"/admin/*\">\nPathCheck fn=deny-service\n</Client>\n</Object>",
                "PathCheck fn=deny-service path=\"/admin/.*\"\n</Object>",
                """
                NameTrans fn=reverse-map from="http://o/" to="/"
                NameTrans fn=assign-name from="/admin/*" name=admin
                </Object>
                <Object name=admin>
                PathCheck fn=deny-service
                </Object>""",
                """
                NameTrans fn=map from="/" to="/" cont=true
                <If $uri = '/admin/*'>
                NameTrans fn=assign-name from="*" name="admin"
                </If>
                </Object>
                <Object name=admin>
                PathCheck fn=deny-service
                </Object>""",
                "</Object>\n<Object ppath=\"/admin/*\">\nPathCheck fn=deny-service\n</Object>")) {
            ObjConfTest fresh = new ObjConfTest();
            Program program = fresh.program(
                    "<Object name=\"default\">\nService fn=\"send-answer\" body=\"passed\"\n" + check + "\n");
            assertThat(String.valueOf(fresh.run(program, "GET " + path).fault()))
                    .as(check)
                    .isEqualTo(fault);
        }
    }

    /** What NameTrans maps stays below what it is mapped to, however the origin reads the path. */
    @ParameterizedTest
    @CsvSource({
        "map from=\"/\" to=\"http://o.test/app/\", /..%2fmanager/f, PATH_AMBIGUOUS",
        "map from=\"/\" to=\"http://o.test/app/\", /..;/manager, PATH_AMBIGUOUS",
        "map from=\"/\" to=\"http://o.test/app/\", /..%5cmanager, PATH_AMBIGUOUS",
        "map from=\"/\" to=\"http://o.test/app/\", /a/..;/b, PATH_AMBIGUOUS",
        "map from=\"/up/\" to=\"http://o.test/app/pub/\", /up/..%2fup/y, PATH_AMBIGUOUS",
        "regexp-map from=\"/r/(.*)\" to=\"http://o.test/app/$1\", /r/..%2fx, PATH_AMBIGUOUS",
        "map from=\"/\" to=\"http://o.test/app/\", /a//b;c=d/e%2ff, null",
        "map from=\"/\" to=\"http://o.test/\", /a/..%2fb, null",
    })
    void aMappedPathIsNotLeft(String function, String path, String fault) {
        Program program = conf.program("<Object name=\"default\">\nNameTrans fn=" + function
                + "\nService fn=\"send-answer\" body=\"passed\"\n</Object>\n");
        assertThat(String.valueOf(conf.run(program, "GET " + path).fault())).isEqualTo(fault);
    }

    /** A tunnel has no path that could be mapped, although {@code map from="/"} takes it. */
    @Test
    void aTunnelIsNotWhatItWouldBeMappedTo() {
        Program program = conf.program("""
                <Object name="default">
                NameTrans fn="map" from="/" to="http://origin.example.com/"
                </Object>
                <Object ppath="http://.*">
                PathCheck fn="probe" mark="url"
                </Object>
                <Object ppath="connect://.*">
                PathCheck fn="probe" mark="tunnel"
                </Object>
                """);
        assertThat(conf.marks(program, "CONNECT a.org:443 HTTP/1.1\r\nHost: a.org:443\r\n\r\n"))
                .containsExactly("tunnel");
    }

    /** A rule that refuses what can never come is a mistake: its author thinks that something is refused. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<If $uri = \"/if x*\">|</If>",
                "<If not $uri = \"/if x*\">|</If>",
                "<If $method eq 'GET' and $uri eq \"/eq x\">|</If>",
                "<If $uri =~ \"^/re x\">|</If>",
                "<If $uri =~ \"%61dmin\">|</If>",
                "<If $path = \"/caf*é*\">|</If>",
                "<Client uri=\"/cl x*\">|</Client>",
                "<Client uri=\"http://localhost*\">|</Client>",
                "</Object><Object ppath=\"/pp x*\">|",
                "|PathCheck fn=deny-service path=\"http://localhost/.*\"",
            })
    void whatNeverMatchesIsAMistake(String around) {
        String text =
                "<Object name=\"default\">\n" + around.replace("|", "\nPathCheck fn=deny-service\n") + "\n</Object>\n";
        assertThat(conf.problems(text)).as(text).hasSize(1);
    }

    /** What is requested of the server itself, such as the guide's /.perf, is not what its proxy serves. */
    @Test
    void objectsOfUrlsAreNotForPathsOfThisServer() {
        Program program = conf.program("""
                <Object name="default">
                NameTrans fn="map" from="/mapped" to="http://origin.example.com/x"
                </Object>
                <Object ppath="http://.*">
                PathCheck fn="probe" mark="url"
                </Object>
                <Object ppath="http://origin.*/x/y">
                PathCheck fn="probe" mark="origin"
                </Object>
                <Object ppath=".*\\.gif">
                PathCheck fn="probe" mark="gif"
                </Object>
                """);
        assertThat(conf.marks(program, "GET /.perf HTTP/1.1\r\nHost: a\r\n\r\n"))
                .isEmpty();
        assertThat(conf.marks(program, "GET /a.gif HTTP/1.1\r\nHost: a\r\n\r\n"))
                .containsExactly("gif");
        assertThat(conf.marks(program, "GET http://a/.perf HTTP/1.1\r\nHost: a\r\n\r\n"))
                .containsExactly("url");
        for (String target : List.of("/mapped/y", "http://a/mapped/y")) {
            assertThat(conf.marks(program, "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .as(target)
                    .containsExactlyInAnyOrder("url", "origin");
        }
    }

    /** A condition with a variable that nothing sets never holds: what it refuses would be open. */
    @ParameterizedTest
    @CsvSource({"$urlhots, urlhost", "$URI, uri", "$auth_usr, auth_user"})
    void aVariableThatIsNearlyAPredefinedOneIsAMistake(String variable, String meant) {
        assertThat(conf.problems("<Object name=\"default\">\n<If ${" + variable.substring(1)
                        + "} eq \"a\">\nPathCheck fn=deny-service\n</If>\n</Object>\n"))
                .singleElement()
                .asString()
                .startsWith("obj.conf:2:")
                .contains("did you mean \"" + meant + "\"?");
    }

    @Test
    void variablesThatAreSetAreKnown() {
        Program program = conf.program("""
                <Object name="default">
                NameTrans fn="set-variable" $urlhots="x"
                <If $urlhots eq "x" or $docroot eq "y" or $other eq "z">
                PathCheck fn="deny-service"
                </If>
                </Object>
                """);
        assertThat(program.notes())
                .singleElement()
                .asString()
                .contains("obj.conf:3:", "nothing sets the variable \"other\"");
    }
}
