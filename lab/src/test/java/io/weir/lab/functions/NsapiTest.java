package io.weir.lab.functions;

/** The tuning guide's service of its example of buffers: the same under that name. Shared. */
public final class NsapiTest extends TestmodService {
    @Override
    public String name() {
        return "nsapi-test";
    }
}
