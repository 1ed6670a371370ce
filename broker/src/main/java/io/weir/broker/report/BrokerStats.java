package io.weir.broker.report;

import static io.weir.base.StatSpec.counter;
import static io.weir.base.StatSpec.gauge;

import io.weir.base.StatSpec;
import java.util.List;

/**
 * The statistics of messaging, declared once. Temporary destinations share the label {@code temporary}: their gauges are
 * sums, as of the latest count of their loops.
 */
public final class BrokerStats {
    // Destinations
    public static final StatSpec MESSAGES_CURRENT = gauge(
            "weir_destination_messages_current",
            "messages",
            "Messages at a destination that are available now; those pending are not in it.",
            "destination");
    public static final StatSpec MESSAGES_PENDING = gauge(
            "weir_destination_messages_pending",
            "messages",
            "Messages at a destination that are not available: at consumers unacknowledged, in transactions, delayed.",
            "destination");
    public static final StatSpec MESSAGES_HIGH = gauge(
            "weir_destination_messages_high",
            "messages",
            "Most messages that were ever at a destination at once.",
            "destination");
    public static final StatSpec MESSAGES_RECEIVED = counter(
            "weir_destination_messages_received_total",
            "messages",
            "Messages that came to a destination since the start, sent by producers or moved there; not those recovered"
                    + " from the journal, nor those whose send or commit failed.",
            "destination");
    public static final StatSpec MESSAGES_RECOVERED = gauge(
            "weir_destination_messages_recovered",
            "messages",
            "Messages of a destination that were found in the journal at the start: an earlier run had received them.",
            "destination");
    public static final StatSpec BYTES_CURRENT = gauge(
            "weir_destination_bytes_current", "bytes", "Bytes of the messages at a destination now.", "destination");
    public static final StatSpec BYTES_PENDING = gauge(
            "weir_destination_bytes_pending",
            "bytes",
            "Bytes of the messages at a destination that are not available.",
            "destination");
    public static final StatSpec BYTES_HIGH = gauge(
            "weir_destination_bytes_high",
            "bytes",
            "Most bytes of messages that were ever at a destination at once.",
            "destination");
    public static final StatSpec BYTES_RECEIVED = counter(
            "weir_destination_bytes_received_total",
            "bytes",
            "Bytes of the messages that came to a destination since the start; those that were recovered from the journal"
                    + " did not come.",
            "destination");
    public static final StatSpec BYTES_RECOVERED = gauge(
            "weir_destination_bytes_recovered",
            "bytes",
            "Bytes of the messages of a destination that were found in the journal at the start.",
            "destination");
    public static final StatSpec CONSUMERS =
            gauge("weir_destination_consumers", "consumers", "Consumers of a destination.", "destination");
    public static final StatSpec PRODUCERS = gauge(
            "weir_destination_producers",
            "producers",
            "Producers that sent to a destination and whose sessions are open.",
            "destination");
    public static final StatSpec TEMPORARIES =
            gauge("weir_jms_temporary_destinations", "destinations", "Temporary queues and topics that exist now.");
    public static final StatSpec DELIVERED =
            counter("weir_destination_delivered_total", "messages", "Messages handed to consumers.", "destination");
    public static final StatSpec ACKNOWLEDGED =
            counter("weir_destination_acknowledged_total", "messages", "Messages acknowledged.", "destination");
    public static final StatSpec REDELIVERED = counter(
            "weir_destination_redelivered_total",
            "messages",
            "Messages that came back from consumers (rollback, recover, close) to be delivered again.",
            "destination");
    public static final StatSpec EXPIRED = counter(
            "weir_destination_expired_total",
            "messages",
            "Messages whose time was over before they were consumed.",
            "destination");
    public static final StatSpec FAILED = counter(
            "weir_destination_failed_total",
            "messages",
            "Messages over the redelivery limit, by what became of them.",
            "destination",
            "outcome");
    public static final StatSpec MOVED_WITHOUT_PROVENANCE = counter(
            "weir_jms_moved_untold_total",
            "messages",
            "Messages moved without the properties that record their origin and the reason: with them they were too"
                    + " large.");
    public static final StatSpec MOVE_WITHOUT_ROOM = counter(
            "weir_jms_moves_without_room_total",
            "messages",
            "Times that a message stayed where it was because memory had no room for what its move would have made of it"
                    + " (limits.messages-in-memory, limits.bytes-in-memory).");
    public static final StatSpec OVERRUN = counter(
            "weir_destination_overrun_total",
            "messages",
            "Messages deleted because a subscription was at its messages-limit.",
            "destination");
    // Quotas
    public static final StatSpec QUOTA_MESSAGES =
            gauge("weir_quota_messages", "messages", "Messages that a quota holds now.", "quota");
    public static final StatSpec QUOTA_BYTES =
            gauge("weir_quota_bytes", "bytes", "Bytes of messages that a quota holds now.", "quota");
    public static final StatSpec QUOTA_WAITING =
            gauge("weir_quota_waiting", "sends", "Sends that wait for room now.", "quota");
    public static final StatSpec QUOTA_WAITS =
            counter("weir_quota_waits_total", "sends", "Sends that had to wait for room.", "quota");
    public static final StatSpec QUOTA_REFUSED = counter(
            "weir_quota_refused_total", "sends", "Sends refused or dropped because no room came in time.", "quota");
    public static final StatSpec MEMORY_MESSAGES = gauge(
            "weir_jms_memory_messages",
            "messages",
            "Messages of all destinations that are in memory now (limits.messages-in-memory bounds them).");
    public static final StatSpec MEMORY_REFERENCES = gauge(
            "weir_jms_memory_references",
            "references",
            "References of subscriptions to messages in memory, beside each message's first"
                    + " (limits.messages-in-memory counts three as a message).");
    public static final StatSpec MEMORY_BYTES = gauge(
            "weir_jms_memory_bytes",
            "bytes",
            "Bytes of the messages of all destinations that are in memory now (limits.bytes-in-memory bounds them).");
    public static final StatSpec MEMORY_LIMIT = gauge(
            "weir_jms_memory_messages_limit",
            "messages",
            "Messages of all destinations that memory may hold (limits.messages-in-memory).");
    public static final StatSpec MEMORY_BYTES_LIMIT = gauge(
            "weir_jms_memory_bytes_limit", "bytes", "Bytes of messages that memory may hold (limits.bytes-in-memory).");
    public static final StatSpec MEMORY_PINNED = gauge(
            "weir_jms_memory_pinned_bytes",
            "bytes",
            "Bytes of the read buffers that waiting messages lie in: at most half more than those messages, and 1 MiB.",
            "muxer");
    public static final StatSpec MEMORY_MOVED = counter(
            "weir_jms_memory_moved_total",
            "messages",
            "Waiting messages that were copied out of a read buffer most of which was kept for nothing.",
            "muxer");
    // Sessions
    public static final StatSpec SESSIONS = gauge("weir_jms_sessions_open", "sessions", "Sessions open now.");
    public static final StatSpec WINDOW_BLOCKED = gauge(
            "weir_jms_sessions_window_blocked",
            "sessions",
            "Sessions whose window (MessagesMaximum, bytes) is full now: their consumers are slower than the producers.");
    public static final StatSpec ONE_WAY_SENDS =
            counter("weir_jms_one_way_sends_total", "messages", "Messages sent without an answer.");
    public static final StatSpec ONE_WAY_DROPPED = counter(
            "weir_jms_one_way_dropped_total", "messages", "One-way messages that were deleted, over quota or refused.");
    public static final StatSpec RECEIVES =
            counter("weir_jms_receive_requests_total", "requests", "Requests of synchronous consumers.");
    public static final StatSpec RECEIVE_TIMEOUTS = counter(
            "weir_jms_receive_timeouts_total",
            "requests",
            "Requests of synchronous consumers that ended without a message.");
    public static final StatSpec SLOW_CONSUMERS = counter(
            "weir_jms_slow_consumers_total", "consumers", "Consumers that took nothing for slow-consumer-time.");
    public static final StatSpec COMMITTED = counter(
            "weir_jms_transactions_committed_total",
            "transactions",
            "Transactions committed: those of sessions, and branches of distributed ones.");
    public static final StatSpec ROLLED_BACK = counter(
                    "weir_jms_transactions_rolled_back_total",
                    "transactions",
                    "Transactions rolled back, by cause.",
                    "cause")
            .withValues("client", "close", "connection", "operator", "refused", "store", "timeout");
    public static final StatSpec BRANCHES = gauge(
            "weir_jms_branches",
            "branches",
            "Branches of distributed transactions (XA) now: open, prepared, or ended by an operator and not forgotten.");
    public static final StatSpec BRANCHES_PREPARED = gauge(
            "weir_jms_branches_prepared",
            "branches",
            "Branches in doubt now: prepared, and neither committed nor rolled back by their transaction manager.");
    public static final StatSpec BRANCHES_DECIDED = counter(
                    "weir_jms_branches_decided_total",
                    "branches",
                    "Branches in doubt that an operator ended, by decision.",
                    "decision")
            .withValues("commit", "rollback");
    public static final StatSpec REFUSED = counter(
            "weir_jms_refused_total",
            "requests",
            "Sends and other requests that were refused, by reason; the client has the text.",
            "reason");
    public static final StatSpec MAILBOX_LENGTH =
            gauge("weir_jms_mailbox_length", "tasks", "Work that waits between muxers for this one.", "muxer");
    public static final StatSpec MAILBOX_REFUSED = counter(
            "weir_jms_mailbox_refused_total", "tasks", "Sends refused because a muxer's mailbox was full.", "muxer");

