package io.weir.server.migrate.sun;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.program.Explain;
import io.weir.proxy.program.Programs;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.WorkPools;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.config.WeirConfig;
import io.weir.server.migrate.Language;
import io.weir.server.migrate.Migration;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated programs of {@code obj.conf}, and their translations, compiled: both answer generated requests alike. Where the
 * program has conditions that no route can have, the translation may refuse what the program answers, and nothing else.
 */
final class ObjConfDifferentialTest {
    private static final int REQUESTS = 40;

    private static final List<String> WILDCARDS =
            List.of("/a/*", "/a", "/b/*", "*.gif", "/a/b*", "/*", "*", "/(a|b)/c", "/a/*~*.gif", "*/c", "/?/b", "/b");
    private static final List<String> REGEXES =
            List.of("^/a", "\\\\.gif$", "^/a/|^/b/", "/c", "^/[ab]/c", "^/a$", "^/a/b", "b$", "^/a.*gif");
    private static final List<String> PREFIXES = List.of("/a", "/b", "/a/b", "/", "/b/", "/c/d");
    private static final List<String> METHODS = List.of("GET", "(GET|HEAD)", "POST", "(GET|HEAD|POST)", "(PUT|DELETE)");
    private static final List<String> HOSTS =
            List.of("www.example.com", "*.example.com", "(www.example.com|shop.test)", "shop.test");
    private static final List<String> PATHS = List.of(
            "/",
            "/a",
            "/a/",
            "/a/b",
            "/a/bc",
            "/a/x.gif",
            "/b",
            "/b/",
            "/b/c",
            "/c",
            "/c/d",
            "/c/d/e.gif",
            "/x.gif",
            "/ab",
            "/a/b/c",
            "/b/b",
            "/gif");

    private static final String SERVER_XML = """
            <?xml version="1.0"?>
            <SERVER><LS id="http" port="8080" ip="127.0.0.1"/>
            <VSCLASS id="c"><VS id="one" connections="http" urlhosts="one.test"/>
            <VS id="two" connections="http" urlhosts="two.test"/></VSCLASS></SERVER>
            """;

    @TempDir
    Path dir = Path.of("");

    /** Writes a program. */
    private static final class Writer {
        private final RandomGenerator random;
        private final boolean unknown;
        private final boolean servers;
        private final StringBuilder text = new StringBuilder();
        private int answers;

