package io.weir.lab.functions;

/** Takes the place of the server's busy function, as func_insert does in the tuning guide. Shared. */
public final class ServiceTooBusy extends MyBusyFunction {
    @Override
    public String name() {
        return "service-toobusy";
    }
}
