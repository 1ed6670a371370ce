package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.config.DiskGcConfig;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The disk cache of {@code server.xml}, translated. */
final class DiskMigrationTest extends MigrateFixture {
    private static final String COLLECTS = "<COMMAND>/opt/proxy/bin/cachegc</COMMAND>";

    @Test
    void partitionsAndGarbageCollectionBecomeTheDiskTier() throws Exception {
        Migration made = beside("""
                <LS id="ls1" port="8081" ip="127.0.0.1" security="off"/>
                <PROPERTY name="disks" value="%s"/>
                <CACHE enabled="true" cachecapacity="2000" cachedir="/var/cache">
                <PARTITION partitionname="part1" partitiondir="$disks/one" maxsize="1600" minspace="7"/>
                <PARTITION partitionname="part2" partitiondir="$disks/two" maxsize="2"/>
                <PARTITION partitionname="part3" partitiondir="$disks/three" enabled="false"/>
                <GC gchimargin="90" gclomargin="60" gcleavefsfull="60" gcextramargin="25"/></CACHE>
                """.formatted(dir));
        DiskConfig disk = load(made).value().cache().disk();

        assertThat(disk.partitions().keySet()).containsExactly("part1", "part2");
        assertThat(named(disk.partitions(), "part1").path()).isEqualTo(dir + "/one/weir");
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
                .anyMatch(n -> n.contains("PARTITION part1: the files of " + dir + "/one are not read")
                        && n.contains("a new one, " + dir + "/one/weir"))
                .anyMatch(n -> n.contains("CACHE cachecapacity: the sizes of the partitions"))
                .anyMatch(n -> n.contains("CACHE cachedir: the folders of the partitions"))
                .noneMatch(n -> n.contains("not translated"))
                .noneMatch(n -> n.contains("PARTITION has no effect") || n.contains("CACHE is in memory"))
                .noneMatch(n -> n.contains("./weir migrate writes it"));
        assertThat(made.left())
                .as("exit code 3")
                .anyMatch(n -> n.contains("gcleavefsfull is not translated"))
                .anyMatch(n -> n.contains("PARTITION part3 is not translated: it is not enabled"));
    }

    @Test
    void anEventOfAnotherFormIsToldTheForm() throws Exception {
        for (String event : new String[] {
            "<EVENT time=\"03:00\" command=\"cachegc\"/>",
            "<EVENT><EVENTTIME><TIMEOFDAY>03:00</TIMEOFDAY></EVENTTIME><EVENTACTION>cachegc</EVENTACTION></EVENT>",
            "<EVENT><EVENTTIME>03:00</EVENTTIME><EVENTACTION><COMMAND>cachegc</COMMAND></EVENTACTION></EVENT>",
            "<EVENT><EVENTTIME><TIMEOFDAY>03:00</TIMEOFDAY></EVENTTIME><EVENTACTION command=\"cachegc\"/></EVENT>"
        }) {
            Migration made = scheduled("<GC/>", event + "\n");
            assertThat(load(made).value().cache().disk().gc().schedule()).isEmpty();
            assertThat(made.left())
                    .as(event)
                    .anyMatch(l -> l.startsWith("server.xml:3: EVENT")
                            && l.contains("expected <EVENTTIME><TIMEOFDAY>03:00</TIMEOFDAY></EVENTTIME>"
                                    + "<EVENTACTION><COMMAND>cachegc</COMMAND></EVENTACTION>"));
            assertThat(made.notes()).noneMatch(n -> n.contains("EVENT has no effect"));
        }
    }

    /** Translates a {@code server.xml} with these elements, beside an {@code obj.conf} that passes everything on. */
    private Migration beside(String elements) throws IOException {
        return beside(elements, "");
    }

    /** The same with settings for all requests. */
    private Migration beside(String elements, String settings) throws IOException {
        Files.writeString(dir.resolve("server.xml"), "<?xml version=\"1.0\"?>\n<SERVER>\n" + elements + "</SERVER>\n");
        return migrate(Language.OBJ_CONF, "obj.conf", """
                <Object name="default">
                %sService fn="proxy-retrieve" method="*"
                </Object>
                """.formatted(settings));
    }