        /** @param unknown there are conditions that no route can have */
        Writer(RandomGenerator random, boolean unknown) {
            this.random = random;
            this.unknown = unknown;
            servers = random.nextInt(4) == 0;
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private boolean sometimes(int of) {
            return random.nextInt(of) == 0;
        }

        String write() {
            text.append("<Object name=\"default\">\n");
            items(0, true, 1 + random.nextInt(6));
            if (!sometimes(6)) {
                service();
            }
            text.append("</Object>\n");
            for (String name : List.of("one", "two")) {
                text.append("<Object name=\"").append(name).append("\">\n");
                items(0, false, random.nextInt(4));
                text.append("</Object>\n");
            }
            for (String ppath : List.of(
                    "/a/*",
                    "*.gif",
                    "/b/c",
                    "http://www\\\\.example\\\\.com/.*",
                    "http://.*",
                    "connect://.*:443",
                    "connect://.*:563",
                    "connect://.*",
                    "connect://.*:(443|444)",
                    "connect://other\\\\.test:443")) {
                if (sometimes(8)) {
                    text.append("<Object ppath=\"").append(ppath).append("\">\n");
                    items(0, false, 1 + random.nextInt(2));
                    text.append("</Object>\n");
                }
            }
            if (sometimes(2)) {
                text.append("<Object ppath=\"connect://.*:443\">\n");
                text.append("Service fn=proxy-retrieve method=\"CONNECT\"\n</Object>\n");
            }
            return text.toString();
        }

        private void items(int depth, boolean start, int n) {
            for (int i = 0; i < n; i++) {
                switch (random.nextInt(depth < 3 ? 7 : 5)) {
                    case 5 -> branches(depth, start);
                    case 6 -> client(depth, start);
                    default -> directive(start);
                }
            }
        }

        private void branches(int depth, boolean start) {
            text.append("<If ").append(condition(2)).append(">\n");
            items(depth + 1, start, 1 + random.nextInt(2));
            text.append("</If>\n");
            while (sometimes(3)) {
                text.append("<ElseIf ").append(condition(1)).append(">\n");
                items(depth + 1, start, 1);
                text.append("</ElseIf>\n");
            }
            if (sometimes(2)) {
                text.append("<Else>\n");
                items(depth + 1, start, 1 + random.nextInt(2));
                text.append("</Else>\n");
            }
        }

        private void client(int depth, boolean start) {
            text.append("<Client match=").append(one(List.of("all", "any", "none")));
            text.append(" uri=\"").append(one(WILDCARDS)).append('"');
            if (sometimes(2)) {
                text.append(" method=\"").append(one(METHODS)).append('"');
            }
            if (sometimes(3)) {
                text.append(" urlhost=\"").append(one(HOSTS)).append('"');
            }
            text.append(">\n");
            // blocks of Client cannot stand in each other
            items(Math.max(3, depth + 1), start, 1 + random.nextInt(2));
            text.append("</Client>\n");
        }

        private String condition(int depth) {
            return switch (random.nextInt(depth > 0 ? 11 : 7)) {
                case 0, 1 -> "$uri = '" + one(WILDCARDS) + "'";
                case 2 -> "$uri =~ \"" + one(REGEXES) + "\"";
                case 3 -> "$uri eq \"" + one(List.of("/a", "/b/c", "/x.gif")) + "\"";
                case 4 -> sometimes(2) ? "$method eq 'GET'" : "$reqpb{'method'} = '" + one(METHODS) + "'";
                case 5 -> "$urlhost = '" + one(HOSTS) + "'";
                case 6 ->
                    unknown && sometimes(2)
                            ? one(List.of("$query", "$browser = '*x*'", "defined $cookie{'a'}", "$uri =~ '\\bx'"))
                            : servers ? "$id eq '" + one(List.of("one", "two")) + "'" : "$uri = '/a*'";
                case 7 -> "not (" + condition(depth - 1) + ")";
                case 8 -> "((" + condition(depth - 1) + ") xor (" + condition(depth - 1) + "))";
                case 9 -> "((" + condition(depth - 1) + ") and (" + condition(depth - 1) + "))";
                default -> "(" + condition(depth - 1) + " or " + condition(depth - 1) + ")";
            };
        }

        private void directive(boolean start) {
            switch (random.nextInt(10)) {
                case 0, 1 ->
                    text.append("NameTrans fn=assign-name from=\"")
                            .append(one(WILDCARDS))
                            .append("\" name=\"")
                            .append(one(List.of("one", "two")))
                            .append("\"\n");
                case 2, 3 -> {
                    if (start) {
                        text.append("NameTrans fn=map from=\"")
                                .append(one(PREFIXES))
                                .append("\" to=\"http://");
                        text.append(one(List.of("o1.test", "o2.test:81"))).append(one(List.of("/", "/a", "/m/n")));
                        text.append('"')
                                .append(sometimes(3) ? " name=\"one\"" : "")
                                .append('\n');
                    }
                }
                case 4 -> {
                    if (start) {
                        text.append("NameTrans fn=redirect from=\"")
                                .append(one(PREFIXES))
                                .append("\" ");
                        text.append(
                                one(List.of("url-prefix=\"http://r.test/new\"", "url=\"http://r.test/\" status=301")));
                        text.append('\n');
                    }
                }
                case 5, 6 -> text.append("PathCheck fn=deny-service\n");
                case 7 ->
                    text.append("Route fn=set-origin-server server=\"http://")
                            .append(one(List.of("p1.test", "p2.test:82")))
                            .append("\"\n");
                case 8 ->
                    text.append(one(List.of(
                            "ObjectType fn=cache-enable query-maxlen=10\n",
                            "ObjectType fn=cache-setting max-uncheck=60\n",
                            "AddLog fn=flex-log\n")));
                default -> service();
            }
        }

        private void service() {
            String method = sometimes(2) ? " method=\"" + one(METHODS) + "\"" : sometimes(2) ? " method=\"*\"" : "";
            text.append(one(List.of(
                            "Service fn=proxy-retrieve" + method,
                            "Service fn=proxy-retrieve" + method,
                            "Service fn=proxy-retrieve" + (sometimes(2) ? " allow=\"GET,HEAD\"" : ""),
                            "Service fn=send-answer body=\"" + answers++ + "\"" + method,
                            "Service fn=service-dump method=\"GET\"",
                            "Service fn=deny-service" + method,
                            "Service fn=proxy-retrieve block=\"CONNECT\"" + method,
                            "Service fn=deny-service method=\"CONNECT\"",
                            "Service fn=proxy-retrieve method=\"CONNECT\"")))
                    .append('\n');
        }
    }

    /** A port that the program would open a tunnel to, if the rules of destinations had it. */
    private static final String FORBIDDEN = "a port that is forbidden";

    private record Request(String method, String host, String path, boolean proxied) {}

    private Request request(RandomGenerator random) {
        if (random.nextInt(6) == 0) {
            String host = pick(random, List.of("www.example.com", "shop.test", "other.test", "one.test"));
            int port = pick(random, List.of(443, 443, 444, 563));
            return new Request("CONNECT", host + ":" + port, "", true);
        }
        return new Request(
                pick(random, List.of("GET", "GET", "HEAD", "POST", "PUT", "OPTIONS")),
                pick(
                        random,
                        List.of("www.example.com", "a.example.com", "shop.test", "other.test", "one.test", "two.test")),
                pick(random, PATHS),
                random.nextInt(5) == 0);
    }

