package io.weir.server.config.sun;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.config.LoadedConfig;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code server.xml} as a layer of the configuration. */
final class ServerXmlTest extends SunFixture {
    /** Elements of Web Server 7.0 that the administration server writes, or that its reference has. */
    private static final List<String> REFERENCE_7 =
            List.of(("access-log access-log-buffer acl-cache auth-db auth-realm audit-log audit-log-buffer cgi cluster"
                            + " custom-resource dav dav-collection dns dns-cache event external-jndi-resource file-cache http"
                            + " http-listener instance jdbc-resource jvm keep-alive lifecycle-module localization log"
                            + " mail-resource pkcs11 qos-limits resource-adapter search-app search-collection server"
                            + " servlet-container session-replication single-sign-on snmp soap-auth-provider ssl"
                            + " ssl-session-cache ssl2-ciphers ssl3-tls-ciphers stats thread-pool token variable"
                            + " virtual-server web-app")
                    .split(" "));

    /** Elements of the Proxy Server's document type. */
    private static final List<String> REFERENCE = List.of(
            "SERVER PROPERTY LOG EVENT EVENTTIME EVENTACTION LS SSLPARAMS MIME TYPE ACLFILE USERDB FILECACHE CACHE PARTITION GC"
                    .split(" "));

    private static final Set<String> OF_LISTENERS =
            Set.of("SSLPARAMS", "ssl", "QOSPARAMS", "qos-limits", "CONNECTIONGROUP");

    private static final String EFFECTS = """
            <LS id='ls1' port='8081'/>                                     | listeners.ls1.port=8081
            <LS id='ls1' port='8081'/>                                     | listeners.ls1.address=0.0.0.0
            <LS id='ls1' port='8081' ip='any'/>                            | listeners.ls1.address=0.0.0.0
            <LS id='ls1' port='8081' ip='127.0.0.9'/>                      | listeners.ls1.address=127.0.0.9
            <LS id='ls1' port='8081' acceptorthreads='3'/>                 | listeners.ls1.acceptors=3
            <LS id='ls1' port='8081' defaultvs='v'/><VS id='v'/>           | listeners.ls1.virtual-server=v
            <VS id='v' urlhosts='a.example b.example'/>                    | virtual-servers.v.hosts=a.example, b.example
            <VS id='v' connections='http'/>                                | virtual-servers.v.listeners=http
            <VS id='v'><QOSPARAMS maxbps='4096'/></VS>                     | virtual-servers.v.limits.bandwidth=4KiB
            <VS id='v'><QOSPARAMS maxconn='40'/></VS>                      | virtual-servers.v.limits.connections=40
            <VSCLASS id='c' objectfile='obj.conf'><VS id='v'/></VSCLASS>   | virtual-servers.v.listeners=none
            <PROPERTY name='x' value='y'/>                                 | proxy.variables=none
            <LOG file='/x/errors'/>                                        | server.log.file=/x/errors
            <LOG loglevel='failure'/>                                      | server.log.level=error
            <LOG loglevel='finest' logtoconsole='true'/>                   | server.log.stdout-level=finest
            <FILECACHE enabled='false'/>                                   | cache.enabled=off
            <FILECACHE enabled='false'/><CACHE enabled='true'/>            | cache.enabled=on
            <FILECACHE enabled='true'/><CACHE enabled='false'/>            | cache.enabled=off
            <FILECACHE maxfiles='512'/>                                    | cache.max-entries=512
            <FILECACHE mediumfilesizelimit='65536'/>                       | cache.max-object-size=64KiB
            <FILECACHE mediumfilespace='2097152' smallfilespace='1048576'/> | cache.memory-budget=3MiB
            <CACHE enabled='false'/>                                       | cache.enabled=off
            <thread-pool><max-threads>77</max-threads></thread-pool>       | kernel.request-throttle=77
            <thread-pool><min-threads>7</min-threads></thread-pool>        | work-managers.default.min-threads=7
            <thread-pool><queue-size>70</queue-size></thread-pool>         | kernel.connection-queue.capacity=70
            <thread-pool><stack-size>65536</stack-size></thread-pool>      | work-managers.default.stack-size=64KiB
            <keep-alive><max-connections>9</max-connections></keep-alive>  | kernel.keep-alive.max-connections=9
            <keep-alive><timeout>9</timeout></keep-alive>                  | kernel.keep-alive.timeout=9s
            <keep-alive><enabled>false</enabled></keep-alive>              | kernel.keep-alive.timeout=0s
            <http><io-timeout>9</io-timeout></http>                        | kernel.time-outs.write=9s
            <http><max-request-headers>9</max-request-headers></http>      | proxy.limits.request-headers=9
            <http><request-header-timeout>9</request-header-timeout></http> | kernel.time-outs.header=9s
            <http><request-body-timeout>9</request-body-timeout></http>    | kernel.time-outs.body=9s
            <http><request-body-timeout>-1</request-body-timeout></http>   | kernel.time-outs.body=1m
            <dns><timeout>9</timeout></dns>                                | proxy.time-outs.dns=9s
            <dns-cache><max-entries>99</max-entries></dns-cache>           | proxy.dns.entries=99
            <dns-cache><max-age>99</max-age></dns-cache>                   | proxy.dns.expire=99s
            <dns-cache><enabled>false</enabled></dns-cache>                | proxy.dns.cache=off
            <file-cache><max-entries>9</max-entries></file-cache>          | cache.max-entries=9
            <file-cache><max-heap-space>1048576</max-heap-space></file-cache> | cache.memory-budget=1MiB
            <log><log-level>warning</log-level></log>                      | server.log.level=warning
            <stats><enabled>false</enabled></stats>                        | server.statistics=off
            <access-log><file>/x/a</file></access-log>                     | proxy.access-log.file=/x/a
            <access-log><format>%vsid%</format></access-log>               | proxy.access-log.custom=%vsid%
            <access-log-buffer><max-age>2</max-age></access-log-buffer>    | proxy.access-log.flush-interval=2s
            <variable><name>x</name><value>y</value></variable>            | proxy.variables=none
            <http-listener><name>h</name><port>81</port></http-listener>   | listeners.h.port=81
            <virtual-server><name>v</name><host>a.example</host><host>b.example</host></virtual-server> | virtual-servers.v.hosts=a.example, b.example
            <virtual-server><name>v</name><qos-limits><max-bps>4096</max-bps></qos-limits></virtual-server> | virtual-servers.v.limits.bandwidth=4KiB
            <LS id='l' port='1'><CONNECTIONGROUP id='g' defaultvs='v'/></LS><VS id='v'/> | listeners.l.virtual-server=v
            <SERVER qosactive='yes'/>                                      | proxy.traffic-figures=on
            """;

