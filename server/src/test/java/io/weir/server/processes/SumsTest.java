package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.weir.base.Stats;
import io.weir.proxy.context.EngineStats;
import io.weir.server.monitor.PrometheusView;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the statistics of several processes become one. */
class SumsTest {
    private static final String ONE = """
            # HELP weir_hits_total Hits.
            # TYPE weir_hits_total counter
            weir_hits_total{vs="a"} 3.0
            # TYPE weir_open gauge
            weir_open 2.0
            # TYPE weir_cluster_members gauge
            weir_cluster_members{state="up"} 1.0
            # TYPE weir_tls_certificate_expiry_seconds gauge
            weir_tls_certificate_expiry_seconds 50.0
            # TYPE weir_origin_state gauge
            weir_origin_state{pool="p"} 1.0
            # TYPE weir_time_seconds histogram
            weir_time_seconds_bucket{le="+Inf"} 4
            weir_time_seconds_count 4
            # TYPE weir_admin_requests_total counter
            weir_admin_requests_total{status="200"} 9.0
            """;

    private static final String TWO = ONE.replace(" 3.0", " 4.0").replace(" 50.0", " 40.0");

    private static Figures both() {
        Figures all = new Figures();
        all.addWorker(1, Figures.parse(ONE));
        all.addWorker(2, Figures.parse(TWO));
        return all;
    }

    @Test
    void countersHistogramsAndGaugesAreAdded() {
        assertThat(both().write())
                .contains(
                        "# HELP weir_hits_total Hits.\n# TYPE weir_hits_total counter\nweir_hits_total{vs=\"a\"} 7.0\n",
                        "weir_open 4.0\n",
                        "weir_time_seconds_bucket{le=\"+Inf\"} 8.0\nweir_time_seconds_count 8.0\n");
    }

    @Test
    void whatCannotBeAddedIsTheWorstOrTheFirstProcess() {
        assertThat(both().write())
                .contains(
                        "weir_tls_certificate_expiry_seconds 40.0\n",
                        "weir_origin_state{pool=\"p\"} 1.0\n",
                        "weir_cluster_members{state=\"up\"} 1.0\n")
                .doesNotContain("weir_admin_");
    }

    @Test
    void counterBesideAGaugeOfItsNameIsLeft() throws Exception {
        Stats stats = new Stats();
        stats.counter(EngineStats.TUNNELS, "connect").add(3);
        stats.gauge(EngineStats.TUNNELS_OPEN, () -> 2);
        Figures all = new Figures();
        all.addEnded(2, Figures.parse(new PrometheusView(stats).write(null).text()));
        assertThat(all.write())
                .contains("weir_proxy_tunnels_total{kind=\"connect\"} 3.0\n")
                .doesNotContain(" gauge");
    }

    @Test
    void openMetricsIsReadAndWritten() throws Exception {
        Stats stats = new Stats();
        stats.counter(EngineStats.TUNNELS, "connect").add(3);
        stats.gauge(EngineStats.TUNNELS_OPEN, () -> 2);
        stats.counter(EngineStats.ORIGIN_REFUSED).inc();
        Figures all = Figures.parse(new PrometheusView(stats).write(null).text());
        String own = new PrometheusView(stats)
                .write("application/openmetrics-text; version=1.0.0")
                .text();
        assertThat(all.writeOpen().lines().sorted())
                .as("what the client library writes")
                .containsExactlyElementsOf(own.lines().sorted().toList());
        assertThat(all.writeOpen()).endsWith("# EOF\n");
    }

    @Test
    void endedProcessLeavesWhatItCountedAndNothingElse() {
        Figures all = new Figures();
        all.addEnded(2, Figures.parse(TWO));
        assertThat(all.write())
                .contains("weir_hits_total{vs=\"a\"} 4.0\n", "weir_time_seconds_count 4.0\n")
                .doesNotContain("weir_open", "weir_origin_state");
    }

    /** The garbage collector's figures are a summary, which the virtual machine contributes. */
    @Test
    void nothingThatAProcessCountedFallsWhenItEnds() {
        String gc = """
                # TYPE jvm_gc_collection_seconds summary
                jvm_gc_collection_seconds_count{gc="Copy"} 20
                jvm_gc_collection_seconds_sum{gc="Copy"} 1.5
                # TYPE jvm_threads_started_total counter
                jvm_threads_started_total 40.0
                # TYPE jvm_threads_current gauge
                jvm_threads_current 9.0
                """;
        Figures all = new Figures();
        all.addEnded(2, Figures.parse(gc));
        all.addWorker(2, Figures.parse(gc));
        assertThat(all.write())
                .contains(
                        "jvm_gc_collection_seconds_count{gc=\"Copy\"} 40.0\n",
                        "jvm_gc_collection_seconds_sum{gc=\"Copy\"} 3.0\n",
                        "jvm_threads_started_total 80.0\n",
                        "jvm_threads_current 9.0\n");
    }

