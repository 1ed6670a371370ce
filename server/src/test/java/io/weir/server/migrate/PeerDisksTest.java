package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.config.DiskGcConfig;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The disks of Squid's and nginx's caches, translated. */
final class PeerDisksTest extends MigrateFixture {
    private Migration squid(String text) throws IOException {
        return migrate(Language.SQUID, "squid.conf", text.replace("FOLDER", dir.toString()) + "\nhttp_port 3128\n");
    }

    private Migration nginx(String paths) throws IOException {
        return migrate(
                Language.NGINX,
                "nginx.conf",
                "events {}\nhttp {\n" + paths.replace("FOLDER", dir.toString())
                        + "\nserver { listen 8080; location / { proxy_pass http://127.0.0.1:1; proxy_cache one; } } }\n");
    }

    private CacheConfig cache(Migration made) throws IOException {
        return load(made).value().cache();
    }

    @Test
    void aFolderOfSquidBecomesTheDiskTier() throws Exception {
        Migration made = squid("""
                cache_dir aufs FOLDER/squid 100000 16 256
                maximum_object_size 4 GB
                maximum_object_size_in_memory 2 MB
                cache_mem 512 MB
                cache_swap_low 80
                cache_swap_high 85
                quick_abort_pct 60
                """);
        CacheConfig cache = cache(made);

        assertThat(cache.disk().path()).isEqualTo(dir + "/squid/weir");
        assertThat(cache.disk().size()).hasToString("100000MiB");
        assertThat(cache.disk().maxObjectSize()).hasToString("4GiB");
        assertThat(cache.maxObjectSize()).hasToString("2MiB");
        assertThat(cache.memoryBudget()).hasToString("512MiB");
        assertThat(cache.disk().gc().mode()).isEqualTo(DiskGcConfig.Mode.AUTOMATIC);
        assertThat(cache.disk().gc().lowMargin()).isEqualTo(80);
        assertThat(cache.disk().gc().highMargin()).isEqualTo(85);
        assertThat(cache.termPercent()).isEqualTo(60);
        assertThat(made.text()).contains("size: 100000MiB  # squid.conf:1");
        assertThat(made.notes())
                .anyMatch(n -> n.startsWith("squid.conf:1: cache_dir " + dir + "/squid: its files are not read"))
                .anyMatch(n -> n.startsWith("squid.conf:7: quick_abort_pct: "))
                .noneMatch(n -> n.contains("in memory"));
        assertThat(made.left()).isEmpty();
    }

    @Test
    void severalFoldersBecomePartitions() throws Exception {
        Migration made = squid("""
                cache_dir ufs FOLDER/one 1000 16 256 min-size=10 max-size=32768
                cache_dir rock FOLDER/two 2 max-size=16384
                cache_dir diskd FOLDER/one 100 16 256
                cache_dir ufs FOLDER/three 100 16 256 no-store
                cache_dir aufs FOLDER/${process_number} 100 16 256
                cache_dir coss FOLDER/file 100
                """);
        DiskConfig disk = cache(made).disk();

        assertThat(disk.path()).isNull();
        assertThat(disk.partitions().keySet()).containsExactly("part1", "part2");
        assertThat(named(disk.partitions(), "part1").path()).isEqualTo(dir + "/one/weir");
        assertThat(named(disk.partitions(), "part2").size()).hasToString("8MiB");
        assertThat(made.notes()).anyMatch(n -> n.startsWith("squid.conf:2: ") && n.contains("has 8MiB to 900GiB"));
        assertThat(made.left())
                .anyMatch(l -> l.contains("one min-size=10: a partition has no limits"))
                .anyMatch(l -> l.contains("one max-size=32768: "))
                .anyMatch(l -> l.contains("two max-size=16384: "))
                .anyMatch(l -> l.startsWith("squid.conf:3: ") && l.contains("has a partition already"))
                .anyMatch(l -> l.startsWith("squid.conf:4: ") && l.contains("is written to"))
                .anyMatch(l -> l.startsWith("squid.conf:5: ") && l.contains("one name"))
                .anyMatch(l -> l.startsWith("squid.conf:6: ") && l.contains("only ufs, aufs, diskd and rock"));
    }

    /** Sizes of the source, and those of the translation: memory's, the disk's. */
    @ParameterizedTest
    @CsvSource({
        // maximum_object_size, maximum_object_size_in_memory, cache.max-object-size, cache.disk.max-object-size
        ",,4MiB,4MiB",
        "2 GB,,8MiB,2GiB",
        "2 MB,,2MiB,2MiB",
        "2 GB,64 KB,1MiB,2GiB",
        "2 MB,16 MB,2MiB,2MiB",
        "90 GB,4 GB,1GiB,49856MiB"
    })
    void largestBodies(String all, String memory, String inMemory, String onDisk) throws Exception {
        Migration made = squid("cache_dir ufs FOLDER/a 100000 16 256\n"
                + (all == null ? "" : "maximum_object_size " + all + "\n")
                + (memory == null ? "" : "maximum_object_size_in_memory " + memory + "\n"));

        assertThat(cache(made).maxObjectSize()).hasToString(inMemory);
        assertThat(cache(made).disk().maxObjectSize()).hasToString(onDisk);
        assertThat(made.notes().stream().anyMatch(n -> n.contains("half of its size")))
                .isEqualTo(onDisk.equals("49856MiB"));
        assertThat(made.notes().stream().anyMatch(n -> n.contains("reach the disk from memory")))
                .isEqualTo("64 KB".equals(memory));
    }