    @BeforeEach
    void anotherListener() {
        yaml("listeners: {http: {port: 0}}");
    }

    @ParameterizedTest
    @CsvSource(textBlock = EFFECTS, delimiter = '|', quoteCharacter = '`')
    void valuesAreKnobs(String inside, String effect) {
        if (inside.startsWith("<SERVER")) {
            write("server.xml", inside);
        } else {
            xml(inside);
        }
        LoadedConfig loaded = usable();
        int eq = effect.indexOf('=');
        String expected = effect.substring(eq + 1);
        assertThat(bound(loaded, effect.substring(0, eq)))
                .isEqualTo(expected.equals("none") ? bound(loaded, effect.substring(0, eq)) : expected);
    }

    @Test
    void everyElementOfTheReferenceIsKnown() {
        Set<String> known = rows().map(XmlRow::element).collect(Collectors.toCollection(TreeSet::new));
        assertThat(known).containsAll(REFERENCE).containsAll(REFERENCE_7);
        rows().filter(r -> r.settings().stream().anyMatch(Setting::applied))
                .filter(r -> !Set.of("SSLPARAMS", "ssl", "MIME", "ACLFILE", "server", "pkcs11", "ssl-session-cache")
                        .contains(r.element()))
                .forEach(r -> assertThat(EFFECTS).as("a test of its effect").contains("<" + r.element()));
    }