    private Migration caching(long mib, String... functions) throws IOException {
        StringBuilder settings = new StringBuilder();
        for (String function : functions) {
            settings.append("ObjectType fn=").append(function).append('\n');
        }
        String partition = mib == 0 ? "" : "<PARTITION partitiondir=\"" + dir + "/one\" maxsize=\"" + mib + "\"/>";
        String ls = "<LS id=\"ls1\" port=\"8081\" ip=\"127.0.0.1\" security=\"off\"/>\n";
        return beside(ls + "<CACHE>" + partition + "</CACHE>\n", settings.toString());
    }

    @Test
    void theDiskKeepsWhatTheRoutesAllow() throws Exception {
        Migration made = caching(102_400, "cache-enable max-size=4194304 min-size=2");
        var config = load(made).value();

        assertThat(config.cache().disk().maxObjectSize()).hasToString("4GiB");
        var cache = config.proxy().routes().getFirst().cache();
        assertThat(cache.maxSize()).hasToString("4GiB");
        assertThat(cache.minSize()).hasToString("2KiB");
        assertThat(made.notes()).noneMatch(n -> n.contains("max-size") || n.contains("max-object-size"));
    }

    @Test
    void aPartitionThatIsTooSmallForThemIsTold() throws Exception {
        Migration made = caching(1600, "cache-enable max-size=4194304");
        assertThat(load(made).value().cache().disk().maxObjectSize()).hasToString("750MiB");
        assertThat(made.notes())
                .anyMatch(n -> n.startsWith("obj.conf:2: max-size is 4GiB; cache.disk.max-object-size is 750MiB"));

        Migration any = caching(1600, "cache-enable");
        assertThat(load(any).value().cache().disk().maxObjectSize()).hasToString("750MiB");
        assertThat(any.notes())
                .anyMatch(n -> n.contains("cache-enable without max-size stores bodies of any size;"
                        + " cache.disk.max-object-size is 750MiB"));
        Migration none = caching(1600, "cache-disable");
        assertThat(none.text()).doesNotContain("max-object-size");
    }

    @Test
    void withoutADiskANoteSaysWhatToAdd() throws Exception {
        Migration made = caching(0, "cache-enable max-size=4194304");
        assertThat(load(made).value().proxy().routes().getFirst().cache().maxSize())
                .hasToString("4GiB");
        assertThat(made.notes())
                .anyMatch(n -> n.startsWith("obj.conf:2: max-size: there is no disk tier")
                        && n.contains("Add cache.disk.path, and cache.disk.max-object-size: 4GiB"));
        assertThat(caching(0, "cache-enable max-size=8192").notes())
                .as("memory keeps these")
                .noneMatch(n -> n.contains("max-size"));
    }

    @Test
    void numbersThatAKnobDoesNotAllowBecomeTheNearest() throws Exception {
        Migration made = caching(
                0,
                "cache-enable query-maxlen=100000 max-size=99999999999",
                "cache-setting max-uncheck=99999999 cover-errors=1 term-percent=101",
                "http-client-config timeout=7200 connect-timeout=600 retries=1000");
        var route = load(made).value().proxy().routes().getFirst();

        assertThat(route.cache().queryMaxlen()).isEqualTo(65_536);
        assertThat(route.cache().maxSize()).hasToString("900GiB");
        assertThat(route.cache().maxUncheck()).hasDays(366);
        assertThat(route.cache().coverErrors()).hasSeconds(1);
        assertThat(route.cache().termPercent()).isEqualTo(100);
        assertThat(route.timeOuts().responseHeader()).hasHours(1);
        for (String written : new String[] {
            "query-maxlen=100000",
            "max-size=99999999999",
            "max-uncheck=99999999",
            "term-percent=101",
            "timeout=7200",
            "connect-timeout=600",
            "retries=1000"
        }) {
            assertThat(made.notes())
                    .anyMatch(n -> n.contains(": " + written + ": ") && n.contains(" at most ") && n.contains("used"));
        }
        assertThat(caching(0, "cache-enable max-size=much", "cache-setting max-uncheck=soon term-percent=-1")
                        .left())
                .anyMatch(l -> l.contains("max-size=much: expected a size"))
                .anyMatch(l -> l.contains("max-uncheck=soon: expected a duration"))
                .anyMatch(l -> l.contains("term-percent=-1: a whole number"));
    }

