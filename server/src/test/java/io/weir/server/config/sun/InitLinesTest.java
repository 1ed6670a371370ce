package io.weir.server.config.sun;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.config.LoadedConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Init lines as a layer of the configuration. */
final class InitLinesTest extends SunFixture {
    /** The functions of the Proxy Server's reference, and those of Web Server 7.0 that the issue names. */
    private static final List<String> REFERENCE = List.of(
            ("define-perf-bucket flex-init flex-rotate-init host-dns-cache-init icp-init init-clf init-filter-order init-j2ee"
                            + " init-proxy init-uhome init-url-filter ip-dns-cache-init load-modules load-types"
                            + " nt-console-init pa-init-parent-array pa-init-proxy-array perf-init pool-init"
                            + " register-http-method stats-init suppress-request-headers thread-pool-init tune-cache"
                            + " tune-proxy um-define-junction um-init um-load-parser-config http-client-config")
                    .split(" "));

    private static final String EFFECTS = """
            thread-pool-init,     name=my maxthreads=5,        work-managers.my.max-threads=5
            thread-pool-init,     name=my minthreads=2,        work-managers.my.min-threads=2
            thread-pool-init,     name=my queueSize=30,        work-managers.my.queue-capacity=30
            thread-pool-init,     name=my queueSize=0,         work-managers.my.queue-capacity=1048576
            thread-pool-init,     name=my stackSize=131072,    work-managers.my.stack-size=128KiB
            thread_pool_init,     name=my maxthreads=5,        work-managers.my.max-threads=5
            host-dns-cache-init,  cache-size=2000,             proxy.dns.entries=2000
            host-dns-cache-init,  expire=300,                  proxy.dns.expire=5m
            host-dns-cache-init,  negative-dns-cache=no,       proxy.dns.negative=0s
            host-dns-cache-init,  negative-dns-cache=yes,      proxy.dns.negative=10s
            host-dns-cache-init,  disable=true,                proxy.dns.cache=off
            init-proxy,           timeout=600,                 proxy.time-outs.tunnel-idle=10m
            init-proxy,           timeout-2=20,                proxy.time-outs.after-client-abort=20s
            http-client-config,   keep-alive=false,            proxy.origin-pool.max-idle=0
            http-client-config,   keep-alive-timeout=10,       proxy.origin-pool.idle-time-out=10s
            http-client-config,   timeout=120,                 proxy.time-outs.response-header=2m
            http-client-config,   timeout=120,                 proxy.time-outs.body-idle=2m
            http-client-config,   connect-timeout=20,          proxy.time-outs.connect=20s
            http-client-config,   retries=3,                   proxy.retries=3
            stats-init,           LateInit=no,                 server.statistics=on
            stats-init,           profiling=no,                proxy.profiling=off
            perf-init,            disable=true,                proxy.profiling=off
            define-perf-bucket,   name=acl-bucket description=lists, proxy.buckets.acl-bucket.description=lists
            flex-init,            access=/x/a,                 proxy.access-logs.access.file=/x/a
            flex-init,            access=/x/a,                 proxy.access-logs.access.format=common
            flex-init,            access=/x/a buffer-size=65536, proxy.access-logs.access.buffer-size=64KiB
            flex-init,            global=/x/a,                 proxy.access-log.file=/x/a
            init-clf,             global=/x/a,                 proxy.access-log.format=common
            flex-rotate-init,     rotate-interval=60 rotate-start=0300, proxy.access-log.rotate-interval=1h
            """;

    @Test
    void thereAreAtMost1000LinesOfAFunction() {
        inits(pools(1_000) + buckets(62));
        assertThat(usable().tree().find("work-managers.p999.max-threads")).isNotNull();
        inits(pools(20_000));
        assertThat(problems())
                .containsExactly(
                        "obj.conf:1001:1: there are more than 1000 Init lines with thread-pool-init, the most allowed");
        inits(pools(1_000) + buckets(1_001));
        assertThat(problems())
                .contains(
                        "obj.conf:2001:1: there are more than 1000 Init lines with define-perf-bucket, the most allowed");
    }

