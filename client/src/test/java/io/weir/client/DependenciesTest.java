package io.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * What an application gets on its class path with weir-jms-client: this jar and the API. A new dependency is a decision:
 * think of the applications before you add to the list.
 */
class DependenciesTest {
    private static final Path POM = Path.of("target/poms/weir-jms-client.pom");
    private static final Path BOM = Path.of("target/poms/weir-jms-client-bom.pom");

    private static Document read(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    }

    private static List<String> texts(Document pom, String tag) {
        NodeList found = pom.getElementsByTagName(tag);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent());
        }
        return texts;
    }

    @Test
    void theApiIsTheOnlyDependency() throws Exception {
        Document pom = read(POM);
        assertThat(texts(pom, "artifactId")).containsExactly("weir-jms-client", "jakarta.jms-api");
        assertThat(pom.getElementsByTagName("scope").getLength()).isZero();
    }

    @Test
    void thePomsNeedNoOtherPom() throws Exception {
        for (Path path : List.of(POM, BOM)) {
            Document pom = read(path);
            assertThat(pom.getElementsByTagName("parent").getLength()).isZero();
            assertThat(Files.readString(path))
                    .doesNotContain("@", "${")
                    .contains("<name>", "<description>", "Apache-2.0");
            assertThat(OneJar.path().getFileName())
                    .hasToString("weir-jms-client-" + texts(pom, "version").getFirst() + ".jar");
        }
    }

    @Test
    void theDocumentSaysSo() throws IOException {
        assertThat(Files.readString(Path.of("../docs/messaging.md")).replaceAll("\\s+", " "))
                .contains("Its only dependency is `jakarta.jms-api`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir://127.0.0.1:1", "weirs://127.0.0.1:1"})
    void theClientConnectsWithNothingElseOnTheClassPath(String url) throws Exception {
        URL[] both = {OneJar.path().toUri().toURL(), OneJar.api().toUri().toURL()};
        // not closed: the client's loops end after the test, and load classes for that
        URLClassLoader alone = new URLClassLoader(both, ClassLoader.getPlatformClassLoader());
        Class<?> factory = alone.loadClass("io.weir.jms.WeirConnectionFactory");
        Object made = factory.getConstructor(String.class).newInstance(url);
        assertThat(made).hasToString("WeirConnectionFactory " + url + " {}");
        assertThatThrownBy(() -> factory.getMethod("createConnection").invoke(made))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .isInstanceOf(alone.loadClass("jakarta.jms.JMSException"))
                .hasMessageContaining("no connection to");
    }
}
