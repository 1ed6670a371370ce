package io.weir.proxy.exchange;

/**
 * The steps of a request, in order: a state machine. Each is a method of {@link RequestSteps} that returns the next
 * one, or {@link #WAIT}: then the awaited callback resumes the request.
 */
enum Step {
    /** Nothing can be done now: the exchange stays at its step. */
    WAIT,
    /** Runs the stages Input to ObjectType. Waits for functions in them. */
    TRANSLATE,
    /** Refuses requests that exceed limits or violate HTTP. */
    CHECK,
    /** Determines whether the cache may be used, and prepares the look-up. */
    LOOK_UP,
    /** Calls the cache: a hit is answered here, a fill of another request is joined. */
    DECIDE,
    /** Waits for a slot. */
    QUEUE,
    /** Runs Route and Service. Waits for functions in them. */
    SERVE,
    /** Answers from the action, or continues to an origin. */
    ACT,
    /** Runs DNS and Connect. Waits for functions in them. */
    CONNECT,
    /** Builds the request to the origin, for the store or bypassing it. */
    FETCH,
    /**
     * Passes a fill's data, of its own request or another's, to the client. Waits for more data, and for the client.
     */
    DELIVER,
    /** Passes a body that stays on the disk to the client. Waits for the disk, and for the client. */
    STREAM,
    /** Starts the exchange's own fetch, whose answer is relayed directly. Waits for its end. */
    RELAY,
    /** Bytes pass through a tunnel. Waits for its end. */
    TUNNEL,
    /** Runs Error, and answers with an error. Waits for functions. */
    FAIL,
    /** The answer is complete: logs, and returns to the client for the next request. */
    ANSWERED,
    /** The answer cannot be completed: logs, and ends its connection or stream. */
    ABORT,
    /** There is no request. */
    NONE
}
