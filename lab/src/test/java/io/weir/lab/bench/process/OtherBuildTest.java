package io.weir.lab.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --against}: which server another build's folder has, and how it is started. */
final class OtherBuildTest {
    private final WeirServer.Build own =
            new WeirServer.Build("/own/weir-server-2.jar", List.of("-Xmx512m", "-Dweir.home=/own", "-XX:AOTCache=/a"));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"server/target/dist/lib", "lib"})
    void isACheckoutOrADistribution(String lib) throws Exception {
        Path jar = jar(lib, "weir-server-1.jar");
        jar(lib, "weir-base-1.jar");
        WeirServer.Build other = own.of(folder);
        assertThat(other.jar()).isEqualTo(jar.toString());
        assertThat(other.version()).isEqualTo("1");
        assertThat(other.options()).startsWith("-Xmx512m").endsWith("-Dweir.home=" + folder);
    }

    @Test
    void neitherHasAStartUpCacheThatTheOtherLacks() {
        assertThat(own.withoutCache().options()).containsExactly("-Xmx512m", "-Dweir.home=/own");
    }

    @Test
    void aFolderWithoutAServerIsNamed() {
        assertThatThrownBy(() -> own.of(folder))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("no weir-server-*.jar in " + folder)
                .hasMessageContaining("build it there");
    }

    @Test
    void twoServersAreAmbiguous() throws Exception {
        jar("lib", "weir-server-1.jar");
        jar("lib", "weir-server-2.jar");
        assertThatThrownBy(() -> own.of(folder)).hasMessageContaining("more than one server");
    }

    private Path jar(String lib, String name) throws IOException {
        return Files.createFile(Files.createDirectories(folder.resolve(lib)).resolve(name));
    }
}