    static Stream<XmlRow> rows() {
        return Stream.of(XmlRows.all(), Xml7Rows.all()).flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void othersAreNotedOrRefusedWithTheReason(XmlRow row) {
        String name = row.element();
        switch (row.kind()) {
            case NOTED -> {
                xml("<" + name + " what='ever'/>");
                assertThat(notes()).containsExactly("server.xml:3:1: " + name + " has no effect: " + row.reason());
            }
            case REFUSED -> {
                xml("<" + name + " what='ever'/>");
                assertThat(problems())
                        .containsExactly("server.xml:3:1: " + name + " is not supported: " + row.reason());
            }
            case SETTINGS ->
                row.settings().stream()
                        .filter(s -> !s.applied() && !s.special())
                        .forEach(s -> noted(row, s));
        }
    }

    private void noted(XmlRow row, Setting s) {
        String name = row.element();
        String value = s.quantity().isNumber() ? "1" : "on";
        boolean named = row.setting("id") != null && !s.name().equals("id");
        String inner = "<" + name + " " + s.name() + "='" + value + "'" + (named ? " id='n'" : "")
                + (row.setting("name") != null ? " name='default'" : "")
                + (row.setting("port") != null ? " port='1'" : "")
                + "/>";
        String line = "3";
        if (name.equalsIgnoreCase("SERVER")) {
            write("server.xml", inner);
            line = "1";
        } else if (OF_LISTENERS.contains(name)) {
            xml("<LS id='n' port='1'>\n" + inner + "</LS>");
            line = "4";
        } else {
            xml(inner);
        }
        assertThat(load().notes().stream()
                        .map(n -> n.toString().replace(home + "/", ""))
                        .toList())
                .contains("server.xml:" + line + ":" + (name.length() + s.name().length() + 5) + ": " + name + " "
                        + s.name() + " has no effect: " + s.note());
    }

    @Test
    void placesAreThoseOfTheValuesAlsoFarDown() {
        String filler = "<!-- a comment that fills the reader's buffers more than once -->\n".repeat(400);
        xml(filler + "<LS id=\"ls1\"\n   port=\"8081\"\n   ip = \"127.0.0.1\"/>");
        LoadedConfig loaded = usable();
        assertThat(place(loaded, "listeners.ls1.port")).isEqualTo("server.xml:404:10");
        assertThat(place(loaded, "listeners.ls1.address")).isEqualTo("server.xml:405:10");
    }

    @Test
    void variablesReachObjConfAndOtherValues() {
        xml("<PROPERTY name='docs' value='/usr/docs'/>\n<LOG file='${docs}/errors'/>");
        LoadedConfig loaded = usable();
        assertThat(loaded.value().proxy().variables()).containsEntry("docs", "/usr/docs");
        assertThat(bound(loaded, "server.log.file")).isEqualTo("/usr/docs/errors");
        xml("<variable><name>a</name><value>1</value></variable><PROPERTY name='a' value='2'/><PROPERTY name='b'/>\n"
                + "<LOG file='$doc/errors'/>");
        assertThat(problems())
                .containsExactly(
                        "server.xml:3:68: PROPERTY a is given twice",
                        "server.xml:3:82: PROPERTY needs name and value",
                        "server.xml:4:12: there is no variable $doc");
    }

    @Test
    void tlsNeedsCertificatesInWeirYaml() {
        xml("<LS id='ls1' port='8443' security='on'><SSLPARAMS servercertnickname='Server-Cert' ssl3='off'/></LS>");
        assertThat(problems())
                .containsExactly(
                        "server.xml:3:36: listeners.ls1.tls.certificates: LS security is on, and a database of NSS"
                                + " cannot be read: export the certificate with pk12util, and name the file in weir.yaml"
                                + " (listeners.ls1.tls.certificates). Without it this listener would run without TLS");
        write("key.p12", "");
        yaml("listeners: {ls1: {tls: {certificates: [{pkcs12: " + file("key.p12") + "}]}}}");
        assertThat(problems()).isEmpty();
        magnus("SSLCacheEntries 77");
        assertThat(bound(load(), "listeners.ls1.tls.session-cache")).isEqualTo("77");
        xml("<LS id='ls1' port='8443' security='on'><SSLPARAMS tls='off' clientauth='on'/></LS>");
        assertThat(problems())
                .contains(
                        "server.xml:3:56: SSLPARAMS tls is off: no protocol would be left, SSL 2 and SSL 3 are not spoken")
                .anyMatch(p -> p.contains("listeners.ls1.tls.client-auth: needs client-trust"));
    }

    @Test
    void typesAreFilesBesideTheFile() {
        write("mime.types", "type=text/x-own exts=own\n");
        xml("<MIME id='m' file='mime.types'/>");
        assertThat(usable().value().proxy().mimeTypes()).containsExactly(file("mime.types"));
    }

    @Test
    void limitsOfTheWholeServerAreNoted() {
        xml("<QOSPARAMS maxbps='5'/>");
        assertThat(notes())
                .containsExactly("server.xml:3:1: QOSPARAMS has no effect here: it belongs into a listener or a virtual"
                        + " server");
    }

    @Test
    void listsForResourcesAreRefused() {
        write("a.acl", "version 3.0;\n# acl \"uri=/x\";\nacl \"default\";\nallow (read) user = \"anyone\";\n");
        xml("<ACLFILE id='acl1' file='a.acl'/>");
        assertThat(notes()).anyMatch(n -> n.endsWith("a.acl apply only where check-acl names them"));
        write("a.acl", "version 3.0;\nacl \"uri=/secret\";\ndeny (all) user = \"anyone\";\n");
        assertThat(problems())
                .anyMatch(p -> p.startsWith("server.xml:3:26: ACLFILE is not supported:") && p.contains("uri=/secret"));
        write("a.acl", "acl \"http://*.example.com/*\";\ndeny (all) user = \"anyone\";\n");
        assertThat(problems()).anyMatch(p -> p.contains("http://*.example.com/*"));
        xml("<ACLFILE file='b.acl'/>");
        assertThat(problems()).anyMatch(p -> p.contains("b.acl: the file cannot be read"));
    }

    @Test
    void whatIsGivenTwiceIsAMistake() {
        xml(
                "<LS id='a' port='1'/>\n<LS id='b' port='2'/>\n<LS id='a' port='3' enabled='off'/>\n<http-listener><name>b</name><port>4</port></http-listener>\n"
                        + "<VS id='v'/>\n<VSCLASS id='c'>\n<VS id='v'/></VSCLASS>\n<virtual-server><name>v</name></virtual-server>");
        assertThat(problems())
                .containsExactly(
                        "server.xml:5:9: LS a is given twice, first at line 3",
                        "server.xml:6:16: http-listener b is given twice, first at line 4",
                        "server.xml:9:9: VS v is given twice, first at line 7",
                        "server.xml:10:17: virtual-server v is given twice, first at line 7");
        xml(
                "<LOG/>\n<LOG/>\n<thread-pool><max-threads>5</max-threads>\n<max-threads>6</max-threads></thread-pool>\n"
                        + "<access-log><file>a</file></access-log>\n<access-log><name>default</name><file>b</file></access-log>");
        assertThat(problems())
                .containsExactly(
                        "server.xml:4:1: LOG is given twice, first at line 3",
                        "server.xml:6:1: thread-pool max-threads is given twice, first at line 5",
                        "server.xml:8:1: access-log is given twice, first at line 7");
        xml("<virtual-server><name>v</name><host>a</host><host>b</host><http-listener-name>http</http-listener-name>"
                + "</virtual-server><VS id='w'><QOSPARAMS maxconn='1'/></VS><VS id='x'><QOSPARAMS maxconn='1'/></VS>");
        assertThat(problems()).isEmpty();
    }

    /** What the administration server of Web Server 7.0 writes into every instance. */
    @Test
    void aFileOfTheAdministrationServerIsNotedWithAllThatItContains() {
        write(
                "server.xml",
                "<server>\n<cluster><local-host>a</local-host><instance><host>a</host></instance>"
                        + "<session-replication/></cluster>\n<default-auth-db-name>keyfile</default-auth-db-name>\n"
                        + "<auth-db><name>keyfile</name><url>keyfile</url><property><name>x</name><value>y</value></property></auth-db>\n"
                        + "<pkcs11><token><name>internal</name><pin>1</pin></token></pkcs11>\n"
                        + "<virtual-server><name>v</name><search-app/><dav-collection><uri>/</uri></dav-collection>"
                        + "</virtual-server>\n</server>");
        assertThat(notes().stream()
                        .map(n -> n.replaceFirst(" has no effect: .*", "").replaceFirst(":([0-9]+):[0-9]+:", ":$1:")))
                .containsExactly(
                        "server.xml:3: server default-auth-db-name",
                        "server.xml:2: cluster",
                        "server.xml:4: auth-db",
                        "server.xml:5: token",
                        "server.xml:6: search-app",
                        "server.xml:6: dav-collection");
    }

    @Test
    void aCacheIsCalledInMemoryOnlyWhereItIs() {
        xml("<CACHE enabled='true'><PARTITION partitiondir='/x'/></CACHE>");
        assertThat(notes()).anyMatch(n -> n.contains("CACHE is in memory here"));
        for (String disk : List.of("{path: cache}", "{partitions: {one: {path: cache}}}")) {
            yaml("listeners: {http: {port: 0}}\ncache: {disk: " + disk + "}");
            assertThat(notes())
                    .noneMatch(n -> n.contains("CACHE is in memory"))
                    .anyMatch(n -> n.contains("PARTITION has no effect: the disk tier is configured in cache.disk"));
        }
        yaml("listeners: {http: {port: 0}}\ncache: {disk: {size: 1GiB}}");
        assertThat(notes()).as("no folder").anyMatch(n -> n.contains("CACHE is in memory here"));
    }

    @Test
    void sessionsOfTlsAreSetForListenersWithTls() {
        write("key.p12", "");
        yaml("listeners: {http: {port: 0}, ls1: {port: 0, tls: {certificates: [{pkcs12: " + file("key.p12") + "}]}}}");
        xml("<ssl-session-cache><max-entries>77</max-entries><max-ssl3-tls-session-age>60</max-ssl3-tls-session-age>"
                + "</ssl-session-cache>");
        LoadedConfig loaded = usable();
        assertThat(bound(loaded, "listeners.ls1.tls.session-cache")).isEqualTo("77");
        assertThat(bound(loaded, "listeners.ls1.tls.session-time-out")).isEqualTo("1m");
    }

    @Test
    void listsOfRevokedCertificatesMustBeGivenWhereClientsAreAskedForOnes() {
        write("key.p12", "");
        write("trust.pem", "");
        write("lists.pem", "");
        String tls = "certificates: [{pkcs12: " + file("key.p12") + "}], client-trust: " + file("trust.pem");
        xml("<pkcs11><crl-path>crls</crl-path></pkcs11>");
        assertThat(notes())
                .containsExactly("server.xml:3:9: crl-path has no effect: no listener asks clients for certificates"
                        + " (tls.client-auth)");
        String listener = "<http-listener><name>ls1</name><port>1</port><ssl><client-auth>required</client-auth></ssl>"
                + "</http-listener>\n";
        yaml("listeners: {ls1: {tls: {" + tls + "}}}");
        xml(listener + "<pkcs11><crl-path>crls</crl-path></pkcs11>");
        assertThat(problems())
                .hasSize(1)
                .allMatch(
                        p -> p.startsWith("server.xml:4:9: listeners.ls1.tls.client-crl: pkcs11 crl-path is a folder"));
        yaml("listeners: {ls1: {tls: {" + tls + ", client-crl: " + file("lists.pem") + "}}}");
        assertThat(problems()).isEmpty();
        yaml("listeners: {http: {port: 0, tls: {client-auth: want, " + tls + "}}}");
        xml("<pkcs11><crl-path>crls</crl-path></pkcs11>");
        assertThat(problems()).hasSize(1).allMatch(p -> p.contains("listeners.http.tls.client-crl"));
    }

    @Test
    void anotherProgramIsRefused() {
        xml("<VS id='v' objectfile='other.conf' rootobject='main' state='off'/>");
        assertThat(problems())
                .hasSize(3)
                .anyMatch(p -> p.startsWith("server.xml:3:24: VS objectfile: all virtual servers have the program"))
                .contains("server.xml:3:48: VS rootobject must be default, found \"main\"")
                .anyMatch(p -> p.startsWith("server.xml:3:61: VS v is off"));
    }

    @Test
    void theServerMayNameItsProgram() {
        write("server.xml", "<SERVER objectfile='obj.conf' rootobject='default'><LS id='ls1' port='8080'/></SERVER>");
        assertThat(problems()).isEmpty();
        write("server.xml", "<SERVER objectfile='other.conf' rootobject='main'><LS id='ls1' port='8080'/></SERVER>");
        assertThat(problems())
                .hasSize(2)
                .anyMatch(p -> p.startsWith("server.xml:1:21: SERVER objectfile: all virtual servers have the program"))
                .contains("server.xml:1:45: SERVER rootobject must be default, found \"main\"");
    }

    @Test
    void allMistakesAreReportedAtOnceWithTheirPlaces() {
        xml(
                "<LS id='ls1' prot='80'/>\n<FILECHACHE/>\n<LOG loglevel='loud'/>\n<LS port='1'/>\n<CACHE enabled='maybe'/>\n"
                        + "<LS id='l2' port='70000' security='so'/>");
        assertThat(problems())
                .contains(
                        "server.xml:3:20: LS has no \"prot\"; did you mean \"port\"? Known: id, ip, port, security,"
                                + " acceptorthreads, defaultvs, enabled, servername, family, blocking",
                        "server.xml:3:1: LS needs a port",
                        "server.xml:4:1: unknown element <FILECHACHE>; did you mean \"FILECACHE\"?",
                        "server.xml:6:1: LS needs an id",
                        "server.xml:7:17: CACHE enabled: expected on or off, found \"maybe\"",
                        "server.xml:8:19: LS port: expected a whole number from 1 to 65535, found 70000",
                        "server.xml:8:36: LS security: expected on or off, found \"so\"")
                .anyMatch(p -> p.startsWith("server.xml:5:16: LOG loglevel: expected catastrophe, config,"));
    }

    @Test
    void nothingOutsideTheFileIsReadAndItsSizeIsBounded() {
        write("secret", "the secret");
        write(
                "server.xml",
                "<!DOCTYPE SERVER [<!ENTITY x SYSTEM \"" + file("secret") + "\"><!ENTITY y \"why\">]>\n"
                        + "<SERVER><LOG file=\"&y;\"/>&x;</SERVER>");
        assertThat(problems()).hasSize(1).allMatch(p -> p.contains("not well-formed XML") && !p.contains("the secret"));
        write("server.xml", "<!DOCTYPE SERVER PUBLIC \"-//Sun//DTD//EN\" \"http://localhost:1/a.dtd\">\n<SERVER/>");
        assertThat(problems()).isEmpty();
        write("server.xml", "<SERVER>" + "<VSCLASS>".repeat(100) + "</SERVER>");
        assertThat(problems()).hasSize(1).allMatch(p -> p.contains("more than 32 levels"));
        write("server.xml", "<SERVER>\n <LS id='a'\n</SERVER>");
        assertThat(problems()).hasSize(1).allMatch(p -> p.startsWith("server.xml:3:1: this is not well-formed XML:"));
        write("server.xml", "");
        assertThat(problems()).hasSize(1);
        write("server.xml", "<config/>");
        assertThat(problems()).containsExactly("server.xml:1:1: expected <SERVER>, found <config>");
    }

    @Test
    void listenersOfTheTwoFilesAreAllThere() {
        yaml("listeners: {http: {port: 0}, ls1: {port: 0}}");
        xml("<LS id='ls1' port='8081' ip='127.0.0.1'/>");
        magnus("ListenQ 99");
        LoadedConfig loaded = usable();
        assertThat(bound(loaded, "listeners.ls1.port")).isEqualTo("0");
        assertThat(bound(loaded, "listeners.ls1.address")).isEqualTo("127.0.0.1");
        assertThat(bound(loaded, "listeners.ls1.backlog")).isEqualTo("99");
        assertThat(bound(loaded, "listeners.http.backlog")).isEqualTo("99");
    }
}
