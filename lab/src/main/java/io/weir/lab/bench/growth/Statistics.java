package io.weir.lab.bench.growth;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * The statistics of a running server, read from {@code /metrics} of its admin listener, of which there may be many
 * megabytes here: one series for each of thousands of things. Immutable.
 *
 * @param query such as {@code ?process=2}; empty: of all processes
 */
record Statistics(int adminPort, String query) {
    /**
     * The sum over all samples of that name.
     *
     * @param label such as {@code destination="queue/a"}; empty: whatever the labels
     */
    double sum(String name, String label) throws IOException {
        try (InputStream in = URI.create("http://127.0.0.1:" + adminPort + "/metrics" + query)
                .toURL()
                .openStream()) {
            return sum(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)), name, label);
        }
    }

    static double sum(BufferedReader lines, String name, String label) throws IOException {
        double sum = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            boolean named = line.startsWith(name)
                    && line.length() > name.length()
                    && (line.charAt(name.length()) == ' ' || line.charAt(name.length()) == '{');
            if (named && line.contains(label)) {
                sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return sum;
    }
}
