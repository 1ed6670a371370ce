package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Members that cannot reach each other, in network namespaces of their own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void whoIsCutOffLetsGoAndTheMajorityGoesOn() throws Exception {
        partitions("usual");
    }

    /** One that hears the others and is not heard, too. */
    @Test
    @Tag("nightly")
    void whoIsNotHeardLetsGoAndTheMajorityGoesOn() throws Exception {
        partitions("all");
    }

    private void partitions(String which) throws Exception {
        try (Namespaces network = network()) {
            Path output = folder.resolve("run.out");
            Process run = new ProcessBuilder(command(network, which))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = run.waitFor(150, TimeUnit.SECONDS);
            run.destroyForcibly();
            List<String> said = Files.readString(output).lines().toList();
            assertThat(ended && run.exitValue() == 0)
                    .as(String.join("\n", said))
                    .isTrue();
            said.stream().filter(l -> l.startsWith("partition: ")).forEach(System.out::println);
        }
    }

    /** Not every machine lets us make networks, continuous integration's neither: there the test is skipped and says so. */
    private static Namespaces network() throws InterruptedException {
        try {
            return Namespaces.make();
        } catch (IOException e) {
            String missing =
                    "partitions are not tested: this machine does not let us make network namespaces with bridges;"
                            + " needs root, unshare, nsenter and ip (" + e.getMessage() + ")";
            System.out.println(missing);
            throw new TestAbortedException(missing, e);
        }
    }

    private List<String> command(Namespaces network, String which) {
        List<String> command = new ArrayList<>(Namespaces.inside(network.hubPid()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                PartitionRun.class.getName(),
                folder.toString(),
                which));
        Fleet.NAMES.forEach(n -> command.add(network.pid(n)));
        return command;
    }
}
