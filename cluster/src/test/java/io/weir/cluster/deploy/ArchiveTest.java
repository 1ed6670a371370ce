package io.weir.cluster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.cluster.kit.Jars;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
    private static final long MAX = 1 << 20;

    @TempDir
    Path folder;

    private ArchiveStore store;

    @BeforeEach
    void open() throws IOException {
        store = new ArchiveStore(folder.resolve("store"));
    }

    private Path jar(Map<String, byte[]> entries) throws IOException {
        return Jars.zip(folder.resolve("a.jar"), entries);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anArchiveTellsItsServices() throws Exception {
        Path jar = jar(Map.of(Jars.DESCRIPTOR, bytes(Jars.descriptor("p.C", "s")), "p/C.class", bytes("…")));
        Archive archive = Archive.read("app", jar, MAX);
        assertThat(archive.services())
                .containsExactly(SingletonSpec.of("s", "p.C").deployedBy("app"));
        assertThat(archive.size()).isEqualTo(Files.size(jar));
        assertThat(archive.sha256()).hasSize(64).isEqualTo(Archive.digest(jar));
    }

    @Test
    void attemptsOfTheDescriptorAreTheServices() throws Exception {
        String xml = Jars.descriptor("p.C", "s")
                .replace("</name>", "</name><additional-migration-attempts>7</additional-migration-attempts>");
        Path jar = jar(Map.of(Jars.DESCRIPTOR, bytes(xml), "p/C.class", bytes("…")));
        assertThat(Archive.read("app", jar, MAX).services())
                .containsExactly(
                        SingletonSpec.of("s", "p.C").deployedBy("app").attempting(7, SingletonSpec.PAUSE_MILLIS));
    }

    @Test
    void brokenArchivesAreRefusedWithTheReason() throws Exception {
        Path noJar = Files.writeString(folder.resolve("no.jar"), "this is no zip");
        assertThatThrownBy(() -> Archive.read("app", noJar, MAX)).hasMessageContaining("app is not a jar");
        Path bare = jar(Map.of("p/C.class", bytes("…")));
        assertThatThrownBy(() -> Archive.read("app", bare, MAX)).hasMessageContaining("has no " + Jars.DESCRIPTOR);
        Path lacking = jar(Map.of(Jars.DESCRIPTOR, bytes(Jars.descriptor("p.C", "s"))));
        assertThatThrownBy(() -> Archive.read("app", lacking, MAX)).hasMessageContaining("has no p/C.class");
        assertThatThrownBy(() -> Archive.read("../app", lacking, MAX)).hasMessageContaining("name");
    }

    @Test
    void oneByteMoreThanTheLimitIsRefused() throws Exception {
        Path jar = jar(Map.of(Jars.DESCRIPTOR, bytes(Jars.descriptor("p.C", "s")), "p/C.class", bytes("…")));
        long size = Files.size(jar);
        assertThat(Archive.read("app", jar, size).size()).isEqualTo(size);
        assertThatThrownBy(() -> Archive.read("app", jar, size - 1)).hasMessageContaining("max-size");
    }

    @Test
    void contentsAreKeptByTheirDigestAndOnlyWhole() throws Exception {
        String sha = Archive.digest(Files.writeString(folder.resolve("x"), "hello"));
        store.put(sha, out -> out.write(bytes("hello")));
        assertThat(store.has(sha)).isTrue();
        String other = sha.replace(sha.charAt(0), sha.charAt(0) == '0' ? '1' : '0');
        assertThatThrownBy(() -> store.put(other, out -> out.write(bytes("hell"))))
                .isInstanceOf(DeployFault.class)
                .hasMessageContaining("not " + other);
        assertThat(store.has(other)).isFalse();
        assertThatThrownBy(() -> store.path("../x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void partsOfContentsAreReadAndWhatIsNotWantedAnyMoreGoes() throws Exception {
        String sha = Archive.digest(Files.writeString(folder.resolve("x"), "hello"));
        store.put(sha, out -> out.write(bytes("hello")));
        ByteBuffer part = ByteBuffer.allocate(3);
        assertThat(store.read(sha, 2, part)).isTrue();
        assertThat(part.array()).isEqualTo(bytes("llo"));
        store.keepOnly(Set.of(sha));
        assertThat(store.has(sha)).isTrue();
        store.keepOnly(Set.of());
        assertThat(store.read(sha, 0, part)).isFalse();
    }

    @Test
    void whatAnEarlierProcessLeftHalfWrittenIsRemoved() throws Exception {
        Path half = Files.createTempFile(folder.resolve("store"), "in", ".part");
        new ArchiveStore(folder.resolve("store"));
        assertThat(half).doesNotExist();
    }
}
