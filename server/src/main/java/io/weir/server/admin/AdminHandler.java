package io.weir.server.admin;

/** Answers one kind of request. Shared: it is called by the admin loop or, where so registered, by admin threads. */
@FunctionalInterface
public interface AdminHandler {
    /** Answers; an exception becomes a 500 without details and is logged and counted. */
    AdminAnswer answer(AdminRequest request) throws Exception;
}
