package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.config.DiskGcConfig;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The disk cache of {@code server.xml}, translated. */
final class DiskMigrationTest extends MigrateFixture {
    @Test
    void partitionsAndGarbageCollectionBecomeTheDiskTier() throws Exception {
        Files.writeString(dir.resolve("server.xml"), """
                <?xml version="1.0"?>
                <SERVER><LS id="ls1" port="8081" ip="127.0.0.1" security="off"/>
                <PROPERTY name="disks" value="%s"/>
                <CACHE enabled="true" cachecapacity="2000" cachedir="/var/cache">
                <PARTITION partitionname="part1" partitiondir="$disks/one" maxsize="1600" minspace="7"/>
                <PARTITION partitionname="part2" partitiondir="$disks/two" maxsize="2"/>
                <PARTITION partitionname="part3" partitiondir="$disks/three" enabled="false"/>
                <GC gchimargin="90" gclomargin="60" gcleavefsfull="60" gcextramargin="25"/></CACHE></SERVER>
                """.formatted(dir));
        Migration made = migrate(Language.OBJ_CONF, "obj.conf", """
                <Object name="default">
                Service fn="proxy-retrieve" method="*"
                </Object>
                """);
        DiskConfig disk = load(made).value().cache().disk();

        assertThat(disk.partitions().keySet()).containsExactly("part1", "part2");
        assertThat(named(disk.partitions(), "part1").path()).isEqualTo(dir + "/one");
        assertThat(named(disk.partitions(), "part1").size()).hasToString("1600MiB");
        assertThat(named(disk.partitions(), "part2").size()).hasToString("8MiB");
        assertThat(disk.minSpace()).hasToString("7MiB");
        assertThat(disk.gc().mode()).isEqualTo(DiskGcConfig.Mode.AUTOMATIC);
        assertThat(disk.gc().highMargin()).isEqualTo(90);
        assertThat(disk.gc().lowMargin()).isEqualTo(60);
        assertThat(disk.gc().extraMargin()).isEqualTo(25);
        assertThat(disk.gc().fileSystemFull())
                .as("it means something else there")
                .isEqualTo(100);
        assertThat(made.notes())
                .anyMatch(n -> n.contains("PARTITION maxsize") && n.contains("8 MiB"))
                .anyMatch(n -> n.contains("gcleavefsfull is not translated"))
                .noneMatch(n -> n.contains("PARTITION has no effect") || n.contains("CACHE is in memory"));
    }
}
