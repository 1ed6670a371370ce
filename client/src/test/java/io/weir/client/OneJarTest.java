package io.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The client's jar: Java 17, no package that an application could have too, and all that it reaches is in it. */
class OneJarTest {
    private static final int JAVA_17 = 61;
    private static final String CLASS = ".class";
    private static final String OURS = "io/weir/";

    /** Loggers, TLS libraries and annotations that are used where an application has them, and histograms of the server. */
    private static final Set<String> OPTIONAL = Set.of(
            "org/HdrHistogram",
            "org/apache/log4j",
            "org/apache/logging/log4j",
            "org/bouncycastle",
            "org/conscrypt",
            "org/jetbrains/annotations",
            "org/jspecify",
            "org/slf4j",
            OURS + "shaded/netty/internal/tcnative");

    private static final Pattern TYPE = Pattern.compile("L([\\w$]+(?:/[\\w$]+)+);");

    private static final Map<String, byte[]> FILES = OneJar.files();
    private static final Map<String, ClassModel> CLASSES = FILES.entrySet().stream()
            .filter(f -> f.getKey().endsWith(CLASS))
            .collect(Collectors.toMap(
                    f -> f.getKey().substring(0, f.getKey().length() - CLASS.length()),
                    f -> ClassFile.of().parse(f.getValue())));

    private static boolean isShaded(String name) {
        return name.startsWith(OURS + "shaded/");
    }

    @Test
    void allClassesRunOnJava17() {
        Map<Integer, Long> ours = CLASSES.entrySet().stream()
                .filter(c -> !isShaded(c.getKey()))
                .collect(Collectors.groupingBy(c -> c.getValue().majorVersion(), Collectors.counting()));
        assertThat(ours).containsOnlyKeys(JAVA_17);
        assertThat(CLASSES.values())
                .allSatisfy(c -> assertThat(c.majorVersion()).isLessThanOrEqualTo(JAVA_17))
                .hasSizeGreaterThan(1000);
    }

    @Test
    void nothingInItCanBeInAnotherJarOfAnApplication() {
        assertThat(FILES.keySet().stream().filter(n -> !n.startsWith(OURS)))
                .as("no native libraries, services, versions for other releases, module-info, metadata of Netty's jars")
                .containsExactly("META-INF/LICENSE", "META-INF/MANIFEST.MF", "META-INF/NOTICE");
        assertThat(FILES.keySet().stream().filter(n -> n.startsWith(OURS) && !n.endsWith(CLASS)))
                .containsExactly("io/weir/jms/client/version");
    }

    @Test
    void itsNoticeNamesNetty() {
        assertThat(text("META-INF/NOTICE")).contains("Netty", "Red Hat", "JCTools");
    }

    @Test
    void itHasANameAsAModule() {
        assertThat(text("META-INF/MANIFEST.MF"))
                .contains("Automatic-Module-Name: io.weir.jms.client", "Implementation-Version: ");
    }

    private static String text(String file) {
        return new String(FILES.getOrDefault(file, new byte[0]), StandardCharsets.UTF_8);
    }

    /** Neither as a type nor as a text: a class found by its name would be the application's, a property, too. */
    @Test
    void noClassNamesNettysOwnPackages() {
        Pattern netty = Pattern.compile("(^|L)io/netty/|^io\\.netty\\.");
        Set<String> naming = new TreeSet<>();
        CLASSES.forEach((name, file) -> {
            for (PoolEntry entry : file.constantPool()) {
                if (entry instanceof Utf8Entry text
                        && netty.matcher(text.stringValue()).find()) {
                    naming.add(name + ": " + text.stringValue());
                }
            }
        });
        assertThat(naming).isEmpty();
    }

    @Test
    void loggersAreTheApplicationsOwn() {
        assertThat(named("io/weir/shaded/netty/util/internal/logging/Slf4JLogger"))
                .contains("org/slf4j/Logger");
    }

    @Test
    void whatItReachesIsInIt() {
        Map<String, String> missing = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>(
                CLASSES.keySet().stream().filter(c -> !isShaded(c)).toList());
        Set<String> reached = new TreeSet<>(open);
        while (!open.isEmpty()) {
            String from = open.pop();
            for (String to : named(from)) {
                if (CLASSES.containsKey(to)) {
                    if (reached.add(to)) {
                        open.push(to);
                    }
                } else if (OPTIONAL.stream().noneMatch(to::startsWith) && !isThere(to)) {
                    missing.put(to, from);
                }
            }
        }
        assertThat(missing)
                .as("classes that are left out, and a class that names each")
                .isEmpty();
        assertThat(reached).as("classes of Netty among them").anyMatch(OneJarTest::isShaded);
    }

    /** In the platform, or in the API. */
    private static boolean isThere(String type) {
        if (type.startsWith("jakarta/jms/")) {
            return true;
        }
        try {
            Class.forName(type.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Set<String> named(String type) {
        Set<String> names = new TreeSet<>();
        ClassModel file = CLASSES.get(type);
        for (PoolEntry entry : file == null ? List.<PoolEntry>of() : file.constantPool()) {
            if (entry instanceof ClassEntry c && !c.asInternalName().startsWith("[")) {
                names.add(c.asInternalName());
            } else if (entry instanceof Utf8Entry text) {
                Matcher types = TYPE.matcher(text.stringValue());
                while (types.find()) {
                    names.add(types.group(1));
                }
            }
        }
        return names;
    }
}
