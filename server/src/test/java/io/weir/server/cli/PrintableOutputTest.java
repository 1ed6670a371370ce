package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.netty.util.internal.MacAddressUtil;
import io.weir.server.cli.text.PrintableOutput;
import jakarta.jms.TextMessage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What verbs print of texts that clients, or servers elsewhere, chose. */
final class PrintableOutputTest {
    /** Sets a terminal's title, then begins a line of its own. */
    private static final String EVIL = "a\\u001b]0;owned\\u0007\\nroot# \\u009b2J\\u202eb";

    private static final String BODY = "a\u001b[31m\r\n\u0000b\u0007\f\n";
    private static final String ESCAPED = "a\\u001b[31m\\r\n\\u0000b\\u0007\\u000c\n";

    @TempDir
    private Path dir = Path.of("");

    private record Printed(int code, String out, String err) {}

    private Printed verb(int status, String json, String... words) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", x -> {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            x.sendResponseHeaders(status, body.length);
            x.getResponseBody().write(body);
            x.close();
        });
        server.start();
        try {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            CommandLine line = Main.line(words).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
            String token = Files.writeString(dir.resolve("token"), "abc\n").toString();
            String[] all = java.util.Arrays.copyOf(words, words.length + 4);
            all[words.length] = "--admin";
            all[words.length + 1] = "127.0.0.1:" + server.getAddress().getPort();
            all[words.length + 2] = "--token-file";
            all[words.length + 3] = token;
            int code = line.execute(all);
            return new Printed(code, out.toString(), err.toString());
        } finally {
            server.stop(0);
        }
    }

    /** Line feeds end lines; nothing else of a terminal's language is in it. */
    private static void harmless(String text) {
        assertThat(text.chars().filter(c -> c != '\n' && (Character.isISOControl(c) || c == 0x202e)))
                .as(text)
                .isEmpty();
    }

    @Test
    void aSubscriptionsNameIsOneCellOfOneLine() throws Exception {
        Printed p = verb(
                200,
                "[{\"name\":\"topic/news#" + EVIL
                        + "\",\"messages\":{\"current\":0,\"pending\":0,\"high\":0,\"total\":0},"
                        + "\"consumers\":0,\"durable\":true,\"shared\":false,\"selector\":\"" + EVIL + "\"}]",
                "jms",
                "subscriptions");
        assertThat(p.code()).as(p.err()).isZero();
        harmless(p.out());
        assertThat(p.out().lines()).hasSize(2);
        assertThat(p.out()).contains("topic/news#a\\u001b]0;owned\\u0007\\nroot# \\u009b2J\\u202eb");
    }

    @Test
    void theClustersNamesAreCellsOfOneLine() throws Exception {
        Printed p = verb(200, "[{\"name\":\"" + EVIL + "\",\"owner\":\"" + EVIL + "\"}]", "cluster", "leases");
        assertThat(p.code()).as(p.err()).isZero();
        harmless(p.out());
        assertThat(p.out().lines()).hasSize(2);
        Printed explained = verb(200, "{\"lines\":[\"" + EVIL + "\"]}", "cluster", "explain", "a");
        harmless(explained.out());
        assertThat(explained.out().lines()).hasSize(1);
    }

    /** JSON's own escapes: what a program reads is the same value. */
    @Test
    void jsonForProgramsStaysTheSameJson() throws Exception {
        String json = "{\"state\":\"\u009b\u202e\"}";
        Printed p = verb(200, json, "cluster", "status", "--json");
        harmless(p.out());
        assertThat(JmsStatistics.object(p.out())).isEqualTo(Map.of("state", "\u009b\u202e"));
    }

    @Test
    void aRefusalInTheServersWordsIsHarmless() throws Exception {
        Printed p = verb(409, "{\"detail\":\"" + EVIL + "\"}", "cluster", "pause", "x");
        assertThat(p.code()).isEqualTo(1);
        harmless(p.err());
        assertThat(p.err()).contains("\\u001b]0;owned");
    }

    private static TextMessage message() {
        String evil = "a\u001b[31m\nJMSPriority: 9";
        return (TextMessage) Proxy.newProxyInstance(
                PrintableOutputTest.class.getClassLoader(),
                new Class<?>[] {TextMessage.class},
                (_, method, _) -> switch (method.getName()) {
                    case "getPropertyNames" -> Collections.enumeration(List.of(evil));
                    case "getText", "getJMSType", "getObjectProperty", "getJMSMessageID" -> evil;
                    case "getJMSTimestamp", "getJMSExpiration" -> 0L;
                    case "getJMSPriority", "getJMSDeliveryMode" -> 4;
                    case "getJMSRedelivered" -> false;
                    default -> null;
                });
    }

    @Test
    void aMessagesHeadersAreOneLineEachAndItsBodyIsItsSenders() throws Exception {
        String text = JmsText.of(message(), true);
        String headers = text.substring(0, text.indexOf("\n\n"));
        harmless(headers);
        assertThat(headers.lines().filter(l -> l.startsWith("JMSPriority:"))).containsExactly("JMSPriority: 4");
        assertThat(text).endsWith("\n\na\u001b[31m\nJMSPriority: 9\n");
    }

    @Test
    void aBodyReachesAPipeAsItIsAndATerminalEscaped() {
        assertThat(content("false", BODY)).isEqualTo(BODY);
        assertThat(content("true", BODY)).isEqualTo(ESCAPED);
    }

    private static String content(String terminal, String body) {
        String before = System.setProperty("weir.terminal", terminal);
        try {
            StringWriter out = new StringWriter();
            CommandLine line = new CommandLine(CommandSpec.create());
            line.setOut(new PrintableOutput(new PrintWriter(out)));
            PrintableOutput.printContent(line.getCommandSpec(), body);
            return out.toString();
        } finally {
            if (before == null) {
                System.clearProperty("weir.terminal");
            } else {
                System.setProperty("weir.terminal", before);
            }
        }
    }

    /** A verb that prints one body, below another as those of {@code weir jms} are. */
    @Command(name = "probe")
    private static final class Probe implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            PrintableOutput.printContent(spec, BODY);
            spec.commandLine().getOut().print(BODY);
            spec.commandLine().getOut().flush();
        }
    }

    /** Through all that stands between a verb and the file: each command of the chain has an output. */
    @Test
    void theBodiesOfVerbsAtAnyDepthReachAPipeAsTheyAreEachTime() {
        for (String words : List.of("probe", "jms probe")) {
            StringWriter out = new StringWriter();
            CommandLine line = Main.line("jms");
            line.addSubcommand(new Probe());
            Objects.requireNonNull(line.getSubcommands().get("jms")).addSubcommand(new Probe());
            line.setOut(new PrintWriter(out));
            assertThat(line.execute(words.split(" "))).isZero();
            assertThat(line.execute(words.split(" "))).as("once more").isZero();
            assertThat(out.toString()).as(words).isEqualTo((BODY + ESCAPED).repeat(2));
        }
    }

    /** For its names Netty would look for a hardware address, and warn of each verb where the machine has none. */
    @Test
    void noVerbLooksForAHardwareAddress() {
        String before = System.clearProperty(Main.MACHINE_ID);
        try {
            assertThat(Main.run("version", "--nothing")).isEqualTo(2);
            assertThat(MacAddressUtil.parseMAC(System.getProperty(Main.MACHINE_ID)))
                    .hasSize(6);
        } finally {
            if (before != null) {
                System.setProperty(Main.MACHINE_ID, before);
            } else {
                System.clearProperty(Main.MACHINE_ID);
            }
        }
    }

    /** A model of all verbs would be most of a verb's time. */
    @Test
    void onlyTheVerbThatIsCalledIsPrepared() {
        assertThat(Main.line("jms", "stats").getSubcommands().keySet()).containsExactly("jms");
        assertThat(Main.line("nope").getSubcommands()).hasSizeGreaterThan(15);
        assertThat(Main.line().getSubcommands()).hasSizeGreaterThan(15);
    }
}
