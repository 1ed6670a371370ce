package io.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;

/** What an application gets with the starter: the client and what Spring Boot's own starters bring, as they were tested. */
class PublishedPomTest {
    @Test
    void itBringsTheClientAndWhatOtherStartersBring() throws Exception {
        String pom = Files.readString(Path.of("target/poms/weir-spring-boot-starter.pom"));
        assertThat(pom).doesNotContain("@", "${", "<parent>", "<scope>").contains("<name>", "Apache-2.0");
        assertThat(Pattern.compile("<dependency>.*<artifactId>(.*)</artifactId><version>(.*)</version>")
                        .matcher(pom)
                        .results()
                        .map(PublishedPomTest::artifact))
                .containsExactly(
                        "weir-jms-client",
                        "spring-boot-starter " + SpringBootVersion.getVersion(),
                        "spring-jms " + SpringVersion.getVersion());
    }

    private static String artifact(MatchResult m) {
        return m.group(1).startsWith("weir") ? m.group(1) : m.group(1) + " " + m.group(2);
    }
}
