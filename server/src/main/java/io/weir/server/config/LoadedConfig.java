package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.proxy.program.functions.FunctionCatalogue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of reading a configuration.
 *
 * @param source the file's name, or {@code default}
 * @param base the tree of the file and the Sun servers' files below it, for comparison in a roll-back
 * @param overrides the persisted live changes
 * @param tree file, overrides and {@code --set} overlaid; each value keeps its place
 * @param value the bound configuration, to be used only if there are no problems
 * @param functions the functions for routes until the process ends: Weir's own and those of {@code proxy.function-jars}
 * @param loader reads the same sources again
 * @param problems all errors, in the order of the file
 * @param notes settings of the Sun servers' files that have no meaning here, each with its reason
 */
public record LoadedConfig(
        String source,
        ConfigNode.Mapping base,
        ConfigNode.Mapping overrides,
        ConfigNode.Mapping tree,
        WeirConfig value,
        FunctionCatalogue functions,
        ConfigLoader loader,
        List<ConfigProblem> problems,
        List<ConfigProblem> notes) {
    public LoadedConfig {
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
    }

    /** Keys of persisted changes that {@code --set} overlays. */
    public List<String> shadowedOverrides() {
        return Overlay.leaves(overrides).keySet().stream()
                .filter(this::setOnTheCommandLine)
                .toList();
    }

    private boolean setOnTheCommandLine(String key) {
        ConfigNode node = tree.find(key);
        return node != null && node.at().source().startsWith("--set");
    }

    /**
     * This with the values of a configuration that is in force in another process, whatever file and command line say.
     *
     * @param file a whole configuration, as {@link KnobService#text} gave it
     * @throws IOException when it cannot be read
     */
    public LoadedConfig inForce(Path file) throws IOException {
        List<ConfigProblem> found = new ArrayList<>();
        ConfigNode.Mapping all = Reread.whole(tree, InForceText.read(file, found));
        WeirConfig bound = ConfigLoader.bind(all, functions, found);
        return new LoadedConfig(source, base, overrides, all, bound, functions, loader, found, notes);
    }

    /** The text of the whole configuration, for {@link #inForce}. */
    public String text() {
        return InForceText.of(tree);
    }

    public boolean usable() {
        return problems.isEmpty();
    }
}