    /** Everything declared here, in this order. */
    public static final List<StatSpec> ALL = List.of(
            MESSAGES_CURRENT,
            MESSAGES_PENDING,
            MESSAGES_HIGH,
            MESSAGES_RECEIVED,
            MESSAGES_RECOVERED,
            BYTES_CURRENT,
            BYTES_PENDING,
            BYTES_HIGH,
            BYTES_RECEIVED,
            BYTES_RECOVERED,
            CONSUMERS,
            PRODUCERS,
            TEMPORARIES,
            DELIVERED,
            ACKNOWLEDGED,
            REDELIVERED,
            EXPIRED,
            FAILED,
            MOVED_WITHOUT_PROVENANCE,
            MOVE_WITHOUT_ROOM,
            OVERRUN,
            QUOTA_MESSAGES,
            QUOTA_BYTES,
            QUOTA_WAITING,
            QUOTA_WAITS,
            QUOTA_REFUSED,
            MEMORY_MESSAGES,
            MEMORY_REFERENCES,
            MEMORY_BYTES,
            MEMORY_LIMIT,
            MEMORY_BYTES_LIMIT,
            MEMORY_PINNED,
            MEMORY_MOVED,
            SESSIONS,
            WINDOW_BLOCKED,
            ONE_WAY_SENDS,
            ONE_WAY_DROPPED,
            RECEIVES,
            RECEIVE_TIMEOUTS,
            SLOW_CONSUMERS,
            COMMITTED,
            ROLLED_BACK,
            BRANCHES,
            BRANCHES_PREPARED,
            BRANCHES_DECIDED,
            REFUSED,
            MAILBOX_LENGTH,
            MAILBOX_REFUSED);

    private BrokerStats() {}
}
