package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;

/** Settings that apply to all destinations (WebLogic's JMSServer). Immutable. */
public record JmsServerConfig(
        @Knob(
                doc = "Messages that destinations without a quota of their own may store together."
                        + " At the bound sends wait, then fail. Rule of thumb: no limit here, and quotas for"
                        + " destinations whose consumers may be away.",
                value = "9223372036854775807",
                unit = "messages",
                min = "0",
                watch = {"weir_quota_messages", "weir_quota_waits_total"},
                dynamic = true,
                knownAs = "JMSServer MessagesMaximum")
        long messagesMaximum,

        @Knob(
                doc = "Bytes of messages that destinations without a quota of their own may store together. Messages"
                        + " are kept in memory: leave room for them."
                        + " Rule of thumb: half of messaging.limits.bytes-in-memory.",
                value = "9223372036854775807",
                unit = "bytes",
                min = "0",
                watch = {"weir_quota_bytes", "weir_quota_waits_total"},
                dynamic = true,
                knownAs = "JMSServer BytesMaximum")
        long bytesMaximum,

        @Knob(
                doc = "Which waiting send is served first when room becomes free in the server's quota.",
                value = "fifo",
                watch = "weir_quota_waits_total",
                dynamic = true,
                knownAs = "BlockingSendPolicy")
        QuotaPolicy blockingSendPolicy,

        @Knob(
                doc = "How often stored messages are scanned for expired ones; these are also detected at delivery. A"
                        + " shorter interval frees memory and quota sooner and costs a scan each time."
                        + " Rule of thumb: the default; a tenth of the usual time to live.",
                value = "30s",
                min = "100ms",
                max = "1d",
                watch = "weir_destination_expired_total",
                dynamic = true,
                knownAs = "ExpirationScanInterval")
        Duration expirationScanInterval,

        @Knob(
                doc = "How long a branch of a distributed transaction (XA) may take until it is prepared, where its"
                        + " transaction manager gives no time; then it is rolled back. Prepared ones wait without end."
                        + " A shorter one frees messages of managers that hang, and rolls back long work. Rule of thumb:"
                        + " above the longest transaction.",
                value = "1h",
                min = "1s",
                max = "365d",
                watch = {"weir_jms_branches", "weir_jms_transactions_rolled_back_total"},
                dynamic = true,
                knownAs = "TransactionTimeout")
        Duration transactionTimeout,

        @Knob(
                doc = "Largest message that any destination accepts; messaging.wire.max-frame also bounds it."
                        + " Rule of thumb: the largest regular message, twice.",
                value = "2147483647",
                unit = "bytes",
                min = "0",
                max = "2147483647",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "JMSServer MaximumMessageSize")
        int maximumMessageSize,

        @Knob(
                doc = "Without a store, treats persistent messages as non-persistent ones instead of refusing them.",
                value = "off",
                dynamic = true,
                knownAs = "AllowsPersistentDowngrade",
                unwatched = Unwatched.SWITCH)
        boolean allowsPersistentDowngrade,

        @Knob(
                doc = "Keeps persistent messages in the journal; off refuses them, or downgrades them.",
                value = "on",
                knownAs = "StoreEnabled",
                unwatched = Unwatched.SWITCH)
        boolean storeEnabled,

        @Knob(
                doc = "Applications may create temporary destinations.",
                value = "on",
                dynamic = true,
                knownAs = "HostingTemporaryDestinations",
                unwatched = Unwatched.SWITCH)
        boolean hostingTemporaryDestinations,

        @Knob(doc = "What is paused on all destinations.") PausesConfig paused) {}
