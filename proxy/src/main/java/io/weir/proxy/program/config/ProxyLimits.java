package io.weir.proxy.program.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;

/** Bounds on what clients and origins may send. Immutable. */
public record ProxyLimits(
        @Knob(
                doc = "Longest request line; a longer one is answered 414. Raise it when an"
                        + " application's long URLs get 414; lower it to refuse nonsense sooner. Memory is"
                        + " only used as lines arrive. Rule of thumb: the default, which browsers and"
                        + " other proxies accept, too.",
                value = "8KiB",
                min = "512",
                max = "64KiB",
                dynamic = true,
                watch = "weir_http_faults_total",
                knownAs = "HeaderBufferSize")
        ByteSize requestLine,

        @Knob(
                doc = "Longest head of a request, its line included; a longer one is answered 431."
                        + " Raise it when clients with large cookies or tokens get 431; lower it when"
                        + " memory is short: each connection may hold this much. Rule of thumb: what the"
                        + " origin itself accepts.",
                value = "32KiB",
                min = "1KiB",
                max = "256KiB",
                dynamic = true,
                watch = "weir_http_faults_total",
                knownAs = "HeaderBufferSize")
        ByteSize requestHead,

        @Knob(
                doc = "Header lines of a request; more are answered 431. The Sun proxy's 64 is too low for browsers"
                        + " behind a few proxies."
                        + " Each costs memory while its request is handled. Rule of thumb: the default.",
                value = "128",
                unit = "fields",
                min = "1",
                max = "512",
                dynamic = true,
                watch = "weir_http_faults_total",
                knownAs = "MaxRqHeaders")
        int requestHeaders,

        @Knob(
                doc = "Longest head of an origin's answer; a longer one is answered 502. Raise it when"
                        + " an application's large fields, such as cookies or policies, end in 502; each"
                        + " answer in progress may hold this much. Rule of thumb: the default.",
                value = "64KiB",
                min = "1KiB",
                max = "256KiB",
                dynamic = true,
                watch = "weir_http_faults_total")
        ByteSize responseHead,

        @Knob(
                doc = "Header lines of an origin's answer; more are answered 502. Raise it when an"
                        + " application's answers end in 502 because of many fields; each costs processor"
                        + " time at each client. Rule of thumb: the default.",
                value = "256",
                unit = "fields",
                min = "1",
                max = "512",
                dynamic = true,
                watch = "weir_http_faults_total")
        int responseHeaders,

        @Knob(
                doc = "Largest body of a request; a larger one is answered 413 or cut. 0: no bound, bodies are"
                        + " streamed."
                        + " Set it to keep large uploads from origins that store them. Rule of thumb: the largest"
                        + " regular upload.",
                value = "0",
                min = "0",
                max = "1048576GiB",
                dynamic = true,
                watch = "weir_proxy_faults_total",
                knownAs = "MaxRequestBodySize")
        ByteSize requestBody,

        @Knob(
                doc = "Bytes of a request that are buffered for its origin before reading from the client stops."
                        + " Towards clients the bound is kernel.buffers.write-high."
                        + " Raise it when uploads over long paths are slow; each upload may hold this much. Rule"
                        + " of thumb: the default.",
                value = "256KiB",
                min = "16KiB",
                max = "16MiB",
                dynamic = true,
                watch = "weir_proxy_origin_write_pauses_total")
        ByteSize streamBuffer,

        @Knob(
                doc = "Bytes of a request's body that are held so that an idempotent request (PUT, DELETE, OPTIONS"
                        + " and the like) can be sent again when its reused connection turns out to be dead. A"
                        + " request with a longer body is then answered 502. Each such request in progress costs"
                        + " this much memory."
                        + " Rule of thumb: the default; 0 where such requests are rare.",
                value = "64KiB",
                min = "0",
                max = "16MiB",
                dynamic = true,
                watch = "weir_proxy_retries_total")
        ByteSize resendBody,

        @Knob(
                doc =
                        "Tunnels (CONNECT and upgraded connections) open at a time; further ones are"
                                + " answered 503. Raise it when tunnels are refused while descriptors are free;"
                                + " lower it to keep descriptors for requests. Each tunnel costs two descriptors"
                                + " and its buffers. Rule of thumb: no more than a third of the descriptor limit, which the default exceeds below 50,000.",
                value = "16384",
                unit = "tunnels",
                min = "0",
                max = "1000000",
                dynamic = true,
                watch = "weir_proxy_tunnels")
        int tunnels) {}
