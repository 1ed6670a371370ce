package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What the poms promise: pinned Netty with its native libraries for both processors, and versions in one place. */
class PomTest {
    private static final Path PARENT = House.root().resolve("pom.xml");

    static Document read(Path pom) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("cannot read " + pom, e);
        }
    }

    static List<Element> all(Document pom, String tag) {
        List<Element> found = new ArrayList<>();
        NodeList list = pom.getElementsByTagName(tag);
        for (int i = 0; i < list.getLength(); i++) {
            found.add((Element) list.item(i));
        }
        return found;
    }

    /** Text of a direct child; empty when there is none. */
    private static String child(Element element, String tag) {
        for (Node at = element.getFirstChild(); at != null; at = at.getNextSibling()) {
            if (at.getNodeName().equals(tag)) {
                return at.getTextContent().strip();
            }
        }
        return "";
    }

    /** Those of this build: a sample may be an application of its own. */
    private static List<Path> rooms() {
        List<Path> modules = all(read(PARENT), "module").stream()
                .map(m -> House.root().resolve(m.getTextContent().strip()).resolve("pom.xml"))
                .toList();
        return House.walk(modules::contains);
    }

    @Test
    void nettyIsPinnedToTheVersionWhoseNativeLibrariesExist() {
        Document parent = read(PARENT);
        assertThat(all(parent, "netty.version").getFirst().getTextContent()).isEqualTo("4.2.18.Final");
        assertThat(all(parent, "netty.tcnative.version").getFirst().getTextContent())
                .isEqualTo("2.0.84.Final");
        assertThat(all(parent, "dependency"))
                .anySatisfy(d ->
                        assertThat(child(d, "artifactId") + child(d, "scope")).isEqualTo("netty-bomimport"));
    }

    @Test
    void nativeLibrariesOfBothProcessorsAreDeclared() {
        List<String> declared = all(read(House.root().resolve("kernel/pom.xml")), "dependency").stream()
                .map(d -> child(d, "artifactId") + ":" + child(d, "classifier"))
                .toList();
        assertThat(declared)
                .contains(
                        "netty-transport-native-epoll:linux-x86_64",
                        "netty-transport-native-epoll:linux-aarch_64",
                        "netty-transport-native-io_uring:linux-x86_64",
                        "netty-transport-native-io_uring:linux-aarch_64",
                        "netty-tcnative-boringssl-static:linux-x86_64",
                        "netty-tcnative-boringssl-static:linux-aarch_64");
    }

    @Test
    void versionsStandInTheParentOnly() {
        List<String> own = new ArrayList<>();
        for (Path pom : rooms()) {
            Document room = read(pom);
            for (String tag : List.of("dependency", "plugin")) {
                all(room, tag).stream()
                        .filter(e -> !child(e, "version").isEmpty())
                        .forEach(e -> own.add(House.name(pom) + ": " + child(e, "artifactId")));
            }
        }
        assertThat(own).as("versions outside the parent pom").isEmpty();
    }

    @Test
    void warningsAreErrorsInEveryProfile() {
        List<String> arguments = all(read(PARENT), "arg").stream()
                .map(e -> e.getTextContent().strip())
                .toList();
        assertThat(arguments.stream().filter("-Werror"::equals)).hasSize(2);
    }

    /** ./weir builds the lab without tests; a room whose tests another needs would have no jar of them. */
    @Test
    void jarsOfTestsAreMadeWhereTestsAreSkippedToo() {
        List<Element> executions = rooms().stream()
                .flatMap(room -> all(read(room), "execution").stream())
                .filter(e -> e.getTextContent().contains("test-jar"))
                .toList();
        assertThat(executions).isNotEmpty().allSatisfy(e -> {
            NodeList skip = e.getElementsByTagName("skip");
            assertThat(skip.getLength()).isEqualTo(1);
            assertThat(skip.item(0).getTextContent()).isEqualTo("false");
        });
    }
}
