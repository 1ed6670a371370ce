package io.weir.proxy;

import io.netty.pkitesting.X509Bundle;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code openssl s_server -www} as an origin: a page that tells of the connection. Owned by one test. */
final class OpensslOrigin implements AutoCloseable {
    private static final Pattern ACCEPT = Pattern.compile("ACCEPT .*:(\\d+)");

    private final Process process;
    private final int port;

    OpensslOrigin(Path folder, X509Bundle certificate, String... more) throws Exception {
        Files.writeString(folder.resolve("origin.pem"), certificate.getCertificatePathPEM());
        Files.writeString(folder.resolve("origin.key"), certificate.getPrivateKeyPEM());
        List<String> command = new ArrayList<>(
                List.of("openssl", "s_server", "-accept", "localhost:0", "-cert", "origin.pem", "-key", "origin.key"));
        command.addAll(List.of("-www", "-verify_return_error"));
        command.addAll(List.of(more));
        process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        port = portOf(said);
        Thread.ofVirtual().start(() -> drain(said));
    }

    private static int portOf(BufferedReader said) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String l = said.readLine(); l != null; l = said.readLine()) {
            Matcher m = ACCEPT.matcher(l);
            if (m.find()) {
                return Integer.parseInt(m.group(1));
            }
            all.append(l).append('\n');
        }
        throw new IOException("openssl s_server did not start: " + all);
    }

    private static void drain(BufferedReader said) {
        try {
            while (said.readLine() != null) {
                // a full pipe would stop it
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
