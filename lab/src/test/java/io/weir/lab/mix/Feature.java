package io.weir.lab.mix;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a run may do and is held to: {@code -Dmix.off=A,B} leaves some out, {@code -Dmix.only=A,B} all others, {@code
 * -Dmix.on=A} adds what still waits for a fault of the proxy to be mended. Immutable.
 */
enum Feature {
    /** Clients that speak HTTP/2. */
    HTTP2_CLIENTS(true),
    /** Requests whose origin speaks HTTP/2. */
    HTTP2_ORIGINS(true),
    /** Both sides write in pieces, cut at any byte. */
    CUTS(true),
    /** Several requests in one write. */
    PIPELINES(true),
    /** Bodies of requests, by length and in chunks, asked for by Expect and not. */
    UPLOADS(true),
    /** Origins answer before they have read the body. */
    EARLY_ANSWERS(true),
    /** A second answer stands behind the first, in the same write: nobody may ever get it. */
    SURPLUS(true),
    /** 103 before an answer. */
    INTERIM(true),
    /** Trailers of answers. */
    TRAILERS(true),
    /** Only who sends {@code TE: trailers} gets trailers. */
    TRAILERS_ASKED(true),
    /** Answers that vary. */
    VARIANTS(true),
    RANGES(true),
    CONDITIONS(true),
    /** A client's condition counts where the answer cannot be stored, too. */
    CONDITIONS_UNSTORED(true),
    /** Clients that end their side behind the request. */
    HALF_CLOSE(true),
    /** Clients that go away in the middle. */
    RESETS(true),
    /** Clients that read in sips. */
    SLOW_READERS(true),
    /** Origins that close, cut and babble. */
    FAULTS(true),
    /** A fault of the origin in the same write as its head is no empty reply. */
    FAULT_WITH_HEAD(true),
    /** A 304 that nobody asked for does not pass. */
    UNASKED_304(true),
    /** Origins that close a kept connection without a word. */
    SILENT_CLOSE(true),
    /** PUT and DELETE are sent again where a kept connection was dead. */
    SILENT_CLOSE_COSTS_NOTHING(true),
    /** A field named by private or no-cache is for the client whose fetch brought it. */
    PRIVATE_FIELDS(true),
    /** The operator forgets what is stored. */
    PURGES(true),
    /** The operator turns knobs. */
    KNOBS(true),
    /** The operator changes routes and servers. */
    ROUTES(true),
    /** Requests to the forward proxy. */
    FORWARD(true),
    /** Clients whom the rules keep from destinations that others may reach. */
    OUTSIDERS(true),
    /** The rules change. */
    RULES(true),
    /** CONNECT. */
    TUNNELS(true),
    /** Hosts and paths in several spellings: the origin sees one. */
    SPELLINGS(true),
    /** A scheme that is not that of the connection is refused. */
    SCHEMES(true),
    /** In the end nothing is left: no connection, place, slot, stream, fill, buffer. */
    GAUGES(true);

    private static final Set<String> ON = names("mix.on");
    private static final Set<String> OFF = names("mix.off");
    private static final Set<String> ONLY = names("mix.only");

    private final boolean held;

    Feature(boolean held) {
        this.held = held;
    }

    private static Set<String> names(String property) {
        return Arrays.stream(System.getProperty(property, "").split(",", -1))
                .filter(n -> !n.isEmpty())
                .map(n -> Feature.valueOf(n).name())
                .collect(Collectors.toSet());
    }

    boolean isOn() {
        boolean meant = ONLY.isEmpty() ? held : ONLY.contains(name());
        return (meant || ON.contains(name())) && !OFF.contains(name());
    }
}
