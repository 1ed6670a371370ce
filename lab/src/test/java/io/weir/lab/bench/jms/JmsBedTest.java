package io.weir.lab.bench.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.house.House;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The load of the benchmark has the classes of the messaging client, whatever its jars are called. */
class JmsBedTest {
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");

    @Test
    void everyRoomOfTheClientIsOnTheLoadsClassPath() {
        for (String room : List.of("base", "wire", "jms", "lab")) {
            Matcher artifact =
                    ARTIFACT.matcher(House.text(House.root().resolve(room).resolve("pom.xml")));
            assertThat(artifact.find()).as(room).isTrue();
            assertThat(JmsBed.isClients("/lib/" + artifact.group(1) + "-0.2.0-SNAPSHOT.jar"))
                    .as(room)
                    .isTrue();
        }
        assertThat(JmsBed.isClients("/lib/weir-broker-0.2.0-SNAPSHOT.jar")).isFalse();
    }
}
