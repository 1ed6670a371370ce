package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import java.io.Serial;

/** What is wrong in a file, and where; caught by the parser, which goes on after it. */
final class ObjSyntaxException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient ConfigNode.Place at;

    ObjSyntaxException(ConfigNode.Place at, String what) {
        super(what, null, false, false);
        this.at = at;
    }

    ConfigNode.Place at() {
        return at;
    }
}
