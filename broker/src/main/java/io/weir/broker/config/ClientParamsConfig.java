package io.weir.broker.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.jms.client.settings.AcknowledgePolicy;
import io.weir.jms.client.settings.ClientIdPolicy;
import io.weir.jms.client.settings.PrefetchMode;

/** How messages reach the consumers of a connection factory (WebLogic's ClientParams). Immutable. */
public record ClientParamsConfig(
        @Knob(
                doc = "Messages that may be sent to a session before they are passed to its listener, and with prefetch"
                        + " the most that one receive fetches; -1 no limit. A larger value saves waiting when production"
                        + " outpaces consumption; it costs memory in the client and binds messages to the first"
                        + " consumer."
                        + " Rule of thumb: twice what a listener handles in a round trip to the server; 1 where"
                        + " messages take long.",
                value = "10",
                unit = "messages",
                min = "-1",
                max = "2147483647",
                watch = {"weir_jms_sessions_window_blocked", "weir_destination_messages_pending"},
                dynamic = true,
                knownAs = "MessagesMaximum")
        int messagesMaximum,

        @Knob(
                doc = "Bytes that may be sent to a session before they are passed to its listener; one message always"
                        + " fits."
                        + " Raise it when large messages arrive one by one; each session may hold this much in"
                        + " its client. Rule of thumb: messages-maximum times the usual size.",
                value = "4MiB",
                min = "1KiB",
                max = "1GiB",
                watch = "weir_jms_sessions_window_blocked",
                dynamic = true)
        ByteSize messagesMaximumBytes,

        @Knob(
                doc = "Whether a synchronous consumer fetches batches of messages-maximum: disabled, enabled or"
                        + " topicSubscriberOnly. It is off for sessions with several consumers.",
                value = "disabled",
                watch = "weir_jms_receive_requests_total",
                dynamic = true,
                knownAs = "SynchronousPrefetchMode")
        PrefetchMode synchronousPrefetchMode,

        @Knob(
                doc = "What acknowledge() covers: all messages of the session, or the previous ones and itself.",
                value = "all",
                dynamic = true,
                knownAs = "AcknowledgePolicy",
                unwatched = Unwatched.MEANING)
        AcknowledgePolicy acknowledgePolicy,

        @Knob(
                doc = "Whether a listener may close its own session or connection; off, as the specification requires.",
                value = "off",
                dynamic = true,
                knownAs = "AllowCloseInOnMessage",
                unwatched = Unwatched.SWITCH)
        boolean allowCloseInOnMessage,

        @Knob(
                doc = "Client identifier of its connections; empty: none.",
                dynamic = true,
                knownAs = "ClientID",
                unwatched = Unwatched.NAME)
        String clientId,

        @Knob(
                doc = "restricted: one connection at a time may use a client identifier; unrestricted: several.",
                value = "restricted",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "ClientIDPolicy")
        ClientIdPolicy clientIdPolicy,

        @Knob(
                doc = "exclusive: a subscription has one consumer unless it is a shared one; sharable: consumers of"
                        + " connections with the same client identifier share it.",
                value = "exclusive",
                dynamic = true,
                knownAs = "SubscriptionSharingPolicy",
                unwatched = Unwatched.MEANING)
        SharingPolicy subscriptionSharingPolicy) {}
