package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code weir migrate}: what it prints where, and its exit codes. */
final class MigrateCommandTest {
    private static final String NGINX = "events {}\nhttp { server { listen 8080; location / { return 204; } } }\n";

    @TempDir
    private Path dir = Path.of("");

    private record Result(int code, String out, String err) {}

    private static Result migrate(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.line("migrate").setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = new String[arguments.length + 1];
        all[0] = "migrate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return new Result(line.execute(all), out.toString(), err.toString());
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    @Test
    void kindIsRecognisedByNameAndByContent() throws Exception {
        assertThat(migrate(file("nginx.conf", NGINX)).code()).isZero();
        assertThat(migrate(file("site", NGINX)).out()).contains("status: 204  # site:2");
        assertThat(migrate(file("proxy", "http_port 3128\nhttp_access deny all\n"))
                        .out())
                .contains("deny: on");
        assertThat(migrate(
                                file(
                                        "o",
                                        "<Object name=\"default\">\nPathCheck fn=\"deny-service\"\nService fn=\"proxy-retrieve\"\n</Object>\n"))
                        .out())
                .contains("deny: on");
        Result unknown = migrate(file("x", "hello\n"));
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("give --from with obj.conf, nginx, squid");
        assertThat(migrate(file("squid.conf", NGINX), "--from", "nginx").code()).isZero();
        assertThat(migrate(file("squid.conf", NGINX), "--from", "apache").err())
                .contains("expected obj.conf, nginx, squid");
    }

    @Test
    void whatWasNotTranslatedIsInBothOutputsWithCode3() throws Exception {
        Result r = migrate(file("nginx.conf", NGINX.replace("204;", "204; gzip on;")));

        assertThat(r.code()).isEqualTo(3);
        assertThat(r.err()).contains("not translated: nginx.conf:2: gzip on: ");
        assertThat(r.out()).contains("#   nginx.conf:2: gzip on: ");
    }

    @Test
    void aPartOfServerXmlThatWasNotTranslatedIsCode3() throws Exception {
        String objects = file("obj.conf", """
                <Object name="default">
                NameTrans fn="map" from="/" to="http://127.0.0.1:1/"
                Service fn="proxy-retrieve" method="(GET|HEAD)"
                </Object>
                <Object ppath="connect://.*">
                Service fn="deny-service"
                </Object>
                """);
        String xml = "<SERVER><CACHE><PARTITION partitionname=\"p\" partitiondir=\"" + dir.resolve("p") + "\"/>%s"
                + "</CACHE></SERVER>\n";
        file("server.xml", xml.formatted("<GC/>"));
        assertThat(migrate(objects).code()).isZero();

        for (String left : new String[] {
            "<GC gcleavefsfull=\"60\"/>", "<PARTITION partitionname=\"old\" partitiondir=\"/old\" enabled=\"false\"/>"
        }) {
            file("server.xml", xml.formatted(left));
            Result r = migrate(objects);
            assertThat(r.code()).as(r.err()).isEqualTo(3);
            assertThat(r.err()).containsPattern("not translated: server.xml:1: (GC|PARTITION).* is not translated");
        }
    }

    @Test
    void wrongFileIsReportedAndNothingIsPrinted() throws Exception {
        Result r = migrate(file("nginx.conf", "http { server { listen 8080 } }\n}\n"));

        assertThat(r.code()).isEqualTo(1);
        assertThat(r.out()).isEmpty();
        assertThat(r.err())
                .contains("nginx.conf:1:29: expected \";\" after \"8080\", found \"}\"")
                .contains("nginx.conf:2:1: ")
                .contains("2 problems");
        assertThat(migrate(dir.resolve("gone").toString()).err()).contains("gone cannot be read");
        assertThat(migrate(dir.toString()).code()).isEqualTo(1);
    }
}
