package io.weir.cluster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.kit.Jars;
import io.weir.cluster.kit.Names;
import io.weir.cluster.kit.SeedSources;
import io.weir.cluster.singleton.ServiceObject;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeedClassTest {
    @TempDir
    Path folder;

    @AfterEach
    void unbind() {
        Names.BOUND.clear();
    }

    @Test
    void theSeedsClassRunsWithOnlyItsImportChanged() throws Exception {
        Path classes = Jars.compile(folder, SeedSources.all());
        Files.writeString(classes.resolve("jndi.properties"), Names.PROPERTIES);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, SeedClassTest.class.getClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            ServiceObject made = ServiceObject.create(SeedSources.CLASS, Map.of(), loader);
            made.service().activate(new Fence(1, 1));
            Object bound = Names.BOUND.get(SeedSources.NAME);
            assertThat(bound)
                    .isSameAs(made.instance())
                    .isInstanceOf(Remote.class)
                    .isInstanceOf(Serializable.class);
            Class<?> type = Class.forName(SeedSources.INTERFACE, true, loader);
            int five = (int) type.getMethod("getMyValue").invoke(bound);
            type.getMethod("setMyValue", int.class).invoke(bound, five + 8);
            assertThat(type.getMethod("getMyValue").invoke(bound)).isEqualTo(13);
            made.service().deactivate();
            assertThat(Names.BOUND).isEmpty();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void theSeedsJarIsADeployment() throws Exception {
        Path jar =
                Jars.jar(folder, SeedSources.all(), Jars.descriptor(SeedSources.CLASS, "Appscoped_Singleton_Service"));
        Archive archive = Archive.read("my-singleton", jar, 1 << 20);
        assertThat(archive.services().get(0).name()).isEqualTo("Appscoped_Singleton_Service");
        assertThat(archive.services().get(0).className()).isEqualTo(SeedSources.CLASS);
    }
}