    @Test
    void aFetchThatIsFinishedWithoutClientsInTheSourceIsFinishedHere() throws Exception {
        Migration made = caching(0, "cache-enable", "cache-setting term-percent=0");

        assertThat(load(made).value().proxy().routes().getFirst().cache().termPercent())
                .isZero();
        assertThat(made.text()).contains("term-percent: 0  # obj.conf:3");
        assertThat(load(caching(0, "cache-enable"))
                        .value()
                        .proxy()
                        .routes()
                        .getFirst()
                        .cache()
                        .termPercent())
                .as("that of section cache")
                .isEqualTo(-1);
    }

    private Migration scheduled(String collection, String events) throws IOException {
        return beside("""
                %s<LS id="ls1" port="8081" ip="127.0.0.1" security="off"/>
                <CACHE><PARTITION partitiondir="%s/one"/>%s</CACHE>
                """.formatted(events, dir, collection));
    }

    private static String event(String attributes, String time, String command) {
        return """
                <EVENT %s>
                <EVENTTIME>%s</EVENTTIME>
                <EVENTACTION>%s</EVENTACTION>
                </EVENT>
                """.formatted(attributes, time, command);
    }

    @Test
    void eventsOfGarbageCollectionBecomeItsSchedule() throws Exception {
        Migration made = scheduled(
                "<GC enabled=\"false\" gclomargin=\"55\"/>",
                event("name=\"all\"", "<TIMEOFDAY>03:00 6:30</TIMEOFDAY>", COLLECTS)
                        + event(
                                "name=\"some\"",
                                "<TIMEOFDAY>04:30</TIMEOFDAY><DAYOFWEEK>Sat sun</DAYOFWEEK>",
                                "<COMMAND>\"C:\\proxy\\cachegc.exe\"</COMMAND>")
                        + event("name=\"again\"", "<TIMEOFDAY>03:00</TIMEOFDAY>", COLLECTS));
        DiskGcConfig gc = load(made).value().cache().disk().gc();

        assertThat(gc.schedule()).containsExactly("daily 03:00", "daily 06:30", "sat 04:30", "sun 04:30");
        assertThat(gc.mode()).isEqualTo(DiskGcConfig.Mode.SCHEDULED);
        assertThat(gc.lowMargin()).isEqualTo(55);
        assertThat(made.notes()).noneMatch(n -> n.contains("EVENT"));
    }

    @Test
    void aCollectionThatIsAutomaticAndScheduledIsScheduled() throws Exception {
        Migration made = scheduled("<GC/>", event("", "<TIMEOFDAY>03:00</TIMEOFDAY>", COLLECTS));

        assertThat(load(made).value().cache().disk().gc().mode()).isEqualTo(DiskGcConfig.Mode.SCHEDULED);
        assertThat(made.notes()).anyMatch(n -> n.contains("cache.disk.gc has one mode"));
    }

