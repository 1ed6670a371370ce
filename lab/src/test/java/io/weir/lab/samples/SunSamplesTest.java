package io.weir.lab.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.house.House;
import io.weir.lab.process.Shell;
import io.weir.lab.scenario.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code samples/obj-conf}: what {@code ./weir check} says of each as it stands. What each does is shown by the
 * scenario of its name ({@code scenarios/samples}), which starts it.
 */
@Tag("slow")
class SunSamplesTest {
    private static final Path ROOT = House.root();

    @TempDir
    Path folder = Path.of("");

    /** A request, and the directive that decides what becomes of it. */
    enum Sample {
        OFFICE_CACHE("http://www.example.com/games/go", "PathCheck fn=\"url-filter\"", true),
        STICKY_SESSIONS("http://shop.example.com/cart", "Route fn=\"set-origin-server\""),
        MAPPED_PATHS("http://www.example.com/~ann/", "NameTrans fn=\"regexp-map\""),
        CONTENT_FILTER("http://www.example.com/a.exe", "PathCheck fn=\"user-agent-check\"", true),
        THREAD_POOLS("http://www.example.com/reports/1", "Service fn=\"write-report\""),
        MONITORING("http://www.example.com/.perf", "Service fn=\"service-dump\""),
        VIRTUAL_HOSTS("http://example.com/a", "NameTrans fn=\"redirect\" from=\"/\""),
        USERS("http://wiki.example.com/wiki/a", "PathCheck fn=\"require-auth\" auth-type"),
        CACHE_TUNING("http://www.example.com/archive/1", "ObjectType fn=\"cache-setting\" max-uncheck=\"604800\""),
        TLS_AND_LOGS("http://bank.example.com/account/7", "NameTrans fn=\"redirect\" from=\"/account\"");

        private final String url;
        private final String directive;
        private final boolean proxied;

        Sample(String url, String directive) {
            this(url, directive, false);
        }

        Sample(String url, String directive, boolean proxied) {
            this.url = url;
            this.directive = directive;
            this.proxied = proxied;
        }

        String folder() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        String file(String name) {
            return "samples/obj-conf/" + folder() + "/" + name;
        }
    }

    @Test
    void eachHasATestAParagraphAndAScenarioThatStartsIt() throws IOException {
        String readme = Files.readString(ROOT.resolve("samples/obj-conf/README.md"));
        for (Sample sample : Sample.values()) {
            assertThat(Files.readString(ROOT.resolve("scenarios/samples/" + sample.folder() + ".scn")))
                    .contains("\nsample obj-conf/" + sample.folder());
            String paragraph = readme.substring(readme.indexOf("\n## " + sample.folder() + "\n") + 1)
                    .replaceFirst("(?s)\n## .*", "");
            assertThat(paragraph)
                    .startsWith("## " + sample.folder())
                    .contains("./weir run --config " + sample.file("weir.yaml"))
                    .contains("curl ");
        }
        try (Stream<Path> folders = Files.list(ROOT.resolve("samples/obj-conf"))) {
            assertThat(folders.filter(Files::isDirectory).map(f -> String.valueOf(f.getFileName())))
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(Sample.values()).map(Sample::folder).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachIsCorrectAndExplained(Sample sample) throws Exception {
        Path data = folder.resolve("data");
        List<String> words = new ArrayList<>(List.of(sample.file("weir.yaml")));
        words.addAll(made(sample));
        Shell shell = new Shell(folder, ROOT);
        String checked = shell.ok(data, "check", words.toArray(new String[0]));
        assertThat(checked).contains("the configuration is correct.");
        words.addAll(List.of("--explain", sample.url));
        if (sample.proxied) {
            words.add("--proxied");
        }
        assertThat(shell.ok(data, "check", words.toArray(new String[0])))
                .contains(sample.file("obj.conf") + ":" + line(sample) + ":");
    }

    /** What the README has a user make. */
    private List<String> made(Sample sample) {
        return switch (sample) {
            case THREAD_POOLS -> List.of("--set", "proxy.function-jars=[\"" + ReportsJar.write(folder) + "\"]");
            case TLS_AND_LOGS -> {
                Certificates certificates = Certificates.in(folder.resolve("tls"));
                String chain = certificates.variables().get("certificate");
                yield List.of(
                        "--set",
                        "listeners.ls2.tls.certificates=[{chain-file: \"" + chain + "\", key-file: \""
                                + certificates.variables().get("key") + "\"}]",
                        "--set",
                        "listeners.ls2.tls.client-trust=" + chain);
            }
            default -> List.of();
        };
    }

    private static int line(Sample sample) throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve(sample.file("obj.conf")));
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(sample.directive)) {
                return i + 1;
            }
        }
        throw new IllegalStateException(sample + " has no " + sample.directive);
    }
}
