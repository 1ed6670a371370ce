package io.weir.server.config.sun;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.KnobCatalogue;
import io.weir.base.TextFile;
import io.weir.proxy.program.objconf.InitLines;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code magnus.conf} and {@code server.xml} beside the {@code obj.conf} that a configuration names, and the Init
 * lines of both: they are a layer below it. Stateless.
 */
public final class SunFiles {
    private static final String OBJECTS = "proxy.objects";

    private SunFiles() {}

    /**
     * The layer below a configuration; none if it names no {@code obj.conf} by its path. One that holds the file's text
     * comes from another process, with all values of the layer in it.
     *
     * @param upper the file and the command line
     * @param knobs all that can be set
     */
    public static SunLayer below(ConfigNode.Mapping upper, KnobCatalogue knobs) {
        if (!(upper.find(OBJECTS) instanceof ConfigNode.Scalar objects)
                || objects.text().isEmpty()) {
            return SunLayer.NONE;
        }
        String written = objects.text();
        Path path;
        try {
            path = Path.of(written);
        } catch (InvalidPathException e) {
            return SunLayer.NONE;
        }
        String program = "";
        try {
            TextFile file = TextFile.parse(written);
            if (!file.name().equals(written)) {
                return SunLayer.NONE;
            }
            program = file.text();
        } catch (IllegalArgumentException e) {
            // reported where the knob is bound; the files beside it are read for their own mistakes
        }
        return read(path, program, upper, knobs);
    }

    private static SunLayer read(Path objects, String program, ConfigNode.Mapping upper, KnobCatalogue knobs) {
        Layer layer = new Layer(knobs, upper, Place.of(objects.toString()));
        String xmlName = objects.resolveSibling("server.xml").toString();
        String magnusName = objects.resolveSibling("magnus.conf").toString();
        String xmlText = text(xmlName, layer);
        String magnusText = text(magnusName, layer);
        ServerXml xml = xmlText == null ? null : new ServerXml(xmlName, xmlText, objects.toString(), layer);
        if (xml != null) {
            xml.variables();
        }
        List<InitLines.Line> lines = new ArrayList<>();
        if (magnusText != null) {
            lines.addAll(new MagnusConf(magnusName, layer).read(magnusText));
        }
        // mistakes of its syntax are reported with the program
        lines.addAll(
                InitLines.read(objects.toString(), program, layer.variables()).lines());
        InitFunctions.apply(lines, layer);
        if (xml != null) {
            xml.apply();
        }
        return layer.finish();
    }

    private static @Nullable String text(String file, Layer layer) {
        if (!Files.exists(Path.of(file))) {
            return null;
        }
        try {
            return TextFile.parse(file).text();
        } catch (IllegalArgumentException e) {
            layer.problem(Place.of(file), String.valueOf(e.getMessage()));
            return null;
        }
    }
}
