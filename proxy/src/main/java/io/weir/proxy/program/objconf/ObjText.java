package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@code obj.conf} as written: Init lines, and objects with their directives in order. Immutable.
 *
 * @param inits the Init lines, which stand outside objects
 */
record ObjText(List<Line> inits, List<ObjectBlock> objects) {
    ObjText {
        inits = List.copyOf(inits);
        objects = List.copyOf(objects);
    }

    /** What stands in an object. */
    sealed interface Item permits Line, ClientBlock, Branches {}

    /**
     * One parameter of a directive or a tag.
     *
     * @param subscript the text in braces after the name, as in {@code set-variable}'s {@code name{key}}; null: none
     */
    record Parameter(String name, @Nullable String subscript, Template value, ConfigNode.Place at) {}

    /**
     * A directive: {@code Stage fn=name ...}.
     *
     * @param stage as written
     * @param function the value of {@code fn}
     * @param parameters all others
     */
    record Line(String stage, String function, List<Parameter> parameters, ConfigNode.Place at) implements Item {
        Line {
            parameters = List.copyOf(parameters);
        }
    }

    /** {@code <Client ...>}: its items apply to requests that match the patterns. */
    record ClientBlock(List<Parameter> patterns, List<Item> items, ConfigNode.Place at) implements Item {
        ClientBlock {
            patterns = List.copyOf(patterns);
            items = List.copyOf(items);
        }
    }

    /** {@code <If>}, the {@code <ElseIf>}s after it, and {@code <Else>}: the first whose condition holds applies. */
    record Branches(List<Branch> branches) implements Item {
        Branches {
            branches = List.copyOf(branches);
        }
    }

    /** @param condition null: {@code <Else>} */
    record Branch(@Nullable Expression condition, List<Item> items, ConfigNode.Place at) {
        Branch {
            items = List.copyOf(items);
        }
    }

    /** {@code <Object name= ppath=>}: at least one of the two. */
    record ObjectBlock(@Nullable String name, @Nullable String ppath, List<Item> items, ConfigNode.Place at) {
        ObjectBlock {
            items = List.copyOf(items);
        }
    }
}
