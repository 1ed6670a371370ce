package io.weir.kernel.settings;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** The kernel's part of the message catalogue; numbers are BEA's where WebLogic has the same message. */
public enum KernelMessages implements DeclaredMessage {
    MUXER_FALLBACK(
            438,
            Severity.WARNING,
            "Socket",
            "Unable to load the {} muxer; using {} instead. Reason: {}",
            "Use Linux on x86-64 or aarch64 with the native jars in lib, a temporary folder that allows execution"
                    + " (-Dio.netty.native.workdir), and for io_uring kernel.io_uring_disabled=0 and a container that"
                    + " permits it; or configure the muxer that is used, to silence this."),
    NATIVE_IO(446, Severity.INFO, "Socket", "Native I/O enabled: muxer {} with {} socket readers", ""),
    JAVA_IO(447, Severity.INFO, "Socket", "Native I/O not in use: Java muxer {} with {} socket readers", ""),
    PERCENT_MEANINGLESS(
            480,
            Severity.NOTICE,
            "Socket",
            "percent-socket-readers is {} but the native muxer {} has socket-readers threads: the percentage is"
                    + " ignored",
            "Remove percent-socket-readers, or set socket-readers."),
    OVERFLOW(
            401,
            Severity.WARNING,
            "Socket",
            "Connection limit of {} reached and no idle connection to flush: dropping new connections",
            "Raise max-connections (and the descriptor limit), or lower keep-alive.timeout."),
    REFUSED_ADDRESS(
            481,
            Severity.WARNING,
            "Socket",
            "Address {} holds {} connections, the most allowed: dropping new ones from it",
            "Raise max-connections-per-address when a load balancer or a proxy stands between the clients and this"
                    + " server."),
    SOCKET_ERROR(403, Severity.FINE, "Socket", "Error on connection {}: {}", ""),
    PROTOCOL_ERROR(
            482,
            Severity.ERROR,
            "Socket",
            "Uncaught error of the protocol on listener {}, connection closed: {}",
            "This is a bug in Weir: please report it with this line."),
    LISTENING(2613, Severity.NOTICE, "Server", "Channel \"{}\" is now listening on {}:{} for protocols {}.", ""),
    WORK_MANAGER_GONE(
            2943,
            Severity.INFO,
            "WorkManager",
            "Work manager {} was changed or removed; its submitted work is completed, then its threads end",
            ""),
    LISTENER_DRAINED(
            2608,
            Severity.INFO,
            "Server",
            "Channel \"{}\" is drained: {} connections ended, {} were reset after the time-out",
            ""),
    LISTENER_CLOSED(2607, Severity.INFO, "Server", "Channel \"{}\", listening on {}:{}, was shut down.", ""),
    NO_DESCRIPTORS(
            2616,
            Severity.CRITICAL,
            "Server",
            "Channel \"{}\" pauses accepting for one second: {}",
            "Raise the descriptor limit (ulimit -n), or lower max-connections and keep-alive.max-connections."),
    ACCEPT_FAILED(
            2617,
            Severity.ERROR,
            "Server",
            "Channel \"{}\" could not accept a connection: {}",
            "See the reason given."),
    SINGLE_ACCEPTOR(
            2618,
            Severity.NOTICE,
            "Server",
            "Channel \"{}\" has one acceptor, not {}: the {} muxer shares no listening socket",
            "Set acceptors to 1."),
    PROXY_UNTRUSTED(
            2619,
            Severity.WARNING,
            "Server",
            "Channel \"{}\" accepts PROXY headers from load balancers only: dropping connections from {}",
            "Add its network to proxy-protocol.trusted if it is one of your load balancers; never add clients."),
    PROXY_MALFORMED(
            2620,
            Severity.WARNING,
            "Server",
            "Channel \"{}\" dropped a connection from {} that does not begin with a PROXY header: {}",
            "Make the load balancer send the PROXY protocol (HAProxy: send-proxy-v2), or set proxy-protocol.enabled:"
                    + " off."),
    DERIVED(880, Severity.FINE, "Kernel", "{} is {} (derived from {} descriptors and {} processors)", ""),
    LOW_LATENCY(
            881, Severity.INFO, "Kernel", "Entering low latency mode: {} active, {} idle, {} queued of {} threads", ""),
    HIGH_CONCURRENCY(
            882,
            Severity.INFO,
            "Kernel",
            "Entering high concurrency mode: {} active, {} idle, {} queued of {} threads",
            ""),
    QUEUE_FULL(
            883,
            Severity.WARNING,
            "Kernel",
            "Connection queue full at {} waiting requests: answering busy",
            "Raise request-throttle or connection-queue.capacity, or make the origins faster."),
    PRESSURE(
            886,
            Severity.WARNING,
            "Kernel",
            "Clients hold {} percent of the resources for them: time-outs of slow clients are shortened and their"
                    + " minimum rates raised",
            "See weir_connections_open, weir_connections_unsent_bytes and weir_proxy_origin_connections for what is"
                    + " full; raise max-connections, -XX:MaxDirectMemorySize or"
                    + " proxy.origin-pool.max-connections-per-origin, or find these clients in perfdump's sessions."),
    MAKING_ROOM(
            887,
            Severity.WARNING,
            "Socket",
            "Channel \"{}\": all {} connections are open: each new one replaces one that is idle or slow",
            "Raise admin.max-connections if they are your own, and see weir_admin_connections_given_up_total; otherwise find"
                    + " out who connects there: only those who operate the server should reach it."),
    NO_ROOM(
            888,
            Severity.WARNING,
            "Socket",
            "Channel \"{}\": all {} connections are open and none can be replaced: dropping new connections",
            "Raise admin.max-connections, and see weir_admin_connections_refused_total."),
    DRAINING(884, Severity.NOTICE, "Kernel", "Draining: {} connections open, {} idle ones closed", ""),
    DRAINED(885, Severity.NOTICE, "Kernel", "Drained: {} connections finished, {} reset after the time-out", ""),
    TASK_FAILED(
            802,
            Severity.ERROR,
            "WorkManager",
            "Execute request failed in work manager {}: {}",
            "The task ended, its thread continues; see the reason given."),
    WORK_MANAGER(2980, Severity.FINE, "WorkManager", "Work manager {} has {} to {} threads and a queue of {}", ""),
    WORK_REFUSED(
            2981,
            Severity.WARNING,
            "WorkManager",
            "Work manager {} is full at {} threads and {} waiting: answering busy",
            "Raise its max-threads or queue-capacity."),
    STUCK(
            337,
            Severity.ERROR,
            "WorkManager",
            "[STUCK] {} has been busy for \"{}\" seconds working on the request \"{}\", which is more than the"
                    + " configured time (StuckThreadMaxTime) of \"{}\" seconds. Stack trace: {}",
            "See the stack for what it waits for; kernel.stuck-threads.max-time says when a thread counts as stuck."),
    UNSTUCK(339, Severity.INFO, "WorkManager", "{} has become \"unstuck\" after \"{}\" seconds.", ""),
    SHUT_DOWN(
            2982,
            Severity.ERROR,
            "WorkManager",
            "Work manager {} is shut down: {} of its threads are stuck, its trigger is {}: answering busy",
            "Find out what its threads are stuck in (WEIR-000337)."),
    SERVER_FAILED(
            2984,
            Severity.CRITICAL,
            "WorkManager",
            "The server has failed: {} threads are stuck, server-failure-trigger.stuck-thread-count is {};"
                    + " failure-action is {}",
            "Find out what the threads are stuck in (WEIR-000337)."),
    SERVER_RECOVERED(
            2985,
            Severity.NOTICE,
            "WorkManager",
            "The server has recovered: {} threads are stuck, fewer than server-failure-trigger.stuck-thread-count {}",
            ""),
    NO_THREAD(
            2986,
            Severity.ERROR,
            "WorkManager",
            "No thread could be started for work manager {}, which has {}: {}",
            "Raise the limit of threads of the process, user or container, or lower max-threads or stack-size."),
    RESUMED(
            2983,
            Severity.NOTICE,
            "WorkManager",
            "Work manager {} accepts work again: none of its threads is stuck",
            ""),
    TLS_FALLBACK(
            90480,
            Severity.WARNING,
            "Security",
            "BoringSSL does not load; TLS of {} uses the JDK instead, at several times the CPU. Reason: {}",
            "Put the netty-tcnative jar for this platform into lib, or set provider: jdk to silence this."),
    TLS_HANDSHAKE_FAILED(90481, Severity.FINE, "Security", "TLS handshake on {} failed, {}: {}", ""),
    TLS_UNVERIFIED(
            90482,
            Severity.WARNING,
            "Security",
            "Certificates of {} are not verified",
            "Set verify: on, and trust-file when the authority is your own."),
    TLS_HANDSHAKES_FULL(
            90483,
            Severity.WARNING,
            "Security",
            "{} TLS handshakes are in progress on channel \"{}\", the most allowed: dropping new connections",
            "Shorten time-outs.tls-handshake when clients connect without completing the handshake; raise"
                    + " tls.max-handshakes when so many are expected."),
    TLS_RELOADED(90484, Severity.NOTICE, "Security", "TLS of \"{}\" is reloaded: {}", ""),
    TLS_RELOAD_FAILED(
            90485,
            Severity.ERROR,
            "Security",
            "TLS of \"{}\" keeps its old certificates: {}",
            "Correct the file; it is read again when it changes, or at ./weir tls reload."),
    TLS_EXPIRES(
            90486,
            Severity.WARNING,
            "Security",
            "The certificate {} of \"{}\" expires in {} days or less, at {}",
            "Renew it and replace the file: it is read when it changes."),
    TLS_EXPIRED(
            90487,
            Severity.ERROR,
            "Security",
            "The certificate {} of \"{}\" expired at {}",
            "Renew it and replace the file: it is read when it changes."),
    TLS_NO_STAPLING(
            90488,
            Severity.WARNING,
            "Security",
            "OCSP responses are not stapled on channel \"{}\": the JDK's provider does not support it",
            "Use provider: boringssl, or leave out stapling and ocsp-file."),
    OCSP_FAILED(
            90489,
            Severity.WARNING,
            "Security",
            "No new OCSP response for the certificate {} of channel \"{}\": {}",
            "The old one is stapled until it expires, then none; check the responder or the file."),
    OCSP_UPDATED(
            90490,
            Severity.INFO,
            "Security",
            "New OCSP response for the certificate {} of channel \"{}\", valid until {}",
            "");

    private final Declaration declaration;

    KernelMessages(int id, Severity severity, String subsystem, String text, String remedy) {
        this.declaration = new Declaration(id, severity, subsystem, text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
