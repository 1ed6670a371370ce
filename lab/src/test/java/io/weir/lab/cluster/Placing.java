package io.weir.lab.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.lab.cluster.service.Placed;
import io.weir.lab.cluster.service.PlacedByName;
import io.weir.lab.cluster.service.PlacedFromArchive;
import io.weir.lab.process.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Singletons that write diaries, of given shapes in turn: as a section of members' files, and as the archive with which each fourth
 * of them comes, but for WebLogic-shaped ones. Immutable.
 */
final class Placing {
    /** All shapes that there are. */
    static final List<String> EVERY = List.of("plain", "exposed", "weblogic", "hanging", "throwing", "slow");

    private static final String DEPLOYMENT = "placed";

    private final List<String> names = new ArrayList<>();
    private final List<String> deployed = new ArrayList<>();
    private final StringBuilder section = new StringBuilder();

    Placing(int services, List<String> shapes) {
        for (int i = 0; i < services; i++) {
            String shape = shapes.get(i % shapes.size());
            String name = shape + "-" + i;
            names.add(name);
            boolean archived = i % 4 == 0 && !shape.equals("weblogic");
            if (archived) {
                deployed.add(name);
            }
            Class<?> type = shape.equals("weblogic") ? PlacedByName.class : Placed.class;
            section.append("  ").append(name).append(": {");
            section.append(archived ? "" : "class-name: " + type.getName() + ", ");
            section.append(shape.equals("exposed") ? "exposed-as: placed/" + name + ", " : "");
            section.append(i % 3 == 0 ? "preferred-server: " + Fleet.NAMES.get(i % 9 / 3) + ", " : "");
            section.append("additional-migration-attempts: 10000, sleep-between-attempts: 1s, properties: {service: ")
                    .append(name)
                    .append(", shape: ")
                    .append(shape)
                    .append("}}\n");
        }
    }

    /** Entries of the section {@code singletons}. */
    String entries() {
        return section.toString();
    }

    List<String> names() {
        return List.copyOf(names);
    }

    /** Deploys the archive, which each version has other bytes of, as soon as the cluster takes it. */
    void deploy(Fleet fleet, String verb, Path folder, int version) throws Exception {
        String path = path(verb, folder, version);
        String by = fleet.names().get(version % fleet.names().size());
        String[] answer = {""};
        Await.until(verb, () -> answer[0] + "\n" + fleet.logs(), () -> {
            try {
                fleet.post(by, path);
                return true;
            } catch (AssertionError e) {
                answer[0] = e.toString();
                return false;
            }
        });
    }

    private String path(String verb, Path folder, int version) throws IOException {
        Path jar = Files.createDirectories(folder.resolve("archives")).resolve(DEPLOYMENT + version + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/weblogic-application.xml"));
            out.write(descriptor().getBytes(UTF_8));
            out.putNextEntry(new JarEntry("version.txt"));
            out.write(String.valueOf(version).getBytes(UTF_8));
            String type = PlacedFromArchive.class.getName().replace('.', '/') + ".class";
            out.putNextEntry(new JarEntry(type));
            try (InputStream in = Objects.requireNonNull(
                    PlacedFromArchive.class.getClassLoader().getResourceAsStream(type))) {
                in.transferTo(out);
            }
        }
        return "/cluster/" + verb + "?name=" + DEPLOYMENT + "&file=" + URLEncoder.encode(jar.toString(), UTF_8);
    }

    private String descriptor() {
        StringBuilder xml = new StringBuilder("<weblogic-application>\n");
        deployed.forEach(name -> xml.append("<singleton-service><class-name>")
                .append(PlacedFromArchive.class.getName())
                .append("</class-name><name>")
                .append(name)
                .append("</name></singleton-service>\n"));
        return xml.append("</weblogic-application>\n").toString();
    }
}