    /** The state of the cluster is in its log: the next process has the same count. */
    @Test
    void whatTheClusterRemembersIsNotCountedTwice() {
        String lease = """
                # TYPE weir_lease_transitions_total counter
                weir_lease_transitions_total{lease="member/a"} 3.0
                """;
        Figures all = new Figures();
        all.addEnded(1, Figures.parse(lease));
        all.addWorker(1, Figures.parse(lease));
        assertThat(all.series()).containsExactly(entry("weir_lease_transitions_total{lease=\"member/a\"}", 3.0));
    }

    @Test
    void levelsAndFlagsAreNotAdded() {
        String level = """
                # TYPE weir_info gauge
                weir_info{version="1"} 1
                # TYPE weir_pressure_step gauge
                weir_pressure_step 5.0
                """;
        Figures all = new Figures();
        all.addWorker(1, Figures.parse(level));
        all.addWorker(2, Figures.parse(level));
        assertThat(all.series())
                .containsExactly(entry("weir_info{version=\"1\"}", 1.0), entry("weir_pressure_step", 5.0));
    }

    @Test
    void statsXmlHasAllProcessesAndSumsOfVirtualServers() throws Exception {
        String one = """
                <stats enabled="1"><server id="weir" maxProcs="1" rateBytesReceived="5" ticksPerSecond="1000000">\
                <process pid="11" mode="active"/><virtual-server id="a"><request-bucket countRequests="3" maxOpenConnections="7"/>\
                </virtual-server></server></stats>""";
        String two = one.replace("11", "12").replace("\"3\"", "\"4\"").replace("\"7\"", "\"6\"");
        assertThat(StatsXmlSum.of(List.of(one, two), List.of(), 2))
                .contains(
                        "maxProcs=\"2\"",
                        "rateBytesReceived=\"10\"",
                        "ticksPerSecond=\"1000000\"",
                        "<process mode=\"active\" pid=\"11\"/><process mode=\"active\" pid=\"12\"/><virtual-server",
                        "countRequests=\"7\"",
                        "maxOpenConnections=\"7\"");
    }

    /** While a change of the configuration spreads, processes have different buckets. */
    @Test
    void statsXmlAddsUpBucketsByTheirNames() throws Exception {
        String one = document("all-requests", "default-bucket", "acl");
        String two = document("all-requests", "default-bucket", "new", "acl");
        assertThat(StatsXmlSum.of(List.of(one, two), List.of(), 2))
                .contains(
                        "<profile id=\"profile-2\" name=\"acl\"/><profile id=\"profile-3\" name=\"new\"/><process",
                        "<profile-bucket countCalls=\"4\" profile=\"profile-2\" ticksDispatch=\"6\"/>",
                        "<profile-bucket countCalls=\"2\" profile=\"profile-3\" ticksDispatch=\"3\"/>");
        assertThat(StatsXmlSum.of(List.of(document(), one), List.of(), 2))
                .contains(" maxProcs=\"2\"><profile id=\"profile-0\"", "<profile id=\"profile-2\" name=\"acl\"/>");
    }

    private static String document(String... buckets) {
        StringBuilder profiles = new StringBuilder();
        StringBuilder counts = new StringBuilder();
        for (int i = 0; i < buckets.length; i++) {
            profiles.append("<profile id=\"profile-" + i + "\" name=\"" + buckets[i] + "\"/>");
            counts.append("<profile-bucket profile=\"profile-" + i + "\" countCalls=\"2\" ticksDispatch=\"3\"/>");
        }
        return "<stats><server id=\"weir\">" + profiles + "<process pid=\"1\"/><virtual-server id=\"a\">" + counts
                + "</virtual-server></server></stats>";
    }

    /** A parser reads a line end in an attribute as a space. */
    @Test
    void lineEndsInAttributesStayReferences() throws Exception {
        String one = "<stats><server id=\"a&#10;b&#9;c&#13;&lt;d\"><process pid=\"1\"/></server></stats>";
        assertThat(StatsXmlSum.of(List.of(one, one), List.of(), 2)).contains("\"a&#10;b&#9;c&#13;&lt;d\"");
    }

    @Test
    void processThatDoesNotAnswerIsUnknownInStatsXml() throws Exception {
        String one = "<stats enabled=\"1\"><server id=\"weir\" maxProcs=\"1\"><process pid=\"11\" mode=\"active\"/>"
                + "<virtual-server id=\"a\"/></server></stats>";
        assertThat(StatsXmlSum.of(List.of(one), List.of(12L), 2))
                .contains(
                        "<process mode=\"active\" pid=\"11\"/><process countConfigurations=\"0\"",
                        "mode=\"unknown\" pid=\"12\"");
    }

    @Test
    void workerIsStartedWithTheWordsOfItsSupervisor() throws Exception {
        WorkerWords words = WorkerWords.of(List.of(
                "java", "-Xmx1g", "-jar", "weir.jar", "run", "--config", "a.yaml", "--set", "x=1", "--detached"));
        assertThat(words.config()).isEqualTo(Path.of("a.yaml"));
        assertThat(words.command(Path.of("b.yaml"), List.of("--process=2")))
                .containsExactly(
                        "java",
                        "-Xmx1g",
                        "-jar",
                        "weir.jar",
                        "worker",
                        "--config",
                        "b.yaml",
                        "--set=x=1",
                        "--process=2");
    }
}
