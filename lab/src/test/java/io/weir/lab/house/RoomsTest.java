package io.weir.lab.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Who may depend on whom, as docs/ARCHITECTURE.md says, and that packages have no circles. */
@Tag("slow")
class RoomsTest {
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("base", Set.of()),
            Map.entry("kernel", Set.of("base")),
            Map.entry("http", Set.of("base")),
            Map.entry("proxy", Set.of("base", "kernel", "http")),
            Map.entry("journal", Set.of("base")),
            Map.entry("wire", Set.of("base")),
            Map.entry("jms", Set.of("base", "wire")),
            Map.entry("broker", Set.of("base", "kernel", "journal", "wire", "jms")),
            Map.entry("cluster", Set.of("base", "kernel", "journal", "wire")),
            Map.entry(
                    "server", Set.of("base", "kernel", "http", "proxy", "journal", "wire", "jms", "broker", "cluster")),
            Map.entry("lab", Set.of("base", "journal")));
    private static JavaClasses classes = new ClassFileImporter().importClasses();

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("io.weir");
    }

    @TestFactory
    List<DynamicTest> eachRoomUsesOnlyWhatItMay() {
        return MAY_USE.keySet().stream()
                .sorted()
                .map(room -> DynamicTest.dynamicTest(room, () -> {
                    Set<String> others = new TreeSet<>(MAY_USE.keySet());
                    others.remove(room);
                    others.removeAll(MAY_USE.getOrDefault(room, Set.of()));
                    String[] forbidden =
                            others.stream().map(o -> "io.weir." + o + "..").toArray(String[]::new);
                    noClasses()
                            .that()
                            .resideInAPackage("io.weir." + room + "..")
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(forbidden)
                            .allowEmptyShould(true)
                            .check(classes);
                }))
                .toList();
    }

    @Test
    void baseKnowsNoLibraryButHistograms() {
        noClasses()
                .that()
                .resideInAPackage("io.weir.base..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("io.weir.base..", "java..", "org.jspecify..", "org.HdrHistogram..")
                .check(classes);
    }

    @Test
    void httpDoesNoInputOrOutput() {
        noClasses()
                .that()
                .resideInAPackage("io.weir.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.channel..", "io.netty.handler..", "java.net..", "java.nio.channels..")
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void packagesHaveNoCircles() {
        slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(classes);
    }

    /** Each package is a slice of its own. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("io.weir.")
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