    private static <T> T pick(RandomGenerator random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** What becomes of a request, as Explain tells it; refusals by their kind. */
    private static String outcome(Program program, Request r) {
        String said = Explain.explain(
                program,
                new Explain.Question(
                        r.method(),
                        (r.path().isEmpty() ? "" : "http://") + r.host() + r.path(),
                        InetAddress.getLoopbackAddress(),
                        "http",
                        "default",
                        r.proxied()));
        Matcher result = Pattern.compile("Result: (.*)").matcher(said);
        assertThat(result.find()).as(said).isTrue();
        String text = result.group(1);
        if (r.method().equals("CONNECT")) {
            return text.startsWith("tunnel to ") ? "tunnel" : text.contains("port-forbidden") ? FORBIDDEN : "refused";
        }
        Matcher status =
                Pattern.compile("(?:a fixed answer with status )?(40[0-9]).*").matcher(text);
        if (status.matches()) {
            // a method that nothing serves is 404 in the one language and 405 in the other
            return status.group(1).equals("403") ? "refused" : "unserved";
        }
        if (text.startsWith("a fixed answer")) {
            Matcher body = Pattern.compile("fn=send-answer .*body=\"(\\d+)\"").matcher(said);
            return text + (body.find() ? " " + body.group(1) : "");
        }
        return text.replaceFirst("fetched from (\\S+?)(:80)?, target", "fetched from $1, target");
    }

    private Program compiled(Path file) throws IOException {
        LoadedConfig loaded = new ConfigLoader(file, List.of(), dir).load();
        WeirConfig config = loaded.value();
        assertThat(loaded.problems()).as(Files.readString(file)).isEmpty();
        return Programs.compile(
                        config.proxy(),
                        config.virtualServers(),
                        WorkPools.NONE,
                        loaded.functions(),
                        Chance.seeded(1),
                        loaded.tree())
                .orThrow();
    }

    /** Compares one program with its translation; the number of requests that are not refused. */
    private int compare(long seed, boolean unknown) throws IOException {
        RandomGenerator random = Chance.seeded(seed).random();
        Writer writer = new Writer(random, unknown);
        String text = writer.write();
        Path objects = Files.writeString(dir.resolve("obj.conf"), text);
        if (writer.servers) {
            Files.writeString(dir.resolve("server.xml"), SERVER_XML);
        } else {
            Files.deleteIfExists(dir.resolve("server.xml"));
        }
        String listener = writer.servers ? "" : "listeners:\n  http: {port: 8080}\n";
        Program source = compiled(
                Files.writeString(dir.resolve("source.yaml"), listener + "proxy:\n  objects: " + objects + "\n"));
        Migration made = Migration.of(Language.OBJ_CONF, objects, text);
        assertThat(made.problems()).isEmpty();
        Program translated = compiled(Files.writeString(dir.resolve("weir.yaml"), made.text()));
        boolean exact = made.left().stream().allMatch(l -> l.contains("clients of the forward proxy"));
        int served = 0;
        for (int i = 0; i < REQUESTS; i++) {
            Request request = request(random);
            String expected = outcome(source, request).replace(FORBIDDEN, "tunnel");
            String found = outcome(translated, request).replace(FORBIDDEN, "refused");
            boolean told = made.text().contains("as no route forwards, none does")
                    || (!request.host().endsWith(":443") && made.text().contains("each port that no ppath names"));
            boolean ofServer = !request.proxied()
                    && made.notes().stream().anyMatch(n -> n.contains("applies to paths of this server, too"));
            boolean closed = (!exact || ofServer || (request.method().equals("CONNECT") && told))
                    && (found.equals("refused") || found.equals("unserved"));
            // where nothing answers, the status may be that of a refusal
            closed |= expected.equals("unserved") && found.equals("refused");
            tunnels += found.equals("tunnel") ? 1 : 0;
            if (!closed) {
                assertThat(found)
                        .as("seed %d: %s of%n%s%n%s", seed, request, text, made.text())
                        .isEqualTo(expected);
                served += expected.endsWith("ed") ? 0 : 1;
            }
        }
        exactly += exact ? 1 : 0;
        return served;
    }

    private int exactly;
    private int tunnels;

    private void compareAll(long from, int programs, boolean unknown) throws IOException {
        int served = 0;
        for (long seed : LongStream.range(from, from + programs).toArray()) {
            served += compare(seed, unknown);
        }
        assertThat(served).as("requests that are answered").isGreaterThan(programs);
        assertThat(exactly)
                .as("programs that are translated whole")
                .isGreaterThan(unknown ? programs / 5 : programs / 2);
        assertThat(tunnels).as("tunnels that are opened").isGreaterThan(programs / 20 - 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 2_000})
    void translationAnswersAsTheProgram(long seed) throws IOException {
        compareAll(seed, 15, false);
    }

    @Test
    void whatCannotBeSaidIsRefused() throws IOException {
        compareAll(10_000, 25, true);
    }

    @Test
    @Tag("nightly")
    void manyTranslationsAnswerAsTheirPrograms() throws IOException {
        compareAll(100_000, 3_000, false);
        exactly = 0;
        compareAll(200_000, 3_000, true);
    }
}