    private static String pools(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "Init fn=thread-pool-init name=p" + i + " maxthreads=2\n")
                .collect(Collectors.joining());
    }

    private static String buckets(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "Init fn=define-perf-bucket name=b" + i + " description=d\n")
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource(textBlock = EFFECTS)
    void functionsAreKnobs(String function, String parameters, String effect) {
        inits("Init fn=" + function + " " + parameters);
        LoadedConfig loaded = usable();
        assertThat(loaded.notes()).isEmpty();
        int eq = effect.indexOf('=');
        String key = effect.substring(0, eq);
        assertThat(bound(loaded, key)).isEqualTo(effect.substring(eq + 1));
        if (loaded.tree().find(key) != null) {
            assertThat(place(loaded, key)).startsWith("obj.conf:1:");
        }
    }

    @Test
    void everyFunctionOfTheReferenceIsKnown() {
        assertThat(InitFunctions.all().stream().map(InitFunction::name).toList())
                .containsAll(REFERENCE);
        Set<String> tested = new TreeSet<>(
                EFFECTS.lines().map(l -> l.replaceFirst(",.*", "").strip()).toList());
        tested.addAll(Set.of("init-url-filter", "load-types", "load-modules"));
        InitFunctions.all().stream()
                .filter(f -> f.settings().stream().anyMatch(Setting::applied))
                .forEach(f -> assertThat(tested).as("a test of its effect").contains(f.name()));
    }

    static Stream<InitFunction> all() {
        return InitFunctions.all().stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void othersAreNotedOrRefusedWithTheReason(InitFunction function) {
        inits("Init fn=" + function.name() + " status=on");
        String begins = "obj.conf:1:1: " + function.name();
        switch (function.kind()) {
            case NOTED -> assertThat(notes()).containsExactly(begins + " has no effect: " + function.reason());
            case REFUSED, SWITCHED ->
                assertThat(problems()).containsExactly(begins + " is not supported: " + function.reason());
            case SETTINGS, SPECIAL -> parametersWithoutMeaningAreNoted(function);
        }
        if (function.kind() == InitFunction.Kind.SWITCHED) {
            inits("Init fn=" + function.name() + " status=off");
            assertThat(notes()).containsExactly(begins + " has no effect: status is off");
        }
    }

    /** The line as the administration guide has it. */
    @Test
    void statisticsOfManyVirtualServers() {
        inits("Init fn=stats-init update-interval=5 virtual-servers=2000 profiling=yes");
        assertThat(bound(usable(), "proxy.profiling")).isEqualTo("on");
    }

    private void parametersWithoutMeaningAreNoted(InitFunction function) {
        for (Setting s : function.settings()) {
            if (!s.applied() && !s.special()) {
                String first = function.name().equals("flex-init") ? " access=a" : "";
                inits("Init fn=" + function.name() + first + " " + s.name() + "="
                        + (s.quantity().isNumber() ? "1" : "on"));
                assertThat(notes())
                        .as(s.name())
                        .containsExactly("obj.conf:1:" + (10 + function.name().length() + first.length()) + ": "
                                + function.name() + " " + s.name() + " has no effect: " + s.note());
            }
        }
    }

    @Test
    void formatsAreThoseOfTheLogWithVariablesOfTheConfiguration() {
        xml("<PROPERTY name=\"accesslog\" value=\"/var/log/access\"/>");
        inits(
                "Init fn=flex-init access=\"$accesslog\"",
                " format.access=\"%Ses->client.ip% - %Req->vars.auth-user% [%SYSDATE%] \\\"%Req->reqpb.clf-request%\\\""
                        + " %Req->srvhdrs.clf-status% $headers{'user-agent'} $$5\"",
                "Init fn=flex-rotate-init rotate-start=0130 rotate-interval=60 rotate-access=yes");
        LoadedConfig loaded = usable();
        assertThat(bound(loaded, "proxy.access-logs.access.file")).isEqualTo("/var/log/access");
        assertThat(bound(loaded, "proxy.access-logs.access.format")).isEqualTo("custom");
        assertThat(bound(loaded, "proxy.access-logs.access.custom"))
                .isEqualTo("%Ses->client.ip% - %Req->vars.auth-user% [%SYSDATE%] \"%Req->reqpb.clf-request%\""
                        + " %Req->srvhdrs.clf-status% $headers{user-agent} $$5");
        assertThat(bound(loaded, "proxy.access-logs.access.rotate-interval")).isEqualTo("1h");
        assertThat(notes())
                .containsExactly(
                        "obj.conf:3:63: flex-rotate-init rotate-access has no effect: without rotate-interval no access log is"
                                + " rotated",
                        "obj.conf:3:26: flex-rotate-init rotate-start has no effect: intervals count from midnight");
    }

    @Test
    void mistakesOfLogs() {
        inits(
                "Init fn=flex-init access=\"$nowhere\" format.acess=\"%x%\" what.access=3",
                "Init fn=flex-rotate-init rotate-start=2500 rotate-interval=0", "Init fn=flex-init one=a two.=3 one=b");
        assertThat(problems())
                .contains(
                        "obj.conf:1:19: \"access\": there is no variable $nowhere at start",
                        "obj.conf:1:37: flex-init: there is no log \"acess\"",
                        "obj.conf:1:56: flex-init: unknown parameter \"what.access\": expected a log, format.LOG or"
                                + " relaxed.LOG",
                        "obj.conf:2:44: flex-rotate-init rotate-interval: expected a number of minutes from 1 to 527040,"
                                + " found 0",
                        "obj.conf:2:26: flex-rotate-init rotate-start: expected HHMM, found \"2500\"",
                        "obj.conf:3:32: flex-init: the log one is defined twice");
    }

    @Test
    void whatHasANameIsDefinedOnce() {
        magnus("Init fn=thread-pool-init name=a maxthreads=1", "Init fn=define-perf-bucket name=a");
        inits(
                "Init fn=thread-pool-init name=a maxthreads=2",
                "Init fn=define-perf-bucket name=b",
                "Init fn=define-perf-bucket name=b description=x",
                "Init fn=init-url-filter f=one.lst",
                "Init fn=init-url-filter f=two.lst");
        assertThat(problems())
                .contains(
                        "obj.conf:1:26: thread-pool-init a is given twice, first at magnus.conf:1:26",
                        "obj.conf:3:28: define-perf-bucket b is given twice, first at line 2",
                        "obj.conf:5:25: init-url-filter f is given twice, first at line 4");
    }

    /** Problems of several files are not mixed by their lines. */
    @Test
    void problemsComeFileByFile() {
        yaml("listeners: {http: {port: 0}}", "none: 1");
        magnus("", "", "", "", "RqThrotle 5", "Bad 1");
        xml("<Bad/>");
        inits("Init fn=bad");
        assertThat(problems().stream().map(p -> p.replaceFirst(":.*", "")))
                .containsSubsequence("magnus.conf", "magnus.conf", "server.xml", "obj.conf")
                .isSortedAccordingTo(java.util.Comparator.comparingInt(
                        List.of("weir.yaml", "magnus.conf", "server.xml", "obj.conf")::indexOf));
    }

    @Test
    void namesThatNobodyCanWriteAreReported() {
        inits(
                "Init fn=thread-pool-init name=\"a b\"",
                "Init fn=thread-pool-init maxthreads=1 maxthreads=2",
                "Init fn=thread-pool-init name=a maxthreads=1 maxthreads=2");
        assertThat(problems())
                .containsExactly(
                        "obj.conf:1:26: thread-pool-init: expected a name of letters, digits, - and _, at most 64, found \"a b\"",
                        "obj.conf:2:1: thread-pool-init needs name=",
                        "obj.conf:3:46: thread-pool-init maxthreads is given twice, first at line 3");
    }

    @Test
    void librariesOfTheSunServersAreRefusedUnlessWeirHasTheirFunctions() {
        inits("Init funcs=\"pcheck_uri_clean_fixed_init\" shlib=\"C:/Sun/proxyserver40/lib/custom.dll\""
                + " fn=\"load-modules\" NativeThread=\"no\"");
        assertThat(problems())
                .containsExactly(
                        "obj.conf:1:42: load-modules: C:/Sun/proxyserver40/lib/custom.dll is a library for the Sun"
                                + " servers, and Weir has no pcheck_uri_clean_fixed_init. Write its functions in Java and name their"
                                + " jar here (docs/functions.md)");
        inits("Init fn=load-modules shlib=/opt/lib/own.so funcs=\"assign_name,url-check\"");
        assertThat(notes())
                .containsExactly("obj.conf:1:22: load-modules has no effect: assign_name, url-check are Weir's own");
        inits("Init fn=load-modules shlb=a NativeThread=perhaps");
        assertThat(problems())
                .contains(
                        "obj.conf:1:1: load-modules needs shlib=",
                        "obj.conf:1:22: load-modules: unknown parameter \"shlb\"; did you mean \"shlib\"?",
                        "obj.conf:1:29: NativeThread: expected yes or no, found \"perhaps\"");
    }

    @Test
    void jarsAreLoaded() {
        inits("Init fn=load-modules shlib=/nowhere/mine.jar funcs=\"a,b\" NativeThread=yes");
        LoadedConfig loaded = load();
        assertThat(loaded.value().proxy().functionJars()).containsExactly("/nowhere/mine.jar");
        assertThat(loaded.value().workManagers()).containsKey("NativePool");
        assertThat(problems()).anyMatch(p -> p.startsWith("obj.conf:1:22: proxy.function-jars"));
    }

    @Test
    void workManagersOfFunctionsAreThoseOfTheirLine() {
        inits("Init fn=load-modules shlib=/nowhere/mine.jar funcs=\"url-check home-page\" pool=default");
        assertThat(load().value().proxy().functionWorkManagers())
                .isEqualTo(Map.of("url-check", "default", "home-page", "default"));
        inits("Init fn=load-modules shlib=/nowhere/mine.jar pool=default");
        assertThat(problems())
                .contains(
                        "obj.conf:1:1: load-modules needs funcs= with pool= or NativeThread=yes: the functions that run"
                                + " there");
    }

    @Test
    void filtersAndTypesAreFilesThatDirectivesUse() {
        write("filter", "/secret.*\n");
        write("types", "type=text/x-own exts=own\n");
        magnus("Init fn=init-url-filter bad=" + file("filter"), "Init fn=load-types mime-types=" + file("types"));
        write("obj.conf", """
                <Object name="default">
                PathCheck fn=url-filter deny=bad
                ObjectType fn=type-by-extension
                Service fn="send-answer" body="here"
                </Object>
                """);
        LoadedConfig loaded = usable();
        assertThat(loaded.value().proxy().urlFilters()).containsEntry("bad", file("filter"));
        assertThat(loaded.value().proxy().mimeTypes()).containsExactly(file("types"));
        magnus("Init fn=init-url-filter bad=" + file("none"), "Init fn=load-types mime-types=" + file("none"));
        assertThat(problems())
                .as("the directives read these files")
                .anyMatch(p -> p.startsWith("obj.conf:2:") && p.contains("none"))
                .anyMatch(p -> p.startsWith("obj.conf:3:") && p.contains("none"));
    }
}