    @Test
    void withoutAFolderTheLimitsAreThoseOfMemory() throws Exception {
        Migration made = squid("maximum_object_size 100 MB\ncache_mem 1 GB\ncache_swap_low 80\n");

        assertThat(cache(made).maxObjectSize()).hasToString("100MiB");
        assertThat(cache(made).disk().named()).isEmpty();
        assertThat(made.notes()).anyMatch(n -> n.startsWith("squid.conf:3: cache_swap_low"));
        assertThat(cache(squid("maximum_object_size 100 MB\nmaximum_object_size_in_memory 1 MB\n"))
                        .maxObjectSize())
                .hasToString("1MiB");
        assertThat(cache(squid("cache_dir null /tmp\n")).disk().named()).isEmpty();
        assertThat(squid("cache_dir ufs FOLDER/a much 16 256\n").problems().toString())
                .contains("squid.conf:1:1: cache_dir: expected a type, a folder and a size in MB");
    }

    @ParameterizedTest
    @CsvSource({
        "quick_abort_min -1 KB,0,false",
        "quick_abort_min 0 KB;quick_abort_max 0 KB,100,false",
        "quick_abort_min 16 KB;quick_abort_pct 95,95,true",
        "quick_abort_max 16 KB,75,true",
    })
    void fetchesThatClientsLeave(String lines, int percent, boolean left) throws Exception {
        Migration made = squid(lines.replace(';', '\n'));

        assertThat(cache(made).termPercent()).isEqualTo(percent);
        assertThat(made.left().stream().anyMatch(l -> l.contains("not by what is left")))
                .isEqualTo(left);
    }

    /** As docs/migrate.md promises: with line and reason. */
    @Test
    void whatHasNoCounterpartIsListed() throws Exception {
        List<String> directives = List.of(
                "cache_replacement_policy heap LFUDA",
                "memory_replacement_policy lru",
                "range_offset_limit -1",
                "collapsed_forwarding on",
                "cache_log /var/log/squid/cache.log",
                "coredump_dir /var/spool/squid",
                "quick_abort_max 1 MB",
                "store_dir_select_algorithm least-load",
                "client_persistent_connections off",
                "ipcache_size 1024",
                "reload_into_ims on");
        Migration made = squid(String.join("\n", directives));
        List<String> listed = new java.util.ArrayList<>(made.notes());
        listed.addAll(made.left());

        for (int i = 0; i < directives.size(); i++) {
            String start = "squid.conf:" + (i + 1) + ": " + directives.get(i).replaceFirst(" .*", "");
            assertThat(listed).anyMatch(l -> l.startsWith(start) && l.length() > start.length() + 20);
        }
        assertThat(made.left())
                .anyMatch(l -> l.contains("range_offset_limit"))
                .noneMatch(l -> l.contains("coredump_dir"));
        assertThat(squid("cachemgr_passwd secret all").text()).doesNotContain("secret");
    }

    @Test
    void aFolderOfNginxBecomesTheDiskTier() throws Exception {
        Migration made =
                nginx("proxy_cache_path FOLDER/ng levels=1:2 keys_zone=one:10m max_size=20g inactive=60m min_free=1g;");
        CacheConfig cache = cache(made);

        assertThat(cache.disk().path()).isEqualTo(dir + "/ng-weir");
        assertThat(cache.disk().size()).hasToString("20GiB");
        assertThat(cache.disk().minSpace()).hasToString("1GiB");
        assertThat(cache.disk().maxObjectSize()).hasToString("10112MiB");
        assertThat(cache.memoryBudget()).hasToString("64MiB");
        assertThat(made.notes())
                .anyMatch(n -> n.startsWith("nginx.conf:3: proxy_cache_path " + dir + "/ng: its files are not read"))
                .anyMatch(n -> n.contains("inactive=60m: "))
                .noneMatch(n -> n.contains("is in memory"));
        assertThat(made.left()).isEmpty();
    }

    @Test
    void severalFoldersOfNginxBecomePartitions() throws Exception {
        Migration made = nginx("proxy_cache_path FOLDER/a keys_zone=one:10m;\n"
                + "proxy_cache_path FOLDER/b keys_zone=two:10m max_size=999999999999g;");
        DiskConfig disk = cache(made).disk();

        assertThat(named(disk.partitions(), "part1").size()).hasToString("10GiB");
        assertThat(named(disk.partitions(), "part2").size()).hasToString("900GiB");
        assertThat(named(disk.partitions(), "part2").path()).isEqualTo(dir + "/b-weir");
        assertThat(made.notes())
                .anyMatch(n -> n.contains("without max_size"))
                .anyMatch(n -> n.contains("all locations share all partitions"));
        assertThat(nginx("proxy_cache_path FOLDER/a keys_zone=one:10m max_size=much;")
                        .problems()
                        .toString())
                .contains("nginx.conf:3", "max_size: expected a size such as 10g");
        assertThat(nginx("").text()).doesNotContain("disk:");
    }
}