    @Test
    void whatAScheduleCannotSayIsTold() throws Exception {
        Migration made = scheduled(
                "<GC enabled=\"false\"/>",
                event("", "<TIMEOFDAY>25:00 4:05</TIMEOFDAY><DAYOFWEEK>Mon Funday</DAYOFWEEK>", COLLECTS)
                        + event("", "<TIMEOFDAY>02:00</TIMEOFDAY><DAYOFMONTH>1 15</DAYOFMONTH>", COLLECTS)
                        + event("", "<ONSTARTUP/>", "<COMMAND>cachegc -l 60</COMMAND>")
                        + event("enabled=\"false\"", "<TIMEOFDAY>01:00</TIMEOFDAY>", COLLECTS)
                        + event("", "<TIMEOFDAY>05:00</TIMEOFDAY>", "<ROTATELOGS/>")
                        + event("", "<TIMEOFDAY>05:00</TIMEOFDAY>", "<COMMAND>/bin/cachegc-report</COMMAND>"));

        assertThat(load(made).value().cache().disk().gc().schedule()).containsExactly("mon 04:05");
        assertThat(made.left())
                .anyMatch(n -> n.contains("TIMEOFDAY: expected hh:mm, found \"25:00\""))
                .anyMatch(n -> n.contains("DAYOFWEEK: expected Mon to Sun, found \"Funday\""))
                .anyMatch(n -> n.contains("DAYOFMONTH is not translated"))
                .anyMatch(n -> n.contains("ONSTARTUP is not translated"))
                .anyMatch(n -> n.contains("its options are not translated"))
                .anyMatch(n -> n.contains("not translated: it is not enabled"));
        assertThat(made.notes().stream().filter(n -> n.contains("EVENT has no effect")))
                .as("those that are no collections")
                .hasSize(2);
    }

    @Test
    void aScheduleHasAHundredTimesAtMost() throws Exception {
        StringBuilder times = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            times.append("%d:%02d ".formatted(i / 60, i % 60));
        }
        Migration made = scheduled("", event("", "<TIMEOFDAY>" + times + "</TIMEOFDAY>", COLLECTS));

        assertThat(load(made).value().cache().disk().gc().schedule()).hasSize(100);
        assertThat(made.left()).anyMatch(n -> n.contains("only 100 of its 120 times"));
    }

    @Test
    void withoutAPartitionThereIsNothingToCollect() throws Exception {
        Migration made = beside("""
                <LS id="ls1" port="8081" ip="127.0.0.1" security="off"/>
                <CACHE enabled="true" cachecapacity="500" cachedir="/var/cache"><GC/></CACHE>
                """ + event("", "<TIMEOFDAY>03:00</TIMEOFDAY>", COLLECTS));

        assertThat(load(made).value().cache().disk().gc().schedule()).isEmpty();
        assertThat(made.text()).doesNotContain("disk:");
        assertThat(made.notes()).anyMatch(n -> n.contains("CACHE has no PARTITION"));
        assertThat(made.left()).anyMatch(n -> n.contains("EVENT cachegc: not translated: no PARTITION is"));
    }

    @Test
    void aFileOfTypesThatIsNotThereIsLeftOut() throws Exception {
        Files.writeString(dir.resolve("there.types"), "type=text/x-there exts=there\n");
        Migration made = beside("""
                <LS id="ls1" port="8081" ip="127.0.0.1" security="off"/>
                <MIME id="one" file="there.types"/><MIME id="two" file="away.types"/>
                <WEBAPP uri="/app"/>
                """);

        assertThat(load(made).problems()).isEmpty();
        assertThat(made.text()).contains("there.types").doesNotContain("mime-types: [" + dir + "/away.types");
        assertThat(made.left())
                .anyMatch(l -> l.contains("server.xml:4: MIME file: ") && l.contains("away.types cannot be read"))
                .anyMatch(l -> l.endsWith("server.xml:5: WEBAPP is not supported: web applications are not served"));
    }

    @Test
    void aFileThatIsReadBesideObjConfIsNoneOfItsOwn() throws Exception {
        assertThat(Language.belongsTo(dir.resolve("server.xml")))
                .isEqualTo(dir.resolve("server.xml") + " is read beside its obj.conf: ./weir migrate "
                        + dir.resolve("obj.conf"));
        assertThat(Language.belongsTo(dir.resolve("magnus.conf"))).contains("./weir migrate");
        assertThat(Language.belongsTo(dir.resolve("obj.conf"))).isEmpty();
    }
}
